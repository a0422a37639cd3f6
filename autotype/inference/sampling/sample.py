"""Count the levels of every column over the whole frame, and sample rows for the models."""

from __future__ import annotations

from typing import Any

from autotype.inference.column import FrameSample
from autotype.inference.frames.as_pandas import open_frame
from autotype.inference.frames.engines.engine import Engine
from autotype.inference.sampling.engine_sample import sample_by_engine
from autotype.inference.sampling.memory_sample import sample_columns


def sample_frame(
    frame: Any, *, max_levels: int, seed: int, max_rows: int | None = None
) -> FrameSample:
    """Count the levels of every column and draw a sample of rows.

    Parameters
    ----------
    frame : frame
        Any frame that `open_frame` reads; it is not changed. Column names may repeat.
    max_levels : int
        Columns with more levels are counted, but their levels are not listed.
    seed : int
        The sample's seed.
    max_rows : int, optional
        Rows of the sample, before rare levels are topped up; `default_max_rows` of the frame's rows
        if it is left out.

    Returns
    -------
    FrameSample
        Of a frame in memory, rows are drawn by a hash of their content; of a large table that an
        engine holds, by their number.

    Raises
    ------
    TypeError
        If `frame` is no frame.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": ["S", "M", None, "S"]})
    >>> column = sample_frame(frame, max_rows=100, max_levels=20, seed=0).columns[0]
    >>> dict(column.levels), column.n_missing
    ({'S': 2, 'M': 1}, 1)
    """
    opened = open_frame(frame)
    if isinstance(opened, Engine):
        return sample_by_engine(opened, max_rows=max_rows, max_levels=max_levels, seed=seed)
    return sample_columns(opened, max_rows=max_rows, max_levels=max_levels, seed=seed)

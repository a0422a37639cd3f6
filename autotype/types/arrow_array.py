"""Convert a column to Arrow, and what few functions of Arrow can handle to plain arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    import pyarrow


def to_arrow_array(values: pd.Series) -> pyarrow.Array:
    """Return a column as an Arrow array.

    Parameters
    ----------
    values : pandas.Series
        Any column.

    Returns
    -------
    pyarrow.Array

    Raises
    ------
    pyarrow.ArrowException, ArithmeticError, TypeError, ValueError
        If Arrow cannot hold the values.

    Examples
    --------
    >>> to_arrow_array(pd.Series(["a", None])).to_pylist()
    ['a', None]
    """
    import pyarrow as pa

    is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
    cells = values.cat.categories if is_categorical else values
    if cells.dtype == object:
        kinds = {kind for kind in map(type, cells.array) if issubclass(kind, np.generic)}
        if np.datetime64 in kinds and len(kinds) > 1:
            # pyarrow 26 ends the process where one of them comes first.
            names = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"it mixes NumPy's dates with other scalars of NumPy: {names}")
    return pa.Array.from_pandas(values)


def plain_arrow(values: pyarrow.Array | pyarrow.ChunkedArray) -> Any:
    """Return views of strings and bytes, and runs of values, as plain arrays of the same values.

    Examples
    --------
    >>> import pyarrow as pa
    >>> str(plain_arrow(pa.array(["a", None], pa.string_view())).type)
    'large_string'
    """
    import pyarrow.compute as pc

    kind = str(values.type)
    if kind.startswith("run_end_encoded<"):
        return plain_arrow(pc.run_end_decode(values))
    if kind in ("string_view", "binary_view"):
        return values.cast(f"large_{kind.removesuffix('_view')}")
    return values

"""Convert frames in memory to pandas, and results back to the library of a frame."""

from __future__ import annotations

from typing import Any

import pandas as pd

from autotype.inference.frames.open_frame import columns_in_memory, engine_of
from autotype.types.arrow_array import to_arrow_array

# How the rows of a lazy table are loaded, by the first name of its module: all, and the first ones.
_LOADING = {
    "polars": ("collect()", "head(100_000).collect()"),
    "duckdb": ("to_arrow_table()", "limit(100_000).to_arrow_table()"),
    "ibis": ("to_pyarrow()", "limit(100_000).to_pyarrow()"),
    "pyspark": ("toPandas()", "limit(100_000).toPandas()"),
    "dask": ("compute()", "head(100_000, npartitions=-1)"),
    "pyarrow": ("to_table()", "head(100_000)"),
}


def as_pandas(frame: Any, what: str) -> pd.DataFrame:
    """Return a frame in memory as a pandas frame.

    Parameters
    ----------
    frame : frame
        Of pandas, polars or pyarrow, or any other eager frame that narwhals reads. It is not
        changed.
    what : str
        The function that needs the rows, for the message.

    Returns
    -------
    pandas.DataFrame
        The frame itself if it is one of pandas. Otherwise columns are converted as
        `series_from_arrow` does, and rows are numbered from 0.

    Raises
    ------
    TypeError
        If the frame is lazy, or no frame.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_pandas(pa.table({"a": [1, None], "b": ["x", "y"]}), "fit").dtypes["a"]
    Int64Dtype()
    """
    if isinstance(frame, pd.DataFrame):
        return frame
    engine = engine_of(frame)
    if engine is not None:
        whole, some = _LOADING[library_of(frame)]
        raise TypeError(
            f"{what} needs the rows in memory, got a lazy table of {engine.title}; load it with "
            f".{whole}, or some of its rows with .{some}"
        )
    columns = columns_in_memory(frame)
    series = {j: columns.converted(j) for j in range(len(columns.names))}
    converted = pd.DataFrame(series, index=pd.RangeIndex(columns.n_rows))
    converted.columns = columns.names
    return converted


def is_frame(thing: Any) -> bool:
    """Check whether something is a frame, in memory or lazy, rather than an array or a list.

    Examples
    --------
    >>> is_frame(pd.DataFrame()), is_frame([[1]])
    (True, False)
    """
    import narwhals as nw

    return nw.dependencies.is_into_dataframe(thing) or engine_of(thing) is not None


def to_library_of(frame: Any, result: pd.Series | pd.DataFrame) -> Any:
    """Convert a result that has the rows of a frame to the frame's library.

    Parameters
    ----------
    frame : frame
        A frame that `as_pandas` accepts.
    result : pandas.Series or DataFrame
        The result.

    Returns
    -------
    Series or frame
        Of polars or pyarrow if the frame is: ordered Categoricals of strings become ``Enum``,
        others ``Categorical``, or ordered dictionaries in Arrow. For other libraries the result
        itself.

    Examples
    --------
    >>> import pyarrow as pa
    >>> to_library_of(pa.table({"a": [1, 2]}), pd.Series([0.5, 1.5])).to_pylist()
    [0.5, 1.5]
    """
    return to_library(library_of(frame), result)


def to_library(library: str, result: pd.Series | pd.DataFrame) -> Any:
    """Convert a result to a library: "polars" or "pyarrow"; for any other, return it as it is."""
    if library not in ("polars", "pyarrow"):
        return result
    if isinstance(result, pd.Series):
        return (_polars_series if library == "polars" else to_arrow_array)(result)
    columns = {str(name): result.iloc[:, j] for j, name in enumerate(result.columns)}
    if library == "polars":
        import polars as pl

        return pl.DataFrame([_polars_series(values.rename(k)) for k, values in columns.items()])
    import pyarrow as pa

    return pa.table({name: to_arrow_array(values) for name, values in columns.items()})


def library_of(frame: Any) -> str:
    """Return the first name of the module of a frame's class.

    Examples
    --------
    >>> library_of(pd.DataFrame())
    'pandas'
    """
    return type(frame).__module__.partition(".")[0]


def _polars_series(values: pd.Series) -> Any:
    import polars as pl

    name = "" if values.name is None else str(values.name)
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return pl.Series(name, pl.from_arrow(to_arrow_array(values)))
    levels = values.cat.categories.tolist()
    cells = values.astype(object).where(values.notna(), None).tolist()
    if not all(isinstance(level, str) for level in levels):
        return pl.Series(name, cells, strict=False)
    return pl.Series(name, cells, dtype=pl.Enum(levels) if values.cat.ordered else pl.Categorical())

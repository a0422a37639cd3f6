"""Convert frames in memory to pandas, and results back to the library of a frame.

Any frame is opened as columns in memory, or as a table that its engine holds.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import pandas as pd

from autotype.inference.frames.columns import Columns, NarwhalsColumns, PandasColumns
from autotype.inference.frames.engines.engine import Engine
from autotype.inference.frames.engines.partition_engine import dataset_engine
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

# Of each kind of lazy table the function of narwhals that knows it, and what opens it, by module.
_ENGINES = {
    "is_polars_lazyframe": ("polars_engine", "PolarsEngine"),
    "is_duckdb_relation": ("duckdb_engine", "DuckDBEngine"),
    "is_ibis_table": ("ibis_engine", "IbisEngine"),
    "is_pyspark_dataframe": ("spark_engine", "SparkEngine"),
    "is_pyspark_connect_dataframe": ("spark_engine", "SparkEngine"),
    "is_dask_dataframe": ("partition_engine", "dask_engine"),
}

# Cells of a lazy table that are loaded to be counted here: about 160 MB of numbers. The rows of
# larger ones are drawn by their engine.
MAX_LOADED_CELLS = 20_000_000


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


def open_frame(native: Any) -> Columns | Engine:
    """Return the columns of a frame in memory, or the engine of a large table.

    Parameters
    ----------
    native : frame
        A pandas, polars or pyarrow table, a polars LazyFrame, a DuckDB relation, a PySpark or Dask
        frame, an Ibis table, a pyarrow Dataset, or any other eager frame that narwhals reads. What
        is open already is returned.

    Returns
    -------
    Columns or Engine
        Lazy tables of up to `MAX_LOADED_CELLS` cells are loaded, so that the same rows give the
        same report whatever held them.

    Raises
    ------
    TypeError
        If it is no frame.
    ValueError
        If Python cannot write the name of a column, an integer of more than 4,300 digits.

    Examples
    --------
    >>> import pandas as pd
    >>> list(open_frame(pd.DataFrame({"a": [1]})).names)
    ['a']
    """
    if isinstance(native, Columns | Engine):
        return native
    if isinstance(native, pd.DataFrame):
        for j, name in enumerate(native.columns):
            try:
                str(name)
            except ValueError as problem:
                raise ValueError(f"the name of column {j}: {problem}; rename it") from None
        return PandasColumns(native)
    engine = engine_of(native)
    if engine is None:
        return columns_in_memory(native)
    return open_frame(engine.collect()) if is_small(engine) else engine


def is_small(engine: Engine) -> bool:
    """Check whether a lazy table has at most `MAX_LOADED_CELLS` cells."""
    return engine.count_rows() * max(len(engine.names), 1) <= MAX_LOADED_CELLS


def engine_of(native: Any) -> Engine | None:
    """Return the engine of a lazy table, None for frames in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> engine_of(pa.table({"a": [1]})) is None
    True
    """
    import narwhals as nw

    for check, (module, of_table) in _ENGINES.items():
        if getattr(nw.dependencies, check)(native):
            engine = import_module(f"autotype.inference.frames.engines.{module}")
            opened: Engine = getattr(engine, of_table)(native)
            return opened
    if type(native).__module__.startswith("pyarrow.") and hasattr(native, "to_batches"):
        import pyarrow.dataset

        if isinstance(native, pyarrow.dataset.Dataset):
            return dataset_engine(native)
    return None


def columns_in_memory(native: Any) -> NarwhalsColumns:
    """Return the columns of another frame in memory than those of pandas.

    Raises
    ------
    TypeError
        If it is no frame.
    """
    import narwhals as nw

    names = native.column_names if nw.dependencies.is_pyarrow_table(native) else None
    if names is not None and len(set(names)) < len(names):  # of which narwhals takes no two alike
        native = native.rename_columns([*map(str, range(len(names)))])
    try:
        return NarwhalsColumns(nw.from_native(native, eager_only=True), names)
    except TypeError:
        got = f"{type(native).__module__}.{type(native).__qualname__}"
        remedy = "convert it first with pandas.DataFrame"
        if hasattr(native, "to_frame"):
            remedy = "convert it first with its to_frame()"
        elif isinstance(native, str | os.PathLike):
            remedy = "autotype.read_table(path) reads a file"
        raise TypeError(
            f"expected a frame of pandas, polars, pyarrow, DuckDB, Dask, PySpark or Ibis, got "
            f"{got}; {remedy}"
        ) from None

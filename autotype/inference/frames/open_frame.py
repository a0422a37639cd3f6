"""Open any frame: as columns in memory, or as a table that its engine holds."""

from __future__ import annotations

from typing import Any

import pandas as pd

from autotype.inference.frames.columns import Columns, NarwhalsColumns, PandasColumns
from autotype.inference.frames.engines.engine import Engine
from autotype.inference.frames.engines.partition_engine import PartitionEngine
from autotype.inference.frames.engines.query_engine import QueryEngine

# Cells of a lazy table that are loaded to be counted here: about 160 MB of numbers. The rows of
# larger ones are drawn by their engine.
MAX_LOADED_CELLS = 20_000_000


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

    Examples
    --------
    >>> import pandas as pd
    >>> list(open_frame(pd.DataFrame({"a": [1]})).names)
    ['a']
    """
    if isinstance(native, Columns | QueryEngine | PartitionEngine):
        return native
    if isinstance(native, pd.DataFrame):
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

    dependencies = nw.dependencies
    if dependencies.is_polars_lazyframe(native):
        from autotype.inference.frames.engines.polars_engine import PolarsEngine

        return PolarsEngine(native)
    if dependencies.is_duckdb_relation(native):
        from autotype.inference.frames.engines.duckdb_engine import DuckDBEngine

        return DuckDBEngine(native)
    if dependencies.is_ibis_table(native):
        from autotype.inference.frames.engines.ibis_engine import IbisEngine

        return IbisEngine(native)
    if dependencies.is_pyspark_dataframe(native) or dependencies.is_pyspark_connect_dataframe(
        native
    ):
        from autotype.inference.frames.engines.spark_engine import SparkEngine

        return SparkEngine(native)
    if dependencies.is_dask_dataframe(native):
        from autotype.inference.frames.engines.partition_engine import dask_engine

        return dask_engine(native)
    if type(native).__module__.startswith("pyarrow.") and hasattr(native, "to_batches"):
        import pyarrow.dataset

        from autotype.inference.frames.engines.partition_engine import dataset_engine

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
        remedy = "its to_frame()" if hasattr(native, "to_frame") else "pandas.DataFrame"
        raise TypeError(
            f"expected a frame of pandas, polars, pyarrow, DuckDB, Dask, PySpark or Ibis, got "
            f"{got}; convert it first with {remedy}"
        ) from None

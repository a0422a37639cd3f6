"""Infer whether a discrete column is ordinal or categorical, and the order of its levels.

Functions of a frame, also methods of ``df.ordinal``, which ``import autotype`` registers:

- `infer_types` returns a `TypeReport`, a mapping from column name to `ColumnType`;
- `read_table` reads a file as it was published, for `infer_types`;
- `apply_types` casts to ordered and unordered Categoricals, `write_table` writes them to a file;
- `to_schema` makes a pandera schema of the types, `validate` checks later frames against it;
- `fit` fits a model that suits a column;
- `plot` draws a column.

Transformers of frames: `OrdinalTyper` casts columns by their types, `OrdinalFrameEncoder` encodes
them as features.

`models` holds the estimators for ordinal targets, `metrics` their scores, `errors` the errors to
catch, `plots` all plots, and `judges` second opinions on labels by language models.

Frames may be of pandas, polars, pyarrow, DuckDB, Dask, PySpark or Ibis; ``import autotype.polars``
registers ``ordinal`` on the frames of polars.

Public are the names of ``autotype.__all__``, the modules `autotype.errors`, `autotype.judges`,
`autotype.metrics`, `autotype.models`, `autotype.plots`, `autotype.polars` and
`autotype.pandera_checks`, ``df.ordinal`` and the command line. Everything else may change without
notice.
"""

from __future__ import annotations

import sys as _sys
from typing import TYPE_CHECKING

# First, for its error where the package is not installed: pandas may be missing there, too.
import autotype.inference.evidence as _evidence

# isort: split
from autotype import accessor as _accessor
from autotype._version import __version__ as __version__
from autotype.lazy_names import loader as _loader
from autotype.type_report import TypeReport, infer_types
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning

if TYPE_CHECKING:
    from autotype import errors, judges, metrics, models, plots
    from autotype.fitting.column_model import fit
    from autotype.fitting.frame_encoder import OrdinalFrameEncoder
    from autotype.fitting.typer import OrdinalTyper
    from autotype.inference.frames.apply_types import apply_types
    from autotype.plots import plot
    from autotype.schema.build import to_schema
    from autotype.schema.validate import validate
    from autotype.schema.yaml_io import read_schema, write_schema
    from autotype.tables.codebooks.codebook import Codebook
    from autotype.tables.published_file import read_table
    from autotype.tables.table import Table
    from autotype.tables.table_output import write_table

# Names loaded on first use, by module: importing them costs scikit-learn, pandera or more.
_LAZY = {
    "Codebook": "tables.codebooks.codebook",
    "OrdinalFrameEncoder": "fitting.frame_encoder",
    "OrdinalTyper": "fitting.typer",
    "Table": "tables.table",
    "apply_types": "inference.frames.apply_types",
    "fit": "fitting.column_model",
    "plot": "plots",
    "read_schema": "schema.yaml_io",
    "read_table": "tables.published_file",
    "to_schema": "schema.build",
    "validate": "schema.validate",
    "write_schema": "schema.yaml_io",
    "write_table": "tables.table_output",
    **{name: name for name in ("errors", "judges", "metrics", "models", "plots")},
}
__all__ = sorted([*_LAZY, "ColumnType", "DataWarning", "TypeReport", "infer_types"])
__getattr__ = _loader(__name__, _LAZY)


if "polars" in _sys.modules:
    import autotype.polars as _polars


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

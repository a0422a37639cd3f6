"""Keep a codebook in the metadata of Parquet, and tagged missing values among numbers.

Parquet has no column of numbers and strings. One of numbers and tags such as ".a" is stored as
strings, and its name beside the codebook, so that it is read as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any

import pandas as pd

from autotype.tables.columns import with_changed
from autotype.tables.table import Opener
from autotype.types.codebook import Codebook
from autotype.wording import format_level

_KEY = b"autotype.codebook"
_TAGGED = "tagged"
_TAG = re.compile(r"\.[a-zA-Z_]")


def tags_as_strings(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return a frame whose columns of numbers and tags are strings, and the names of these."""
    columns = (frame.iloc[:, j] for j in range(frame.shape[1]))
    tagged = [str(values.name) for values in columns if _is_tagged(values)]
    return _with_levels(frame, tagged, format_level), tagged


def with_tags(frame: pd.DataFrame, tagged: Collection[str]) -> pd.DataFrame:
    """Return a frame with the numbers among tags that `tags_as_strings` made strings."""
    from autotype.tables.codebooks.dictionary import as_value

    return _with_levels(frame, tagged, as_value)


def _is_tagged(values: pd.Series) -> bool:
    levels = values.cat.categories if isinstance(values.dtype, pd.CategoricalDtype) else values
    if levels.dtype != object:
        return False
    held = levels.dropna().tolist()
    strings = [v for v in held if isinstance(v, str)]
    numbers = [v for v in held if isinstance(v, int | float) and not isinstance(v, bool)]
    are_all = len(strings) + len(numbers) == len(held)
    return bool(strings and numbers) and are_all and all(map(_TAG.fullmatch, strings))


def _with_levels(
    frame: pd.DataFrame, names: Collection[str], change: Callable[[Any], Any]
) -> pd.DataFrame:
    """Return a frame with changed values in some columns, in their order in Categoricals."""

    def changed(name: Any, values: pd.Series) -> pd.Series:
        if str(name) not in names:
            return values
        if isinstance(values.dtype, pd.CategoricalDtype):
            return values.cat.rename_categories([change(v) for v in values.cat.categories])
        return values.astype(object).map(change, na_action="ignore")

    return with_changed(frame, changed)


def with_stored_codebook(table: Any, codebook: Codebook, tagged: Collection[str]) -> Any:
    """Return an Arrow table with a codebook and the names of tagged columns in its metadata."""
    if not codebook.columns and not tagged:
        return table
    # Most tables have no codebook, and are read and written sooner without its readers.
    from autotype.tables.codebooks.json_codebook import as_json_codebook

    note = as_json_codebook(codebook) | {_TAGGED: list(tagged)}
    metadata = {**(table.schema.metadata or {}), _KEY: json.dumps(note).encode()}
    return table.replace_schema_metadata(metadata)


def read_stored_codebook(opened: Opener) -> tuple[Codebook, list[str]]:
    """Return what `with_stored_codebook` put into a Parquet file.

    What is damaged is not used, and the codebook says so.
    """
    from pyarrow import parquet

    with opened() as file:
        note = (parquet.read_schema(file).metadata or {}).get(_KEY)
    if note is None:
        return Codebook(), []
    from autotype.tables.codebooks.json_codebook import read_json_codebook

    try:
        plain = json.loads(note)
        return read_json_codebook(plain) or Codebook(), list(map(str, plain[_TAGGED]))
    except (ValueError, TypeError, LookupError, RecursionError):
        return Codebook(doubts=("the codebook in the metadata of Parquet is damaged",)), []

"""Weight the proportions of the levels, and suggest a column of survey weights."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from dataclasses import replace

import numpy as np

from autotype.errors import WeightsError
from autotype.inference.column import Column, FrameSample
from autotype.inference.frames.columns import Columns
from autotype.inference.frames.engines.engine import Engine
from autotype.inference.frames.weights import check_weights, weigh_columns, weighted_shares
from autotype.inference.options import positions_of
from autotype.lexicon.toml_files import read_toml
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning
from autotype.wording import format_count

_NEAR_ONE = (0.5, 2.0)  # the mean of survey weights that are scaled to the rows
_NO_LETTERS = re.compile(r"[\W_]+")


def read_weights(table: Columns | Engine, sample: FrameSample, name: Hashable) -> Column:
    """Find and check a column of weights.

    Raises
    ------
    UnknownColumnError
        If the table does not hold it.
    WeightsError
        If several columns have the name, or it holds something else than numbers from 0 up.
    """
    places = positions_of(sample.names, (name,), option="weights")
    if len(places) > 1:
        raise WeightsError(f"weights: {len(places)} columns are called {name!r}; rename them")
    column = sample.columns[places[0]]
    check_weights(table, column.position, column.values)
    return copy(column)  # values of the column itself may be set aside as missing


def with_weights(
    found: Sequence[ColumnType],
    columns: Sequence[Column],
    table: Columns | Engine,
    weights: Column | None,
    *,
    suggest: bool,
) -> tuple[list[ColumnType], list[DataWarning]]:
    """Return the types with weighted proportions, and warnings on the weights.

    Parameters
    ----------
    found : sequence of ColumnType
        The types of the columns.
    columns : sequence of Column
        The columns.
    table : Columns or Engine
        The table.
    weights : Column or None
        The weights of its rows; None if the user gave none.
    suggest : bool
        Whether to name a column that looks like weights if there are none.
    """
    if weights is None:
        return list(found), list(_suggestions(columns)) if suggest else []
    listed = [k for k, column in enumerate(found) if column.levels]
    weighed = list(found)
    every = weigh_columns(table, weights.position, [columns[k].position for k in listed])
    for k, sums in zip(listed, every, strict=True):
        shares, n_effective = weighted_shares(sums, list(found[k].levels))
        weighed[k] = replace(found[k], weighted_shares=shares, n_effective=n_effective)
    if not weights.n_missing:
        return weighed, []
    rows = format_count(weights.n_missing, "row")
    message = f"{rows} without a weight in {weights.name!r} count nothing in weighted proportions"
    return weighed, [DataWarning("weights", message, "fill them, or remove the rows", weights.name)]


def _suggestions(columns: Sequence[Column]) -> Iterator[DataWarning]:
    """Yield a hint for the first column that looks like survey weights."""
    for column in columns:
        if _looks_like_weights(column):
            yield DataWarning(
                "weights",
                f"{column.name!r} looks like survey weights, and the proportions are not weighted",
                f"pass weights={column.name!r} (--weights) to weight them",
                column.name,
            )
            return


def _looks_like_weights(column: Column) -> bool:
    """Check for positive numbers with fractions, called weights."""
    label = "" if column.entry is None else column.entry.label
    folded = [_NO_LETTERS.sub(" ", str(t)).strip().casefold() for t in (column.name, label)]
    texts = [re.sub(r" ?\d+$", "", text) for text in folded]
    words = read_toml("weights")
    is_sure = any(f" {word} " in f" {text} " for text in texts for word in words["sure"])
    if not is_sure and texts[0] not in words["usual"] and texts[1] not in words["usual"]:
        return False
    numbers = column.numbers
    if numbers is None and column.values.dtype.kind == "f":
        numbers = column.values.to_numpy()
    present = np.empty(0) if numbers is None else numbers[np.isfinite(numbers)]
    if not len(present) or present.min() < 0 or np.all(present == np.floor(present)):
        return False
    return is_sure or _NEAR_ONE[0] <= present.mean() <= _NEAR_ONE[1]

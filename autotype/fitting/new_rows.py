"""Check the rows that a column's model is to predict against those of its fit.

The encoder treats what it cannot read as missing, because real tables hold such values and a fit
should not fail for them. In new rows the same leniency would turn an error in the data, such as
two exchanged columns, into a prediction that looks fine. So a value that cannot be read is an error
there, unless the feature held such values in the fit, too.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autotype.errors import UnknownColumnError
from autotype.fitting.encoder import as_labels, as_numbers, kind_of
from autotype.fitting.frame_transformer import find_column
from autotype.lexicon.dates import days_of, is_day_first
from autotype.lexicon.numbers import MISSING_NUMBERS
from autotype.types.arrow_array import with_plain_missing
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.wording import did_you_mean, format_level, format_some, format_value

_OF_LEVELS = ("ranks", "labels")


@dataclass(frozen=True)
class Feature:
    """What a feature held in the fit.

    Attributes
    ----------
    name : hashable
        Its column.
    kind : str
        What it is read as, see `encoder.kind_of`.
    levels : frozenset of str
        Its levels as strings.
    held_unreadable : bool
        Whether the fit held values that are neither missing nor readable as the kind.
    numeric : bool
        Whether the column was stored as numbers.
    day_first : bool
        Whether its dates begin with the day.
    """

    name: Hashable
    kind: str
    levels: frozenset[str]
    held_unreadable: bool
    numeric: bool
    day_first: bool


def read_features(frame: pd.DataFrame, types: ColumnTypes, *, text: bool) -> list[Feature]:
    """Describe the features that the encoder of these types uses.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows of the fit.
    types : TypeReport
        The types of the features.
    text : bool
        Whether free text is encoded.

    Raises
    ------
    UnknownColumnError
        If the frame lacks a feature.
    ValueError
        If it holds one twice.
    """
    features = []
    for column in types.columns:
        kind = kind_of(column)
        if kind in ("", "identifiers") or (kind == "texts" and not text):
            continue
        values = with_plain_missing(find_column(frame, column.name))
        day_first = kind == "dates" and is_day_first(values)
        features.append(
            Feature(
                column.name,
                kind,
                _levels(values, column) if kind in _OF_LEVELS else frozenset(),
                bool(_unreadable(values, kind, day_first).any()),
                pd.api.types.is_numeric_dtype(values),
                day_first,
            )
        )
    return features


def check_new_rows(frame: Any, features: list[Feature], *, stacklevel: int) -> None:
    """Raise or warn where new rows hold what the fit did not.

    Parameters
    ----------
    frame : pandas.DataFrame
        The new rows.
    features : list of Feature
        The features of the fit.
    stacklevel : int
        As of `warnings.warn`, counted from the caller of this function.

    Raises
    ------
    TypeError
        If it is no frame.
    UnknownColumnError
        If it lacks a feature.
    ValueError
        If it holds a feature twice, or values that are not of the feature's kind.

    Warns
    -----
    UserWarning
        If it holds levels that the fit did not.
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"a pandas.DataFrame with the columns {format_some([f.name for f in features])} is "
            f"needed, got {type(frame).__name__}"
        )
    lacking = [feature.name for feature in features if feature.name not in frame.columns]
    if lacking:
        hint = did_you_mean(lacking[0], frame.columns)
        raise UnknownColumnError(
            f"the frame lacks {len(lacking)} of the model's {len(features)} features: "
            f"{format_some(lacking)}{hint}"
        )
    for feature in features:
        values = with_plain_missing(find_column(frame, feature.name))
        if len(frame) == 0:
            continue
        if feature.kind in _OF_LEVELS:
            warn_of_unseen(values, feature.name, feature.levels, stacklevel=stacklevel + 1)
        elif feature.kind in ("numbers", "dates"):
            _refuse_unreadable(values, feature)


def _levels(values: pd.Series, column: ColumnType) -> frozenset[str]:
    levels = column.level_set
    stated = levels.categories if levels is not None and levels.ordered else ()
    return frozenset({*_labels(values).dropna(), *map(format_level, stated)})


def _labels(values: pd.Series) -> pd.Series:
    return as_labels(values.to_frame()).iloc[:, 0]


def _unreadable(values: pd.Series, kind: str, day_first: bool) -> np.ndarray:
    """Mask the values that are neither missing nor of the kind: shape (n,)."""
    if kind not in ("numbers", "dates"):
        return np.zeros(len(values), dtype=bool)
    texts = values.astype(object)  # Arrow compares dates with no text
    present = ~(values.isna() | texts.isin(MISSING_NUMBERS)).to_numpy(dtype=bool)
    present &= [not (isinstance(value, str) and not value.strip()) for value in values]
    if kind == "numbers":
        if values.dtype.kind in "mMc":
            return present
        read = as_numbers(values.to_frame()).iloc[:, 0]
    else:
        read = days_of(values, day_first=day_first)
    return present & read.isna().to_numpy()


def _refuse_unreadable(values: pd.Series, feature: Feature) -> None:
    expected = "a number below 1e150 in magnitude" if feature.kind == "numbers" else "a date"
    if feature.kind == "dates" and feature.numeric != pd.api.types.is_numeric_dtype(values):
        stored = "numbers" if feature.numeric else "dates or strings"
        raise ValueError(
            f"feature {feature.name!r} has the dtype {values.dtype}, but the fit read its dates "
            f"from {stored}; convert it as in the frame of the fit"
        )
    if feature.held_unreadable:
        return
    wrong = np.flatnonzero(_unreadable(values, feature.kind, feature.day_first))
    if len(wrong):
        row, value = values.index[wrong[:1]].tolist()[0], values.iloc[wrong[:1]].tolist()[0]
        more = f" (and {len(wrong) - 1} more rows)" if len(wrong) > 1 else ""
        raise ValueError(
            f"feature {feature.name!r} holds {format_value(value)} at row {row!r}{more}, but has "
            f"to be {expected}, as all of its values were in the fit; correct it, or make it "
            "missing"
        )


def known_levels(frame: pd.DataFrame, columns: Iterable[ColumnType]) -> dict[Hashable, frozenset]:
    """Return the levels of each column of levels, those of its type and those in the rows."""
    return {
        column.name: _levels(frame[column.name], column) | set(map(format_level, column.levels))
        for column in columns
        if kind_of(column) in _OF_LEVELS
    }


@contextmanager
def without_warnings_of_unseen() -> Iterator[None]:
    """Do not warn of levels that a part of the rows lacks, such as the training rows of a fold."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "feature .* holds levels that the fit did not")
        yield


def warn_of_unseen(
    values: pd.Series, name: Hashable, levels: Collection[str], *, stacklevel: int
) -> None:
    """Warn if a feature holds other levels; `stacklevel` counts from the caller."""
    labels = _labels(with_plain_missing(values))
    unseen = labels[labels.notna() & ~labels.isin(levels)]
    if len(unseen):
        row = unseen.index[:1].tolist()[0]
        warnings.warn(
            f"feature {name!r} holds levels that the fit did not, the first at row "
            f"{row!r}: {format_some(unseen.unique().tolist())}; they are treated as missing, the "
            f"known levels are {format_some(sorted(levels))}",
            stacklevel=stacklevel + 1,
        )

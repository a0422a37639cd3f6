"""Profile a column from its sample: examples, frequent values, and a histogram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from autotype.column_profile import ColumnProfile
from autotype.inference.sampled_column import SampledColumn
from autotype.inference.triage import Triage
from autotype.parsing.dates import days_of
from autotype.wording import format_level

_N_EXAMPLES = 4
_N_COMMON = 5
_N_BINS = 20
_LONGEST = 60  # characters of a value
_MIDNIGHT = " 00:00:00"


def profile_column(column: SampledColumn, kind: Triage, *, are_listed: bool) -> ColumnProfile:
    """Profile a column; the order of the rows changes nothing.

    Parameters
    ----------
    column : SampledColumn
    kind : Triage
        The result of the rules, with the numbers of a column of numbers.
    are_listed : bool
        Whether the report lists the levels with their counts; more is then not needed.

    Returns
    -------
    ColumnProfile
        Only the missing values, if the levels are listed or the cells cannot be compared.
    """
    values = column.values.iloc[column.rows]
    present = values.notna().to_numpy(dtype=bool)
    if are_listed or not column.hashable or not present.any():
        return ColumnProfile(column.n_missing)
    try:
        texts = [_text(value) for value in values[present].astype(object)]
    except Exception:  # whatever a class of the user raises
        return ColumnProfile(column.n_missing)
    numbers = _numbers(column, kind)
    if numbers is not None:
        numbers = numbers[present]
        is_finite = np.isfinite(numbers)
        if np.unique(numbers[is_finite]).size > 1:
            known = np.flatnonzero(is_finite)
            pairs = sorted((float(numbers[k]), texts[k]) for k in known)
            return _of_numbers(column.n_missing, *map(list, zip(*pairs, strict=True)))
    counts = Counter(texts)
    by_count = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ColumnProfile(
        column.n_missing,
        examples=_spread(sorted(counts)),
        common=tuple(item for item in by_count[:_N_COMMON] if item[1] > 1),
    )


def _numbers(column: SampledColumn, kind: Triage) -> np.ndarray | None:
    """Return the positions of the sampled values on an axis, if they are numbers or dates."""
    if kind.numbers is not None:
        return kind.numbers[column.rows]
    if kind.semantic_type != "datetime":
        return None
    try:
        return days_of(column.values.iloc[column.rows]).to_numpy()
    except Exception:  # dates beyond what pandas holds
        return None


def _of_numbers(n_missing: int, numbers: Sequence[float], texts: Sequence[str]) -> ColumnProfile:
    """Return the profile of increasing numbers and their texts."""
    low, high = numbers[0], numbers[-1]
    # In halves, as the range of floats of both signs is no float.
    places = (np.asarray(numbers) / 2 - low / 2) / (high / 2 - low / 2)
    bins = np.bincount(np.minimum(places * _N_BINS, _N_BINS - 1).astype(int), minlength=_N_BINS)
    return ColumnProfile(
        n_missing,
        examples=_spread(list(dict.fromkeys(texts))),
        histogram=tuple(bins.tolist()),
        low=texts[0],
        high=texts[-1],
    )


def _spread(texts: Sequence[str]) -> tuple[str, ...]:
    """Choose a few texts, evenly spread, without the two ends of a long list.

    Examples
    --------
    >>> _spread("abc"), _spread("abcdefghi")
    (('a', 'b', 'c'), ('b', 'd', 'f', 'h'))
    """
    if len(texts) <= _N_EXAMPLES:
        return tuple(texts)
    return tuple(texts[int((k + 0.5) * len(texts) / _N_EXAMPLES)] for k in range(_N_EXAMPLES))


def _text(value: Any) -> str:
    text = format_level(value).removesuffix(_MIDNIGHT)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."

"""Other tools that type columns; each is imported when it is used."""

from __future__ import annotations

import pandas as pd
from answers import Answer, answer_of
from labelled_frames import LabelledFrame

SKRUB_LEVELS = 40  # default of TableVectorizer's cardinality_threshold


def skrub(frame: LabelledFrame) -> dict[str, Answer]:
    """Read the dtypes that skrub's `Cleaner` gives.

    A text of at most `SKRUB_LEVELS` levels is a category, as in its `TableVectorizer`.
    """
    from skrub import Cleaner

    cleaned = Cleaner().fit_transform(frame.data)
    answers = {}
    for name in frame.labels["column"]:
        values = cleaned[name] if name in cleaned else frame.data[name]
        answers[name] = answer_of(_dtype_kind(values, most_levels=SKRUB_LEVELS), frame.data[name])
    return answers


def woodwork(frame: LabelledFrame) -> dict[str, Answer]:
    """Read woodwork's logical types."""
    import woodwork  # noqa: F401  registers frame.ww

    kinds = {"Ordinal": "ordered", "Categorical": "category", "Boolean": "category"}
    numbers = ("Integer", "Double", "IntegerNullable", "Age", "AgeNullable", "AgeFractional")
    kinds |= dict.fromkeys(numbers, "number")
    data = frame.data.copy()
    data.ww.init()
    types = data.ww.logical_types
    return {
        name: answer_of(kinds.get(type(types[name]).__name__, "text"), frame.data[name])
        for name in frame.labels["column"]
    }


def visions(frame: LabelledFrame) -> dict[str, Answer]:
    """Read the types of visions' `CompleteSet`."""
    from visions.typesets import CompleteSet

    kinds = {"Ordinal": "ordered", "Categorical": "category", "Boolean": "category"}
    kinds |= dict.fromkeys(("Integer", "Float", "Count", "Numeric", "Complex"), "number")
    return _by_typeset(CompleteSet(), frame, kinds)


def ydata_profiling(frame: LabelledFrame) -> dict[str, Answer]:
    """Read the types of ydata-profiling's typeset with its default settings."""
    from ydata_profiling.config import Settings
    from ydata_profiling.model.typeset import ProfilingTypeSet

    kinds = {"Categorical": "category", "Boolean": "category", "Numeric": "number"}
    return _by_typeset(ProfilingTypeSet(Settings()), frame, kinds)


def sortinghat(frame: LabelledFrame) -> dict[str, Answer]:
    """Read the types of SortingHat's published random forest (Shah et al., 2021).

    It knows nine types, none of them ordinal: numbers and categories are read, the others count as
    text.
    """
    from sortinghatinf import get_sortinghat_types

    kinds = {"categorical": "category", "numeric": "number"}
    names = list(frame.labels["column"])
    types = get_sortinghat_types(frame.data[names])
    return {
        name: answer_of(kinds.get(found, "text"), frame.data[name])
        for name, found in zip(names, types, strict=True)
    }


def _by_typeset(typeset, frame: LabelledFrame, kinds: dict[str, str]) -> dict[str, Answer]:
    answers = {}
    for name in frame.labels["column"]:
        found = typeset.infer_type(frame.data[name])
        answers[name] = answer_of(kinds.get(str(found), "text"), frame.data[name])
    return answers


def _dtype_kind(values: pd.Series, *, most_levels: int) -> str:
    if isinstance(values.dtype, pd.CategoricalDtype):
        return "ordered" if values.dtype.ordered else "category"
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        return "number"
    return "category" if values.nunique() <= most_levels else "text"

"""Encode a frame's columns as features of a model, each by its semantic type."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler

from autotype.column_type import ColumnType, name_list
from autotype.export.json_values import is_unicode
from autotype.frames.as_pandas import as_pandas
from autotype.parsing.dates import days_of, is_day_first
from autotype.parsing.missing import with_plain_missing
from autotype.parsing.numbers import amounts_of
from autotype.wording import format_level

if TYPE_CHECKING:
    from autotype.type_report import TypeReport

_MAX_INDICATORS = 30  # indicators of a column; its rarer levels share one
_MAX_NUMBER = 1e150  # its square is finite
_WHAT = "the encoder"
NUMBERS = ("continuous", "count")
NAMES = ("categorical", "binary", "undetermined")


def make_encoder(
    types: TypeReport,
    *,
    exclude: Hashable | Sequence[Hashable] = (),
    scale: bool = True,
    text: Literal["drop", "tfidf"] = "drop",
) -> ColumnTransformer:
    """Make a transformer that encodes each column by its semantic type.

    Parameters
    ----------
    types : TypeReport
        Types of the frame's columns. Columns absent from it are dropped.
    exclude : column name or sequence of them
        Columns to leave out, for instance the target.
    scale : bool
        Whether to standardise numbers and ranks.
    text : {"drop", "tfidf"}
        Whether to drop free text, or to weight its words and pairs of words (sparse output, so not
        for ``set_output(transform="pandas")``).

    Returns
    -------
    sklearn.compose.ColumnTransformer
        Unfitted. Ordinal columns become ranks from 0 (lowest), with levels off the scale and
        unseen ones missing; categorical, binary and undetermined ones indicators, all zero for
        unseen levels; numbers stay; dates become days since 1970. Missing values are imputed by
        the median, with an indicator if there are any. Identifiers and constants are
        dropped.

    Raises
    ------
    ValueError
        If the names of the columns are not text, hold lone surrogates, or are not unique.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 5})
    >>> encoder = autotype.infer_types(frame).make_encoder(scale=False)
    >>> encoder.set_output(transform="pandas").fit_transform(frame)["size"].tolist()[:4]
    [0.0, 1.0, 2.0, 3.0]
    """
    if text not in ("drop", "tfidf"):
        raise ValueError(f"text must be 'drop' or 'tfidf', got {text!r}")
    no_columns = isinstance(exclude, tuple) and not exclude  # a column may be named ()
    excluded = set() if no_columns else set(name_list(exclude, types))
    columns = [column for column in types.columns if column.name not in excluded]
    _check_names(columns)
    return ColumnTransformer(
        list(_transformers(columns, scale, text)), verbose_feature_names_out=False
    )


def _check_names(columns: Sequence[ColumnType]) -> None:
    names = [column.name for column in columns]
    others = [name for name in names if not isinstance(name, str)]
    if others:
        raise ValueError(
            f"the encoder selects columns by name, and {others[0]!r} is not text; "
            "rename the columns: frame.columns = frame.columns.map(str)"
        )
    lone = [name for name in names if not is_unicode(str(name))]
    if lone:
        raise ValueError(
            f"the encoder selects columns by name, and {lone[0]!r} holds half of a character (a "
            "lone surrogate), which scikit-learn cannot look up; rename the column"
        )
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"the frame holds several columns {repeated[0]!r}; rename them")


def _transformers(
    columns: Sequence[ColumnType], scale: bool, text: str
) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, transformer and columns for each kind of column present."""

    def named(*kinds: str) -> list:
        return [column.name for column in columns if column.semantic_type in kinds]

    ordinal = [c for c in columns if c.semantic_type == "ordinal" and c.order is not None]
    if ordinal:
        # 1 and "1" are one label, as in `as_labels`
        orders = [list(dict.fromkeys(map(format_level, c.order or ()))) for c in ordinal]
        encoder = OrdinalEncoder(
            categories=orders,
            handle_unknown="use_encoded_value",
            unknown_value=np.nan,
            encoded_missing_value=np.nan,
        )
        steps = [_function(as_labels), encoder, *_as_features(scale)]
        yield "ranks", make_pipeline(*steps), [column.name for column in ordinal]
    if named(*NAMES):
        encoder = OneHotEncoder(
            handle_unknown="ignore",
            max_categories=_MAX_INDICATORS,
            sparse_output=False,
        )
        yield "indicators", make_pipeline(_function(as_labels), encoder), named(*NAMES)
    if named(*NUMBERS):
        yield "numbers", _pipeline(as_numbers, scale), named(*NUMBERS)
    if named("datetime"):
        steps = [DayEncoder(), *_as_features(scale)]
        yield "dates", make_pipeline(*steps), named("datetime")
    if text == "tfidf":
        for name in named("text"):
            words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2)
            yield f"words of {name}", make_pipeline(_function(as_texts, None), words), name


def _pipeline(function: Callable[[Any], Any], scale: bool) -> Pipeline:
    return make_pipeline(_function(function), *_as_features(scale))


def _function(
    function: Callable[[Any], Any], names: str | None = "one-to-one"
) -> FunctionTransformer:
    return FunctionTransformer(function, feature_names_out=names)


def _as_features(scale: bool) -> list:
    imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    return [imputer, StandardScaler()] if scale else [imputer]


def as_labels(frame: Any) -> pd.DataFrame:
    """Convert levels to text, the same for 3, 3.0 and a categorical 3; missing ones to None."""

    def labels_of(column: pd.Series) -> pd.Series:
        cells = _cells(column)
        labels = [None if missing else format_level(value) for value, missing in cells]
        return pd.Series(labels, index=column.index, dtype=object)

    return as_pandas(frame, _WHAT).apply(labels_of)


def as_numbers(frame: Any) -> pd.DataFrame:
    """Convert columns to floats; numbers whose square is infinite become missing, as texts do."""
    numbers = as_pandas(frame, _WHAT).apply(amounts_of)
    return numbers.where(lambda values: values.abs() < _MAX_NUMBER)


class DayEncoder(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Transformer of dates to days since 1970 as floats; values other than dates are missing.

    Attributes
    ----------
    day_first_ : dict
        Column -> whether its texts begin with the day, which new rows may leave open: "3/2/2024".
    """

    def fit(self, frame: Any, y: Any = None) -> DayEncoder:
        """Detect whether each column's dates begin with the day."""
        frame = as_pandas(frame, _WHAT)
        self.n_features_in_ = frame.shape[1]
        self.feature_names_in_ = frame.columns.to_numpy(dtype=object)
        self.day_first_ = {name: is_day_first(frame[name]) for name in frame.columns}
        return self

    def transform(self, frame: Any) -> pd.DataFrame:
        """Return the days of each column."""
        frame = as_pandas(frame, _WHAT)
        columns = {
            name: days_of(frame[name], day_first=first) for name, first in self.day_first_.items()
        }
        return pd.DataFrame(columns, index=frame.index)


def as_texts(column: Any) -> list[str]:
    """Return the texts of one column, a Series of pandas or polars; missing ones are empty."""
    if not isinstance(column, pd.Series):
        column = pd.Series(column.to_list(), dtype=object)
    return ["" if missing else str(value) for value, missing in _cells(column)]


def _cells(column: pd.Series) -> Iterator[tuple[Any, bool]]:
    """Yield each value and whether it is missing."""
    column = with_plain_missing(column)
    return zip(column.astype(object), column.isna(), strict=True)

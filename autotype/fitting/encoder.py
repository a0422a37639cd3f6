"""Encode a frame's columns as features of a model, each by its semantic type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.utils.validation import _check_feature_names_in, validate_data

from autotype.inference.frames.as_pandas import as_pandas
from autotype.lexicon.dates import days_of, is_day_first
from autotype.lexicon.numbers import amounts_of
from autotype.types.arrow_array import with_plain_missing
from autotype.types.codec.json_values import is_unicode
from autotype.types.column_type import NUMBERS, ColumnType
from autotype.wording import format_level

_MAX_NUMBER = 1e150  # its square is finite
_WHAT = "the encoder"
_KINDS = {
    **dict.fromkeys(("categorical", "binary", "undetermined", "ordinal"), "labels"),
    **dict.fromkeys(NUMBERS, "numbers"),
    "identifier": "identifiers",
    "datetime": "dates",
    "text": "texts",
}


MAX_ITEMS = 30  # of a column of lists
_N_COMPONENTS = 20  # of a column of strings
DATE_PARTS = ("month", "weekday", "time")
ORDINAL_ENCODINGS = ("ranks", "thresholds", "indicators")
TEXT_ENCODINGS = ("drop", "tfidf")


def column_transformer(
    columns: Sequence[ColumnType],
    *,
    ordinal: str = "ranks",
    max_indicators: int = 30,
    scale: bool = True,
    text: str = "drop",
) -> ColumnTransformer:
    """Make a transformer that encodes each column by its semantic type.

    Parameters
    ----------
    columns : sequence of ColumnType
        The columns, without those to leave out.
    ordinal : {"ranks", "thresholds", "indicators"}
        Encoding of ordinal columns.
    max_indicators : int
        Maximal number of indicators of a categorical column, >= 1.
    scale : bool
        Whether to standardise numbers and ranks.
    text : {"drop", "tfidf"}
        Whether to drop free text, or to weight its words and pairs of words.

    Returns
    -------
    sklearn.compose.ColumnTransformer
        Unfitted; `autotype.OrdinalFrameEncoder` describes its columns.

    Raises
    ------
    ValueError
        If a parameter is not one of its values, or if the names of the columns are not text, hold
        lone surrogates, end in a zero byte, or are not unique.
    """
    for name, value, values in (
        ("ordinal", ordinal, ORDINAL_ENCODINGS),
        ("text", text, TEXT_ENCODINGS),
    ):
        if value not in values:
            raise ValueError(f"{name} must be {' or '.join(map(repr, values))}, got {value!r}")
    if not isinstance(max_indicators, Integral) or max_indicators < 1:
        raise ValueError(f"max_indicators must be an integer >= 1, got {max_indicators!r}")
    _check_names(columns)
    max_indicators = int(max_indicators)
    of = partial(columns_of, columns)
    scales, names = of("ranks"), of("labels")
    if ordinal == "indicators":
        scales, names = [], of("ranks", "labels")
    encode_scales: Any = _rank_encoder(scales), *_as_features(scale)
    if ordinal == "thresholds":
        orders = encode_scales[0].categories
        encode_scales = [_function(thresholds_of, _threshold_names, orders=orders)]
    indicators = OneHotEncoder(
        handle_unknown="ignore", max_categories=max_indicators, sparse_output=False
    )
    steps = {
        "ranks": ([_function(as_labels), *encode_scales], scales),
        "indicators": ([_function(as_labels), indicators], names),
        "numbers": ([_function(as_numbers), *_as_features(scale)], of("numbers")),
        "dates": ([DayEncoder(), *_as_features(scale)], of("dates")),
        "choices": ([_function(are_ticked)], of("choices")),
        "items": ([_item_encoder(of("items"), max_indicators)], of("items")),
    }
    transformers = _pipelines(steps)
    if text == "tfidf":
        transformers += _word_transformers(columns)
    return ColumnTransformer(transformers, verbose_feature_names_out=False)


def _check_names(columns: Sequence[ColumnType]) -> None:
    names = [column.name for column in columns]
    others = [name for name in names if type(name) is not str]  # of NumPy, for scikit-learn
    if others:
        raise ValueError(
            f"the encoder selects columns by name, and {others[0]!r} is not text; "
            "rename the columns: frame.columns = frame.columns.map(str)"
        )
    lost = [name for name in names if not is_unicode(str(name)) or str(name).endswith("\0")]
    if lost:
        held = "ends in a zero byte" if is_unicode(str(lost[0])) else "holds a lone surrogate"
        raise ValueError(
            f"the encoder selects columns by name, and {lost[0]!r} {held}, which scikit-learn "
            "cannot look up; rename the column"
        )
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(f"the frame holds several columns {repeated[0]!r}; rename them")


def _pipelines(
    steps: Mapping[str, tuple[list, Sequence[ColumnType]]],
) -> list[tuple[str, Any, Any]]:
    """Return name, pipeline and columns of each step that has columns."""
    return [
        (name, make_pipeline(*parts), [column.name for column in used])
        for name, (parts, used) in steps.items()
        if used
    ]


def _item_encoder(lists: Sequence[ColumnType], max_items: int) -> FunctionTransformer:
    return _function(
        items_of,
        _item_names,
        separators=[column.evidence["separator"] for column in lists],
        items=[column.evidence["items"][:max_items] for column in lists],
    )


def kind_of(column: ColumnType) -> str:
    """Return what a column is read as, "" if it is no feature.

    An ordinal column is read as ranks if its order is known, and as labels otherwise. A choice is a
    column of a question that holds one level where it is ticked. Items are lists of known ones.
    """
    is_ticked = column.semantic_type in ("binary", "constant")  # the latter in earlier reports
    if is_ticked and column.group and (column.n_levels == 1 or _is_marked(column)):
        return "choices"
    if column.format == "list" and {"separator", "items"} <= column.evidence.keys():
        return "items"
    if column.semantic_type == "ordinal" and column.order is not None:
        return "ranks"
    return _KINDS.get(column.semantic_type, "")


def _is_marked(column: ColumnType) -> bool:
    """Check whether a choice holds 1 where it is ticked, and 0 elsewhere."""
    is_full = column.profile is None or not column.profile.n_missing
    levels = set(map(format_level, column.levels))
    return is_full and levels in ({"0", "1"}, {"False", "True"})


def columns_of(columns: Sequence[ColumnType], *kinds: str) -> list[ColumnType]:
    """Return the columns that are read as one of some kinds."""
    return [column for column in columns if kind_of(column) in kinds]


def typed_transformer(columns: Sequence[ColumnType]) -> ColumnTransformer:
    """Make a transformer that reads each column by its type, and neither scales nor imputes.

    Parameters
    ----------
    columns : sequence of ColumnType
        The columns, without those to leave out.

    Returns
    -------
    sklearn.compose.ColumnTransformer
        Unfitted; it makes a pandas.DataFrame of floats, NaN where missing: numbers, ranks, parts of
        dates, components of texts, and codes of labels, -1 for those that `fit` did not see; and
        the texts as strings.

    Raises
    ------
    ValueError
        As of `column_transformer`.
    """
    _check_names(columns)
    of = partial(columns_of, columns)
    steps = {
        "ranks": ([_function(as_labels), _rank_encoder(of("ranks"))], of("ranks")),
        "labels": ([_function(_labels_or_nan), _code_encoder()], of("labels", "identifiers")),
        "numbers": ([_function(as_numbers)], of("numbers")),
        "dates": ([DayEncoder(parts=True)], of("dates")),
        "texts": ([TextComponents()], of("texts")),
        "choices": ([_function(are_ticked)], of("choices")),
        "items": ([_item_encoder(of("items"), MAX_ITEMS)], of("items")),
    }
    transformer = ColumnTransformer(_pipelines(steps), verbose_feature_names_out=False)
    return transformer.set_output(transform="pandas")


def _code_encoder(unknown: float = -1, orders: Any = "auto") -> OrdinalEncoder:
    """Make the encoder of labels as codes; missing ones become NaN, unknown ones as stated."""
    return OrdinalEncoder(
        categories=orders,
        handle_unknown="use_encoded_value",
        unknown_value=unknown,
        encoded_missing_value=np.nan,
    )


def _rank_encoder(columns: Sequence[ColumnType]) -> OrdinalEncoder:
    """Make the encoder of ordered labels as ranks; missing and unknown ones become NaN."""
    # 1 and "1" are one label, as in `as_labels`
    orders = [list(dict.fromkeys(map(format_level, c.order or ()))) for c in columns]
    return _code_encoder(np.nan, orders)


def _word_transformers(columns: Sequence[ColumnType]) -> list[tuple[str, Any, Any]]:
    transformers: list[tuple[str, Any, Any]] = []
    for column in columns_of(columns, "texts"):
        words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=2)
        pipeline = make_pipeline(_function(as_texts, _same_names), words)
        name = f"words of {column.name}"
        if "__" in name:  # which scikit-learn keeps for parameters
            name = f"words of column {len(transformers)}"
        transformers.append((name, pipeline, column.name))
    return transformers


def _function(
    function: Callable[..., Any], names: Any = "one-to-one", **parameters: Any
) -> FunctionTransformer:
    return FunctionTransformer(function, feature_names_out=names, kw_args=parameters or None)


def _same_names(_: FunctionTransformer, names: Sequence[str]) -> Sequence[str]:
    return names


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


def _labels_or_nan(frame: Any) -> pd.DataFrame:
    """Convert levels to text as `as_labels` does, missing ones to NaN, as encoders of codes ask."""
    labels = as_labels(frame)
    return labels.where(labels.notna(), np.nan)


def thresholds_of(labels: pd.DataFrame, orders: Sequence[Sequence[str]]) -> np.ndarray:
    """Compare labels with each level of their scale but the lowest.

    Parameters
    ----------
    labels : pandas.DataFrame of shape (n_samples, n_columns)
        Labels of `as_labels`.
    orders : sequence of sequence of str
        Levels of each column, lowest first.

    Returns
    -------
    ndarray of shape (n_samples, n_thresholds)
        1 where a label is at least the level, else 0, as for a missing label, a level off the scale
        or an unseen one.

    Examples
    --------
    >>> thresholds_of(pd.DataFrame({"size": ["S", "L", None]}), [["S", "M", "L"]]).tolist()
    [[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    """
    blocks = [np.empty((len(labels), 0))]
    for j, order in enumerate(orders):
        ranks = labels.iloc[:, j].map({label: rank for rank, label in enumerate(order)})
        ranks = ranks.to_numpy(dtype=float, na_value=-1)
        blocks.append((ranks[:, None] >= np.arange(1, len(order))).astype(float))
    return np.hstack(blocks)


def _threshold_names(transformer: FunctionTransformer, names: Sequence[str]) -> list[str]:
    orders = transformer.kw_args["orders"]
    return [
        f"{name}>={level}" for name, order in zip(names, orders, strict=True) for level in order[1:]
    ]


def are_ticked(frame: Any) -> np.ndarray:
    """Return 1.0 where a choice is ticked, 0.0 where its cell is missing, 0 or false."""
    cells = as_labels(frame)
    return (cells.notna() & ~cells.isin(["0", "False"])).to_numpy(dtype=float)


def items_of(frame: Any, separators: Sequence[str], items: Sequence[Sequence[str]]) -> np.ndarray:
    """Return an indicator of each item of columns of lists.

    Parameters
    ----------
    frame : frame of shape (n_samples, n_columns)
        Strings.
    separators : sequence of str
        What separates the items of each column.
    items : sequence of sequence of str
        The items of each column; others are ignored.

    Returns
    -------
    ndarray of shape (n_samples, n_items)
        1 where a cell holds the item, else 0, as in a missing cell.

    Examples
    --------
    >>> ways = pd.DataFrame({"way": ["Bus;Bike", "Bus", None]})
    >>> items_of(ways, [";"], [["Bus", "Bike"]]).tolist()
    [[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]
    """
    frame = as_pandas(frame, _WHAT)
    blocks = [np.empty((len(frame), 0))]
    for j, (separator, listed) in enumerate(zip(separators, items, strict=True)):
        cells = [set(map(str.strip, text.split(separator))) for text in as_texts(frame.iloc[:, j])]
        block = [[float(item in cell) for item in listed] for cell in cells]
        blocks.append(np.array(block).reshape(len(frame), len(listed)))
    return np.hstack(blocks)


def _item_names(transformer: FunctionTransformer, names: Sequence[str]) -> list[str]:
    items = transformer.kw_args["items"]
    return [f"{name}: {item}" for name, listed in zip(names, items, strict=True) for item in listed]


def as_numbers(frame: Any) -> pd.DataFrame:
    """Convert columns to floats; numbers whose square is infinite become missing, as strings do.

    Numbers whose square is 0 become 0.
    """
    numbers = as_pandas(frame, _WHAT).apply(amounts_of)
    numbers = numbers.where(lambda values: values.abs() < _MAX_NUMBER)
    return numbers.mask(lambda values: values.abs() < 1 / _MAX_NUMBER, 0.0)


class DayEncoder(TransformerMixin, BaseEstimator):
    """Transformer of dates to days since 1970 as floats; values other than dates are missing.

    Parameters
    ----------
    parts : bool
        Whether to add the month, the day of the week (0 for Monday) and the proportion of the day.

    Attributes
    ----------
    day_first_ : dict
        Column -> whether its strings begin with the day, which new rows may leave open: "3/2/2024".
    """

    def __init__(self, *, parts: bool = False) -> None:
        self.parts = parts

    def fit(self, frame: Any, y: Any = None) -> DayEncoder:
        """Detect whether each column's dates begin with the day."""
        frame = validate_data(self, as_pandas(frame, _WHAT), skip_check_array=True)
        self.day_first_ = {name: is_day_first(frame[name]) for name in frame.columns}
        return self

    def transform(self, frame: Any) -> pd.DataFrame:
        """Return the days of each column."""
        frame = as_pandas(frame, _WHAT)
        columns = {
            name: days_of(frame[name], day_first=first) for name, first in self.day_first_.items()
        }
        for name in list(columns) if self.parts else ():
            days = pd.Series(columns[name], dtype=float)
            dates = pd.to_datetime(days, unit="D", origin="unix", errors="coerce")
            columns[f"{name} month"] = dates.dt.month.to_numpy(dtype=float)
            columns[f"{name} weekday"] = dates.dt.day_of_week.to_numpy(dtype=float)
            columns[f"{name} time"] = (days % 1).to_numpy()
        return pd.DataFrame(columns, index=frame.index)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns, and of the parts of each."""
        names = list(_check_feature_names_in(self, input_features))
        if self.parts:
            names += [f"{name} {part}" for name in names for part in DATE_PARTS]
        return np.asarray(names, dtype=object)


class TextComponents(TransformerMixin, BaseEstimator):
    """Transformer of each column of strings to itself and to a few numbers.

    The numbers are the first singular vectors of the weights of words, for models that take few
    features; the strings are for those that take the words.
    """

    def fit(self, frame: Any, y: Any = None) -> TextComponents:
        """Learn the components of each column."""
        frame = validate_data(self, as_pandas(frame, _WHAT), skip_check_array=True)
        self.components_ = {}
        for name in frame.columns:
            reduce = TruncatedSVD(_N_COMPONENTS, random_state=0)
            steps = make_pipeline(*word_weights(2**12, (1, 1)), reduce)
            with np.errstate(invalid="ignore"):  # columns without a word
                self.components_[name] = steps.fit(as_texts(frame[name]))
        return self

    def transform(self, frame: Any) -> pd.DataFrame:
        """Return strings, missing ones empty, and components."""
        frame = as_pandas(frame, _WHAT)
        texts = {name: as_texts(frame[name]) for name in self.components_}
        parts = [pd.DataFrame(texts, index=frame.index, dtype=object)]
        for name, steps in self.components_.items():
            values = np.zeros((len(frame), _N_COMPONENTS))
            if len(frame):
                found = steps.transform(texts[name])
                values[:, : found.shape[1]] = found  # of fewer rows than components as many as rows
            names = text_parts(name)
            parts.append(pd.DataFrame(values, index=frame.index, columns=names))
        return pd.concat(parts, axis=1)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the strings, and of the components."""
        names = list(_check_feature_names_in(self, input_features))
        parts = [part for name in names for part in text_parts(name)]
        return np.asarray([*names, *parts], dtype=object)


def text_parts(name: str) -> list[str]:
    """Return the names of the components of a column of strings."""
    return [f"{name} component {k + 1}" for k in range(_N_COMPONENTS)]


def word_weights(n_features: int, ngram_range: tuple[int, int]) -> list[Any]:
    """Make the steps that weight words; hashing needs no vocabulary, which could be empty."""
    words = HashingVectorizer(
        n_features=n_features, ngram_range=ngram_range, alternate_sign=False, norm=None
    )
    return [words, TfidfTransformer(sublinear_tf=True)]


def as_texts(column: Any) -> list[str]:
    """Return the strings of one column, a Series of pandas or polars; missing ones are empty."""
    if not isinstance(column, pd.Series):
        column = pd.Series(column.to_list(), dtype=object)
    return ["" if missing else str(value) for value, missing in _cells(column)]


def _cells(column: pd.Series) -> Iterator[tuple[Any, bool]]:
    """Yield each value and whether it is missing."""
    column = with_plain_missing(column)
    return zip(column.astype(object), column.isna(), strict=True)

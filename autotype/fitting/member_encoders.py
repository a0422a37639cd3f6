"""Encode a frame for each kind of member of an ensemble, as suits that kind.

A Gaussian process needs scaled numbers without gaps. Trees lose by the same encoding: they split
categories and missing values by themselves, and an imputed median hides both. So the columns are
read once, by their types, into numbers and labels, and each member encodes these for itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler, TargetEncoder

from autotype.fitting import encoder as encoding
from autotype.fitting.frame_transformer import find_column
from autotype.models.ensemble.ensemble import OrdinalEnsemble
from autotype.models.ensemble.even_scaler import EvenScaler
from autotype.models.ensemble.level_effects import is_level
from autotype.models.ensemble.members import EFFORTS, Member, members_for, within_float32
from autotype.types.column_type import ColumnType

_FEW_LEVELS = 30  # above, a level is encoded by the mean rank of its rows
_MAX_INDICATORS = 300  # of a column for linear models, where those of all levels cost more than
_INDICATOR_WORK = 3e9  # the rows times the square of the levels
# A splitter is the way from scikit-learn 1.9 on, and refused before.
_MEAN_FOLDS: dict[str, Any] = (
    {"cv": KFold(5, shuffle=True, random_state=0)}
    if "cv_object" in TargetEncoder._parameter_constraints["cv"]
    else {"random_state": 0}
)
_REPEATS = 1.25  # rows per level, from which an identifier is a feature
_PAIR_ROWS, _PAIR_LEVELS = 3, 1.5  # rows per pair of levels, and pairs per level, at least
_MAX_PAIRS = 30  # of columns


@dataclass(frozen=True)
class TypedColumns:
    """Names of the columns of a frame that is read by types.

    Attributes
    ----------
    numbers : list of str
        Numbers, ranks, parts of dates and components of texts, NaN where missing.
    few, many : list of str
        Codes of labels, of up to 30 levels and of more, and numbers that act as levels.
    texts : list of str
        Strings.
    pairs : list of (str, str)
        Codes of many levels, such as persons, each with others that vary within a level.
    means : list of str
        Those of `many` whose levels do not all have an indicator in linear models.
    """

    numbers: list[str]
    few: list[str]
    many: list[str]
    texts: list[str]
    pairs: list[tuple[str, str]]
    means: list[str]

    @classmethod
    def of(
        cls, frame: pd.DataFrame, columns: Sequence[ColumnType], ranks: np.ndarray
    ) -> TypedColumns:
        """Describe the columns by their types, and by their levels in a frame with its target."""

        def named(*kinds: str) -> list[str]:
            return [str(column.name) for column in encoding.columns_of(columns, *kinds)]

        numbers = [*named("ranks"), *named("numbers"), *named("choices")]
        for column in encoding.columns_of(columns, "items"):
            numbers += [
                f"{column.name}: {i}" for i in column.evidence["items"][: encoding.MAX_ITEMS]
            ]
        for name in named("dates"):
            numbers += [name, *(f"{name} {part}" for part in encoding.DATE_PARTS)]
        for name in named("texts"):
            numbers += encoding.text_parts(name)
        labels = named("labels", "identifiers")
        codes = encoding.as_labels(frame[labels])  # of lists, too
        n_levels = codes.nunique()
        few = [name for name in labels if n_levels[name] <= _FEW_LEVELS]
        many = [name for name in labels if n_levels[name] > _FEW_LEVELS]
        read = encoding.as_numbers(frame[named("numbers")])
        many += [name for name in read if is_level(read[name].to_numpy(), ranks)]
        codes = codes.join(read)
        pairs = combinations([*many, *few], 2)
        varying = (pair for pair in pairs if pair[0] in many and _vary(codes[list(pair)]))
        costly = len(frame) * float(codes[many].nunique().sum()) ** 2 > _INDICATOR_WORK
        return cls(
            numbers,
            few,
            many,
            named("texts"),
            list(islice(varying, _MAX_PAIRS)),
            many if costly else [],
        )


def _vary(pair: pd.DataFrame) -> bool:
    """Check whether either of two columns varies within the other's levels, and pairs recur."""
    n_pairs = len(pair.drop_duplicates())
    return _PAIR_LEVELS * pair.nunique().max() <= n_pairs <= len(pair) / _PAIR_ROWS


def with_repeated_identifiers(
    frame: pd.DataFrame, columns: Sequence[ColumnType]
) -> list[ColumnType]:
    """Return the columns, with identifiers that repeat, of persons or items, as features.

    Numbers among them stay numbers: their order may be that of time or place.

    Examples
    --------
    >>> persons = pd.DataFrame({"person": ["a1", "b2", "c3"] * 4})
    >>> column = ColumnType("person", "identifier")
    >>> with_repeated_identifiers(persons, [column])[0].semantic_type
    'categorical'
    """
    return [
        replace(column, semantic_type="continuous" if is_numeric_dtype(values) else "categorical")
        if column.semantic_type == "identifier" and _REPEATS * values.nunique() <= len(frame)
        else column
        for column in columns
        for values in [find_column(frame, column.name)]
    ]


def make_ensemble(
    frame: pd.DataFrame,
    columns: Sequence[ColumnType],
    ranks: np.ndarray,
    *,
    effort: str = "default",
    decision: Any = "median",
    monotone: Mapping[Any, int] | None = None,
    random_state: int = 0,
) -> Pipeline:
    """Make the ensemble of a frame, each member with its encoder.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows of the fit.
    columns : sequence of ColumnType
        The features.
    ranks : ndarray of shape (n_rows,)
        The target.
    effort : {"fast", "default", "best"}
        How much to spend.
    decision : str or array
        As of `OrdinalEnsemble`.
    monotone : mapping, optional
        Column name -> 1 if the level rises with the column, -1 if it falls. Only members that hold
        to it are taken, boosted trees: their average does, too.
    random_state : int
        Seed of members and folds.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Unfitted: "encode" reads the columns, "model" is the `OrdinalEnsemble`.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort must be one of {EFFORTS}, got {effort!r}")
    reader = encoding.typed_transformer(columns)
    typed = TypedColumns.of(frame, columns, ranks)
    members = members_for(
        len(frame), effort=effort, has_text=bool(typed.texts), random_state=random_state
    )
    if monotone:
        members = _holding_to(monotone, members, typed)
    ensemble = OrdinalEnsemble(
        [(member.name, member_pipeline(member, typed)) for member in members],
        effort=effort,
        decision=decision,
        random_state=random_state,
    )
    return Pipeline([("encode", reader), ("model", ensemble)])


def _holding_to(
    monotone: Mapping[Any, int], members: Sequence[Member], typed: TypedColumns
) -> list[Member]:
    """Return the members that can be monotone in features, with the directions set."""
    for name, direction in monotone.items():
        if name not in typed.numbers or direction not in (1, -1):
            raise ValueError(
                f"monotone maps features with an order to 1 (the level rises with it) or -1 (it "
                f"falls), got {name!r}: {direction!r}; those features are {typed.numbers[:20]}"
            )
    return [
        replace(member, estimator=member.estimator.set_params(monotone=dict(monotone)))
        for member in members
        if member.features == "trees"
    ]


def member_pipeline(member: Member, typed: TypedColumns) -> Pipeline:
    """Return a member with the encoder of its kind, for a frame that is read by types."""
    return make_pipeline(_encoder(member.features, typed), member.estimator)


def _encoder(kind: str, typed: TypedColumns) -> ColumnTransformer:
    impute = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    # Cross-fitted means, shrunken by the variance within a level: what a random effect predicts.
    means = TargetEncoder(target_type="continuous", **_MEAN_FOLDS)
    scale = StandardScaler()
    indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    categories = FunctionTransformer(_as_categories, feature_names_out="one-to-one")
    even = make_pipeline(impute, EvenScaler() if kind == "scaled" else scale)
    bounded = FunctionTransformer(within_float32, feature_names_out="one-to-one")
    numbers = bounded if kind in ("trees", "indicators") else even
    steps: list[tuple[str, Any, Any]] = [
        ("numbers", numbers, typed.numbers),
        ("few", categories if kind == "trees" else indicators, typed.few),
        (
            "many",
            means if kind in ("trees", "indicators") else make_pipeline(means, scale),
            typed.means if kind == "linear" else typed.many,
        ),
    ]
    if kind in ("trees", "indicators"):  # what a person does in each of some conditions
        pair = FunctionTransformer(
            _as_pairs, feature_names_out=_pair_names, kw_args={"pairs": typed.pairs}
        )
        paired = list(dict.fromkeys(chain.from_iterable(typed.pairs)))
        steps.append(("pairs", make_pipeline(pair, means), paired))
    if kind == "sparse":
        parts = {part for name in typed.texts for part in encoding.text_parts(name)}
        steps[0] = ("numbers", numbers, [name for name in typed.numbers if name not in parts])
        steps += [(n, make_pipeline(*encoding.word_weights(2**18, (1, 2))), n) for n in typed.texts]
    # A weight per level, shrunken by the prior, is a random effect. Beside it the mean of the level
    # would explain the same again, unshrunken by what other columns explain.
    if kind == "linear":
        frequent = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            max_categories=_MAX_INDICATORS if typed.means else None,
            sparse_output=False,
        )
        steps.append(("each of many", frequent, typed.many))
    encoder = ColumnTransformer(
        [step for step in steps if step[2]], verbose_feature_names_out=_name_of
    )
    return encoder.set_output(transform="pandas") if kind == "trees" else encoder


def _name_of(step: str, feature: str) -> str:
    return f"mean of {feature}" if step in ("many", "pairs") else feature


def _as_categories(codes: pd.DataFrame) -> pd.DataFrame:
    return codes.astype("category")


def _as_pairs(codes: pd.DataFrame, pairs: Sequence[tuple[str, str]]) -> pd.DataFrame:
    texts = codes.astype(str)
    columns = {f"{a} and {b}": texts[a] + " " + texts[b] for a, b in pairs}
    return pd.DataFrame(columns, index=codes.index)


def _pair_names(transformer: FunctionTransformer, names: Sequence[str]) -> list[str]:
    return [f"{a} and {b}" for a, b in transformer.kw_args["pairs"]]

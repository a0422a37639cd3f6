"""Encode a frame for each kind of member of an ensemble, as suits that kind.

A Gaussian process needs scaled numbers without gaps. Trees lose by the same encoding: they split
categories and missing values by themselves, and an imputed median hides both. So the columns are
read once, by their types, into numbers and labels, and each member encodes these for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler, TargetEncoder

from autotype.fitting.encoder import typed_columns, typed_transformer
from autotype.models.ensemble.ensemble import OrdinalEnsemble
from autotype.models.ensemble.members import EFFORTS, Member, members_for
from autotype.types.column_type import ColumnType

_FEW_LEVELS = 30  # above, a level is encoded by the mean rank of its rows


@dataclass(frozen=True)
class TypedColumns:
    """Names of the columns of a frame that is read by types.

    Attributes
    ----------
    numbers : list of str
        Numbers, ranks and days, NaN where missing.
    few, many : list of str
        Labels, of up to 30 levels and of more.
    """

    numbers: list[str]
    few: list[str]
    many: list[str]

    @classmethod
    def of(cls, frame: pd.DataFrame, columns: Sequence[ColumnType]) -> TypedColumns:
        """Describe the columns by their types and their numbers of levels in a frame."""
        kinds: dict[str, list[str]] = {"numbers": [], "few": [], "many": []}
        for kind, names in typed_columns(columns).items():
            for name in names:
                several = kind == "labels" and frame[name].nunique() > _FEW_LEVELS
                kinds["numbers" if kind != "labels" else "many" if several else "few"].append(name)
        return cls(**kinds)


def make_ensemble(
    frame: pd.DataFrame,
    columns: Sequence[ColumnType],
    *,
    effort: str = "default",
    random_state: int = 0,
) -> Pipeline:
    """Make the ensemble of a frame, each member with its encoder.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows of the fit.
    columns : sequence of ColumnType
        The features.
    effort : {"fast", "default", "best"}
        How much to spend.
    random_state : int
        Seed of members and folds.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Unfitted: "encode" reads the columns, "model" is the `OrdinalEnsemble`.
    """
    if effort not in EFFORTS:
        raise ValueError(f"effort must be one of {EFFORTS}, got {effort!r}")
    reader = typed_transformer(columns)
    typed = TypedColumns.of(frame, columns)
    members = members_for(len(frame), effort=effort, random_state=random_state)
    ensemble = OrdinalEnsemble(
        [(member.name, member_pipeline(member, typed)) for member in members],
        effort=effort,
        random_state=random_state,
    )
    return Pipeline([("encode", reader), ("model", ensemble)])


def member_pipeline(member: Member, typed: TypedColumns) -> Pipeline:
    """Return a member with the encoder of its kind, for a frame that is read by types."""
    return make_pipeline(_encoder(member.features, typed), member.estimator)


def _encoder(kind: str, typed: TypedColumns) -> ColumnTransformer:
    impute = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    # Cross-fitted means, shrunken by the variance within a level: what a random effect predicts.
    means = TargetEncoder(target_type="continuous", random_state=0)
    indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    scaled = kind == "scaled"
    steps: list[tuple[str, Any, list[str]]] = [
        (
            "numbers",
            make_pipeline(impute, StandardScaler()) if scaled else "passthrough",
            typed.numbers,
        ),
        ("few", "passthrough" if kind == "trees" else indicators, typed.few),
        ("many", make_pipeline(means, StandardScaler()) if scaled else means, typed.many),
    ]
    encoder = ColumnTransformer(
        [step for step in steps if step[2]], verbose_feature_names_out=False
    )
    return encoder.set_output(transform="pandas") if kind == "trees" else encoder

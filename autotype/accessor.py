"""The accessor ``df.ordinal``, with a method for each function of a frame."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.fitting.column_model import ColumnModel
    from autotype.inference.judges.label_judge import LabelJudge
    from autotype.models.preferences.preferences import Preferences
    from autotype.type_report import TypeReport
    from autotype.types.codebook import Codebook
    from autotype.types.decisions.decision import Statement


@pd.api.extensions.register_dataframe_accessor("ordinal")
class OrdinalAccessor:
    """Semantic types of a frame's columns, as ``df.ordinal``.

    The accessor holds only the frame: reports are objects of their own, and types persist in the
    dtypes.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def infer_types(
        self,
        columns: Hashable | Sequence[Hashable] | None = None,
        *,
        features: Hashable | Sequence[Hashable] | None = None,
        known: Mapping[Hashable, Statement] | str | os.PathLike | None = None,
        codebook: Codebook | str | os.PathLike | None = None,
        scales: Mapping[str, Any] | str | os.PathLike | None = None,
        weights: Hashable | None = None,
        max_levels: int = 20,
        max_rows: int | None = None,
        label_text: bool = True,
        label_judge: LabelJudge | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        random_state: int = 0,
        progress: bool | None = None,
    ) -> TypeReport:
        """Infer the semantic type of each column, and the order of its levels.

        The same as `autotype.infer_types` with this frame.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
        >>> frame.ordinal.infer_types()["size"].order
        ('S', 'M', 'L', 'XL')
        """
        from autotype.type_report import infer_types

        return infer_types(
            self._frame,
            columns,
            features=features,
            known=known,
            codebook=codebook,
            scales=scales,
            weights=weights,
            max_levels=max_levels,
            max_rows=max_rows,
            label_text=label_text,
            label_judge=label_judge,
            max_seconds=max_seconds,
            n_jobs=n_jobs,
            random_state=random_state,
            progress=progress,
        )

    def apply_types(
        self,
        types: TypeReport,
        *,
        unseen: Literal["keep", "raise"] = "keep",
        blank_markers: bool = False,
        labels: bool = False,
    ) -> pd.DataFrame:
        """Cast discrete columns to ordered and unordered Categoricals; nothing is lost.

        The same as `autotype.apply_types` with this frame.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
        >>> typed = frame.ordinal.apply_types(frame.ordinal.infer_types())
        >>> (typed["size"] >= "L").sum()
        np.int64(20)
        """
        from autotype.inference.frames.apply_types import apply_types

        return apply_types(
            self._frame, types, unseen=unseen, blank_markers=blank_markers, labels=labels
        )

    def fit(
        self,
        target: Hashable,
        types: TypeReport | None = None,
        *,
        preferences: Preferences | None = None,
        model: Any = "auto",
        effort: str = "default",
        decision: Any = None,
        features: Hashable | Sequence[Hashable] | None = None,
        cv: int | None = 5,
        random_state: int = 0,
    ) -> ColumnModel:
        """Fit a model that suits a column; it states its reason and its scores.

        The same as `autotype.fit` with this frame.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> sizes = ["S"] * 20 + ["M"] * 20 + ["L"] * 20
        >>> frame = pd.DataFrame({"weight": [k / 10 for k in range(60)], "size": sizes})
        >>> model = frame.ordinal.fit("size")
        >>> model.choice.name, model.predict(frame).iloc[[0, 30, 59]].tolist()
        ('ensemble', ['S', 'M', 'L'])
        """
        from autotype.fitting.column_model import fit

        return fit(
            self._frame,
            target,
            types,
            preferences=preferences,
            model=model,
            effort=effort,
            decision=decision,
            features=features,
            cv=cv,
            random_state=random_state,
        )

    def to_schema(
        self,
        types: TypeReport,
        *,
        name: str | None = None,
        margin: float | None = 2.0,
        share_tolerance: float | None = None,
        max_strays: float | None = None,
        coerce: bool = False,
        strict: bool = False,
    ) -> DataFrameSchema:
        """Make a pandera schema with levels and their order, nulls, ranges and uniqueness.

        The same as `autotype.to_schema` with this frame.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
        >>> schema = frame.ordinal.to_schema(frame.ordinal.infer_types())
        >>> schema.columns["size"].dtype.categories
        ('S', 'M', 'L', 'XL')
        """
        from autotype.schema.build import to_schema

        return to_schema(
            self._frame,
            types,
            name=name,
            margin=margin,
            share_tolerance=share_tolerance,
            max_strays=max_strays,
            coerce=coerce,
            strict=strict,
        )

    def validate(
        self, schema: DataFrameSchema | type[DataFrameModel], *, lazy: bool = True
    ) -> pd.DataFrame:
        """Cast plain values to the schema's levels and validate with pandera.

        The same as `autotype.validate` with this frame.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
        >>> schema = frame.ordinal.to_schema(frame.ordinal.infer_types())
        >>> pd.DataFrame({"size": ["M", "XXL"]}).ordinal.validate(schema)
        Traceback (most recent call last):
        ...
        autotype.errors.BatchError: the batch fails the schema in 1 way:
        - column 'size' holds level 'XXL' at row 1, not among 'S' < 'M' < 'L' < 'XL'; correct ...
        """
        from autotype.schema.validate import validate

        return validate(self._frame, schema, lazy=lazy)

    def plot(
        self,
        column: Hashable,
        types: TypeReport | None = None,
        *,
        kind: str | None = None,
        ax: Axes | None = None,
        color: Any = None,
    ) -> Axes:
        """Draw a column's levels: on the ordinal model's latent scale, or by their counts.

        The same as `autotype.plot` with this frame.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
        >>> frame.ordinal.plot("size").get_title(loc="left")
        'size: ordinal, P(ordinal) 0.97'
        """
        from autotype.plots import plot

        return plot(self._frame, column, types, kind=kind, ax=ax, color=color)

"""OrdinalFrameEncoder: encode a frame's columns as features of a model, each by its type."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from autotype.errors import UnknownColumnError
from autotype.fitting.encoder import column_transformer
from autotype.fitting.frame_transformer import FrameTransformer, find_columns
from autotype.fitting.new_rows import known_levels, warn_of_unseen
from autotype.models.parameters import estimator
from autotype.types.column_type import name_list
from autotype.types.column_types import ColumnTypes
from autotype.types.nan_equality import nan_key
from autotype.wording import did_you_mean, format_some


@estimator(kw_only=True)
class OrdinalFrameEncoder(FrameTransformer):
    """Encode a frame's columns as numeric features, each by its semantic type.

    Ordinal columns become ranks from 0 (lowest), with levels off the scale and unseen ones missing;
    categorical, binary and undetermined ones indicators, all zero for unseen levels; numbers stay;
    dates become days since 1970. Lists of answers in one cell become an indicator per item, and
    the columns of a multi-select question one each. Missing values are imputed by the median, with
    an indicator if `fit` saw any. Identifiers, constants and columns without a type are dropped.

    Parameters
    ----------
    types : TypeReport, optional
        Types of the columns, for instance of ``frame.ordinal.infer_types()``. `fit` infers them if
        they are not given, in each fold of a cross-validation again.
    exclude : column name or sequence of them
        Columns to leave out, for instance the target.
    ordinal : {"ranks", "thresholds", "indicators"}
        Encoding of ordinal columns: one feature of ranks; an indicator of "at least this level" for
        each level but the lowest, which lets a linear model have steps of different heights; or
        indicators of the levels, which ignore the order.
    max_indicators : int
        Maximal number of indicators of a column, >= 1; rarer levels share the last one.
    scale : bool
        Whether to standardise numbers and ranks.
    text : {"drop", "tfidf"}
        Whether to drop free text, or to weight its words and pairs of words (sparse output, so not
        for ``set_output``).
    known, features, label_text, label_judge, max_levels, max_rows, n_jobs, random_state
        How types are inferred, see `autotype.infer_types`; without effect where `types` are given,
        for which `known` must be None.

    Attributes
    ----------
    types_ : TypeReport
        Types of the columns.
    encoder_ : sklearn.compose.ColumnTransformer
        The fitted transformers of the columns.
    feature_names_in_ : ndarray
        Names of the columns in `fit`, if it was given a frame.
    n_features_in_ : int
        Number of the columns in `fit`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 5, "price": range(20)})
    >>> OrdinalFrameEncoder(exclude="price", scale=False).fit_transform(frame)[:3].tolist()
    [[0.0], [1.0], [2.0]]
    >>> steps = OrdinalFrameEncoder(exclude="price", ordinal="thresholds").fit(frame)
    >>> steps.get_feature_names_out().tolist()
    ['size>=M', 'size>=L', 'size>=XL']
    """

    exclude: Any = ()
    ordinal: str = "ranks"
    max_indicators: int = 30
    scale: bool = True
    text: str = "drop"

    def fit(self, X: Any, y: Any = None) -> OrdinalFrameEncoder:
        """Fit the encoding of each column, after inferring the types unless they are given.

        Parameters
        ----------
        X : frame or array-like of shape (n_samples, n_features)
            A frame in memory, of any library. The columns of an array are called "x0", "x1", ...
        y : ignored
            For scikit-learn's conventions.

        Returns
        -------
        OrdinalFrameEncoder
            The encoder itself.

        Raises
        ------
        UnknownColumnError
            If the frame lacks a column that the types encode, or `exclude` names one that they do
            not hold.
        ValueError
            If a parameter is not one of its values, or if the names of the columns are not text or
            not unique.
        """
        self._fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit the encoding as `fit` does, and return the columns encoded as `transform` does."""
        return self._fit_transform(X)

    def _fit_transform(self, X: Any) -> Any:
        frame = self._read_training(X)
        self.types_ = self._types_of(frame)
        encoder = self._unfitted(self.types_)
        self._used = [name for _, _, names in encoder.transformers for name in _listed(names)]
        lacking = [name for name in self._used if name not in frame.columns]
        if lacking:
            raise UnknownColumnError(
                f"the frame lacks {format_some(lacking)}, which the types encode as features; "
                "leave out what is no feature, such as the target: "
                f"make_encoder(target={lacking[0]!r}), or exclude=[{lacking[0]!r}]"
            )
        used = set(self._used)
        self._levels = known_levels(frame, [c for c in self.types_.columns if c.name in used])
        encoded = encoder.fit_transform(frame)
        self.encoder_ = encoder
        return encoded

    def transform(self, X: Any) -> Any:
        """Encode the columns.

        Parameters
        ----------
        X : frame or array-like of shape (n_samples, n_features)
            A frame with the encoded columns, in any order; others are left out. An array has the
            columns in the order of `fit`.

        Returns
        -------
        ndarray or sparse matrix of shape (n_samples, n_encoded)
            Or a frame of the library of ``set_output(transform=...)``.

        Raises
        ------
        ValueError
            If a column is missing, or an array has another number of columns than `fit`.

        Warns
        -----
        UserWarning
            For levels that neither `fit` nor the types have seen.
        """
        check_is_fitted(self)
        frame = self._read_rows(X)
        places = find_columns(frame, self._used, of="columns that the encoder uses")
        for name, place in zip(self._used, places, strict=True):
            if name in self._levels and len(frame):
                warn_of_unseen(frame.iloc[:, place], name, self._levels[name], stacklevel=3)
        return self.encoder_.transform(frame)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the features.

        Parameters
        ----------
        input_features : array-like of str, optional
            For scikit-learn's conventions; must be the names of `fit`.

        Returns
        -------
        ndarray of object, shape (n_encoded,)
        """
        check_is_fitted(self)
        if input_features is not None:
            _check_feature_names_in(self, input_features)
        return self.encoder_.get_feature_names_out()

    def _unfitted(self, types: ColumnTypes) -> ColumnTransformer:
        """Return the transformer of the columns, after a check of all parameters."""
        excluded = _excluded(types, self.exclude)
        unknown = [name for name in excluded if name not in types]
        if unknown and self.types is not None:  # inferred types do not hold a target kept in y
            hint = did_you_mean(unknown[0], list(types))
            raise UnknownColumnError(f"the types hold no column {unknown[0]!r} to exclude{hint}")
        keys = {nan_key(name) for name in excluded}
        return column_transformer(
            [column for column in types.columns if nan_key(column.name) not in keys],
            ordinal=self.ordinal,
            max_indicators=self.max_indicators,
            scale=self.scale,
            text=self.text,
        )


def make_encoder(
    types: ColumnTypes, *, target: Any = None, exclude: Any = (), **encoding: Any
) -> OrdinalFrameEncoder:
    """Make the encoder of a report, and check its parameters; see `TypeReport.make_encoder`."""
    excluded = _excluded(types, exclude) + ([] if target is None else [target])
    encoder = OrdinalFrameEncoder(types=types, exclude=excluded, **encoding)
    encoder._unfitted(types)
    return encoder


def _excluded(types: ColumnTypes, exclude: Any) -> list:
    nothing = isinstance(exclude, tuple) and not exclude  # a column may be named ()
    return [] if nothing else name_list(exclude, types)


def _listed(names: Any) -> list:
    return names if isinstance(names, list) else [names]

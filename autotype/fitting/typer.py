"""OrdinalTyper: a transformer that infers types in `fit` and casts in `transform`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from autotype.errors import UnseenLevelError
from autotype.fitting.frame_transformer import FrameTransformer, find_columns
from autotype.inference.frames.apply_types import cast_levels
from autotype.inference.frames.as_pandas import library_of, to_library
from autotype.models.parameters import estimator
from autotype.types.levels import cast_to_levels, codes_of, join_columns, unseen_levels
from autotype.wording import format_some

_UNSEEN = ("missing", "append", "keep", "raise")


@estimator(kw_only=True)
class OrdinalTyper(FrameTransformer):
    """Cast a frame's discrete columns to ordered and unordered Categoricals, as a transformer.

    Parameters
    ----------
    unseen : {"missing", "append", "raise"}
        What to do with levels absent in `fit`: make them missing, with a warning; append them as
        categories behind those of `fit`, with a warning; or raise an error. "keep" is another name
        of "append". The codes of the levels of `fit` stay the same in any case; appended to an
        ordered scale, a level compares as higher than all others.
    types : TypeReport, optional
        Types of the columns, for instance of ``frame.ordinal.infer_types()``: `fit` then infers
        nothing, which saves it in each fold of a cross-validation. Columns absent from it stay as
        they are.
    known, features, label_text, label_judge, max_levels, max_rows, n_jobs, random_state
        How types are inferred, see `autotype.infer_types`; without effect where `types` are given,
        for which `known` must be None.

    Attributes
    ----------
    types_ : TypeReport
        Types of the columns.
    dtypes_ : tuple
        What each column is cast to: a CategoricalDtype, or None where it stays as it is.
    feature_names_in_ : ndarray
        Names of the columns in `fit`, if it was given a frame.
    n_features_in_ : int
        Number of the columns in `fit`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 5})
    >>> OrdinalTyper().fit_transform(frame)["size"].cat.categories.tolist()
    ['S', 'M', 'L', 'XL']
    """

    unseen: str = "missing"

    def fit(self, X: Any, y: Any = None) -> OrdinalTyper:
        """Infer the types of a frame's columns, unless they are given, and fix their categories.

        Parameters
        ----------
        X : frame or array-like of shape (n_samples, n_features)
            A frame in memory, of any library. The columns of an array are called "x0", "x1", ...
        y : ignored
            For scikit-learn's conventions.

        Returns
        -------
        OrdinalTyper
            The transformer itself.

        Raises
        ------
        ValueError
            If `unseen` is not one of its values, or both `types` and `known` are given.
        UnknownColumnError
            If the frame holds none of the columns of `types`.
        """
        if self.unseen not in _UNSEEN:
            raise ValueError(f"unseen must be 'missing', 'append' or 'raise', got {self.unseen!r}")
        frame = self._read_training(X)
        self.types_ = self._types_of(frame)
        self.dtypes_ = tuple(
            dtype if isinstance(dtype, pd.CategoricalDtype) else None
            for dtype in cast_levels(frame, self.types_.columns).dtypes
        )
        return self

    def transform(self, X: Any) -> Any:
        """Cast the columns.

        Parameters
        ----------
        X : frame or array-like of shape (n_samples, n_features)
            A frame with the columns of `fit`, in any order; others are left out. An array has them
            in the order of `fit`.

        Returns
        -------
        frame
            Of the library of X, or of that of ``set_output(transform=...)``, and of pandas for an
            array: the columns in the order of `fit`. The categories do not depend on X, unless
            ``unseen="append"`` adds some. In polars, ordered Categoricals of strings are Enum.

        Raises
        ------
        ValueError
            If a column is missing, or an array has another number of columns than `fit`.
        UnseenLevelError
            With ``unseen="raise"``, for an unseen level.

        Warns
        -----
        UserWarning
            For levels that `fit` did not see.
        """
        check_is_fitted(self)
        frame = self._read_rows(X)
        places = find_columns(frame, list(self._names), of="columns of fit")
        cast = []
        for place, dtype in zip(places, self.dtypes_, strict=True):
            values = frame.iloc[:, place]
            cast.append(values if dtype is None else self._cast(values, dtype))
        output = _get_output_config("transform", self)["dense"]
        joined = join_columns(cast, self._names) if cast else frame.iloc[:, :0].copy()
        return to_library(library_of(X) if output == "default" else output, joined)

    def _cast(self, values: pd.Series, dtype: pd.CategoricalDtype) -> pd.Series:
        known = dtype.categories.tolist()
        unseen = unseen_levels(codes_of(values), set(known).__contains__)
        if not unseen:
            return cast_to_levels(values, known, ordered=bool(dtype.ordered))
        plain = values.astype(object)
        first = values.index[plain.isin(unseen[:1])].tolist()[0]
        finding = (
            f"column {values.name!r} holds levels that fit did not see: {format_some(unseen)} "
            f"(first at row {first!r})"
        )
        if self.unseen == "raise":
            raise UnseenLevelError(
                finding, "correct them, fit again, or pass unseen='missing' or 'append'"
            )
        treated = "missing"
        if self.unseen == "missing":
            values = plain.where(plain.isin(known), None)
        else:
            known, treated = [*known, *unseen], "appended as categories"
        warnings.warn(f"{finding}; they are {treated}", stacklevel=4)
        return cast_to_levels(values, known, ordered=bool(dtype.ordered))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns of `fit`.

        Parameters
        ----------
        input_features : array-like of str, optional
            For scikit-learn's conventions; must be the names of `fit`.

        Returns
        -------
        ndarray of object
        """
        check_is_fitted(self)
        if input_features is None:
            return np.asarray(self._names, dtype=object)
        return _check_feature_names_in(self, input_features)

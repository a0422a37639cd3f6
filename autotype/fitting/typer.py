"""OrdinalTyper: a transformer that infers types in `fit` and casts in `transform`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import (
    _check_feature_names_in,
    _check_n_features,
    check_array,
    check_is_fitted,
)

from autotype.errors import UnseenLevelError
from autotype.frames.as_pandas import as_pandas, is_frame
from autotype.wording import format_some

_UNSEEN = ("missing", "append", "keep", "raise")


class OrdinalTyper(TransformerMixin, BaseEstimator):
    """Cast a frame's discrete columns to ordered and unordered Categoricals, as a transformer.

    Parameters
    ----------
    unseen : {"missing", "append", "raise"}
        What to do with levels absent in `fit`: make them missing, with a warning; append them as
        categories behind those of `fit`, with a warning; or raise an error. "keep" is another name
        of "append". The codes of the levels of `fit` stay the same in any case; appended to an
        ordered scale, a level compares as higher than all others.
    known : mapping, optional
        Known types of columns; see `autotype.infer_types`.
    features : column name or sequence of them, optional
        Columns that may serve as predictors; all by default.
    label_text : bool
        Whether to use the level labels as evidence.
    label_judge : callable, optional
        A second opinion on labels; see `autotype.infer_types`.
    max_levels : int
        Maximal number of levels for an order to be searched, >= 3.
    max_rows : int
        Maximal number of rows for the models, >= 1.
    n_jobs : int, optional
        Number of workers, as in joblib.
    random_state : int
        Seed of the row sample.

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

    def __init__(
        self,
        *,
        unseen: str = "missing",
        known: Any = None,
        features: Any = None,
        label_text: bool = True,
        label_judge: Any = None,
        max_levels: int = 20,
        max_rows: int = 1000,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.unseen = unseen
        self.known = known
        self.features = features
        self.label_text = label_text
        self.label_judge = label_judge
        self.max_levels = max_levels
        self.max_rows = max_rows
        self.n_jobs = n_jobs
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(self, X: Any, y: Any = None) -> OrdinalTyper:
        """Infer the types of a frame's columns.

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
            If `unseen` is none of its values.
        """
        from autotype.export.categoricals import apply_types
        from autotype.inference.pipeline import infer_types

        if self.unseen not in _UNSEEN:
            raise ValueError(f"unseen must be 'missing', 'append' or 'raise', got {self.unseen!r}")
        frame = _frame(X)
        self.n_features_in_ = frame.shape[1]
        self._names = frame.columns
        if is_frame(X):
            self.feature_names_in_ = np.asarray(frame.columns, dtype=object)
        elif hasattr(self, "feature_names_in_"):  # of an earlier fit
            del self.feature_names_in_
        self.types_ = infer_types(
            frame,
            known=self.known,
            features=self.features,
            label_text=self.label_text,
            label_judge=self.label_judge,
            max_levels=self.max_levels,
            max_rows=self.max_rows,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
            progress=False,
        )
        self.dtypes_ = tuple(
            dtype if isinstance(dtype, pd.CategoricalDtype) else None
            for dtype in apply_types(frame, self.types_).dtypes
        )
        return self

    def transform(self, X: Any) -> pd.DataFrame:
        """Cast the columns.

        Parameters
        ----------
        X : frame or array-like of shape (n_samples, n_features)
            A frame with the columns of `fit`, in any order; others are left out. An array has them
            in the order of `fit`.

        Returns
        -------
        pandas.DataFrame
            The columns in the order of `fit`, with the same categories whatever X holds, but for
            those that ``unseen="append"`` adds.

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
        frame = _frame(X)
        if not is_frame(X):
            _check_n_features(self, X, reset=False)
            frame.columns = self._names
        columns = [frame.iloc[:, place] for place in self._places(frame)]
        cast = []
        for values, dtype in zip(columns, self.dtypes_, strict=True):
            cast.append(values if dtype is None else self._cast(values, dtype))
        if not cast:
            return frame.iloc[:, :0].copy()
        from autotype.export.categoricals import join_columns

        return join_columns(cast, self._names)

    def _places(self, frame: pd.DataFrame) -> list[int]:
        """Return the positions of the columns of `fit`; the n-th of a name matches the n-th."""
        positions: dict[Any, list[int]] = {}
        for place, name in enumerate(frame.columns):
            positions.setdefault(name, []).append(place)
        lists = {name: iter(places) for name, places in positions.items()}
        places = [next(lists.get(name, iter(())), None) for name in self._names]
        missing = [name for name, place in zip(self._names, places, strict=True) if place is None]
        if missing:
            raise ValueError(
                f"the frame lacks {len(missing)} of the {self.n_features_in_} columns of "
                f"fit: {format_some(missing)}"
            )
        return [place for place in places if place is not None]

    def _cast(self, values: pd.Series, dtype: pd.CategoricalDtype) -> pd.Series:
        from autotype.export.categoricals import cast_to_levels, present_levels

        known = dtype.categories.tolist()
        unseen = [level for level in present_levels(values) if level not in set(known)]
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
        warnings.warn(f"{finding}; they are {treated}", UserWarning, stacklevel=4)
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


def _frame(X: Any) -> pd.DataFrame:
    """Return a frame: X itself, converted to pandas, or of the columns of an array."""
    if is_frame(X):
        return as_pandas(X, "OrdinalTyper")
    array = check_array(X, dtype=None, ensure_all_finite=False)
    frame = pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])])
    return frame.infer_objects()

"""OrdinalTyper: a transformer that infers types in `fit` and casts in `transform`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted


class OrdinalTyper(TransformerMixin, BaseEstimator):
    """Cast a frame's discrete columns to ordered and unordered Categoricals, as a transformer.

    Parameters
    ----------
    unseen : {"keep", "raise"}
        What to do with levels absent in `fit`; see `autotype.apply_types`.
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
    feature_names_in_ : ndarray of str
        Names of the columns in `fit`.
    n_features_in_ : int
        Their number.

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
        unseen: str = "keep",
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

    def fit(self, X: pd.DataFrame, y: Any = None) -> OrdinalTyper:
        """Infer the types of a frame's columns.

        Parameters
        ----------
        X : pandas.DataFrame
            The frame.
        y : ignored
            For scikit-learn's conventions.

        Returns
        -------
        OrdinalTyper
            The transformer itself.
        """
        from autotype.inference.pipeline import infer_types

        self.types_ = infer_types(
            _frame(X),
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
        self.n_features_in_ = X.shape[1]
        self.feature_names_in_ = np.asarray(X.columns, dtype=object)
        return self

    def transform(self, X: pd.DataFrame) -> pd.DataFrame:
        """Cast the columns.

        Parameters
        ----------
        X : pandas.DataFrame
            A frame with the columns of `fit`, in any order.

        Returns
        -------
        pandas.DataFrame
            The columns in the order of `fit`.

        Raises
        ------
        ValueError
            If a column is missing, or with ``unseen="raise"`` for an unseen level.
        """
        from autotype.export.categoricals import apply_types

        check_is_fitted(self)
        missing = [name for name in self.feature_names_in_ if name not in _frame(X).columns]
        if missing:
            raise ValueError(
                f"the frame lacks {len(missing)} of the {self.n_features_in_} columns of "
                f"fit: {', '.join(map(repr, missing[:5]))}"
            )
        extra = [name for name in X.columns if name not in set(self.feature_names_in_)]
        known = X.drop(columns=extra)
        if known.columns.is_unique:
            known = known[list(self.feature_names_in_)]
        return apply_types(known, self.types_, unseen=self.unseen)  # type: ignore[arg-type]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns of `fit`.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's conventions.

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        return self.feature_names_in_


def _frame(X: Any) -> pd.DataFrame:
    if not isinstance(X, pd.DataFrame):
        raise TypeError(f"OrdinalTyper takes a pandas.DataFrame, got {type(X).__name__}")
    return X

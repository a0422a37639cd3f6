"""Scale features for kernels of distances: what is skewed by its ranks, the rest as it is.

A Gaussian kernel has one length for all that a feature does. The tail of a skewed one takes most of
its variance, and leaves the bulk of the rows closer together than the length.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.preprocessing import QuantileTransformer, StandardScaler
from sklearn.utils.validation import validate_data

_SKEWED = 0.7  # from which skewness on
_FEW_VALUES = 5  # have no tail
_QUANTILES = 300
_END = 3.0  # of the normal scores


class EvenScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Standardise features, skewed ones after a transformation to normal scores.

    Examples
    --------
    >>> x = np.exp(np.linspace(-3, 3, 7))
    >>> EvenScaler().fit_transform(np.column_stack([x, np.arange(7)])).round(1)
    array([[-1.8, -1.5],
           [-0.6, -1. ],
           [-0.3, -0.5],
           [ 0. ,  0. ],
           [ 0.3,  0.5],
           [ 0.6,  1. ],
           [ 1.8,  1.5]])
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn quantiles, means and deviations."""
        X = validate_data(self, X, dtype=np.float64)
        centred = X - X.mean(axis=0)
        with np.errstate(all="ignore"):  # of a constant it is not a number
            skewness = np.mean((centred / centred.std(axis=0)) ** 3, axis=0)
        several = np.array([len(np.unique(column)) > _FEW_VALUES for column in X.T])
        self.skewed_ = (np.abs(skewness) > _SKEWED) & several
        self._quantiles = QuantileTransformer(
            n_quantiles=min(len(X), _QUANTILES), output_distribution="normal", random_state=0
        )
        if self.skewed_.any():
            self._quantiles.fit(X[:, self.skewed_])
        self._scaler = StandardScaler().fit(self._even(X))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Scale new rows."""
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._scaler.transform(self._even(X))

    def _even(self, X: np.ndarray) -> np.ndarray:
        if not self.skewed_.any():
            return X
        even = X.copy()
        scores = self._quantiles.transform(X[:, self.skewed_])
        even[:, self.skewed_] = np.clip(scores, -_END, _END)
        return even

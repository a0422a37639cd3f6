"""Gaussian-process ordinal regression as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Kernel

from autotype.models import parameters
from autotype.models.decisions import Decision
from autotype.models.gaussian_process import ordinal_features
from autotype.models.gaussian_process.classifier import GPClassifier, KernelOption
from autotype.models.gaussian_process.features import (
    Features,
    LinearFeatures,
    NystromFeatures,
    spread_sample,
    well_spread,
)
from autotype.models.gaussian_process.kernels import feature_relevance
from autotype.models.gaussian_process.ordinal_exact import ExactFit, FunctionSpaceModel
from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_ep import ep_posterior
from autotype.models.gaussian_process.solvers.ordinal_laplace import laplace_posterior
from autotype.models.gaussian_process.solvers.ordinal_latent import OrdinalObservations

_EXACT_ROWS = 2_000  # above, other than linear kernels go through Nystrom features
_EXACT_LINEAR_ROWS = 500  # above, linear kernels go to weight space
_SHAPE_ROWS = 500  # rows from which a kernel's shape is learned for Nystrom features
_LENGTH_ROWS, _LENGTH_INDUCING = 3_000, 256  # rows by which its lengths are scaled
# Inducing rows by default: as many as keep the rows times their square, which is what a fit costs.
_INDUCING, _INDUCING_WORK = (100, 512), 3e9
_INDUCING_OF_DETERMINED = 20  # inducing rows for each weight that fewer rows determine
# Variance that the inducing rows may leave, in units of the noise, and its bounds as a share.
_UNEXPLAINED, _UNEXPLAINED_SHARES = 1e-3, (1e-5, 1e-3)
_USUAL_VARIANCE = 10.0  # of the latent function, in units of the noise
_LINKS = {"probit": PROBIT, "logit": LOGIT}


@parameters.estimator()
class GPOrdinalClassifier(GPClassifier):
    """Ordinal regression with a Gaussian process over a latent scale.

    Each row has a latent value f(x) with a Gaussian-process prior; thresholds cut the latent scale
    into the ranks. Kernel, noise and thresholds are learned by maximising the evidence, with a weak
    prior for few rows, so that there is nothing to cross-validate, and predictions come with
    probabilities.

    Parameters
    ----------
    kernel : {"rbf", "linear", "ard-rbf", "ard-linear"}, Kernel or callable
        Covariance of the latent function. A name starts on the scale of the features; a
        scikit-learn kernel object is used as it is, with its start and its bounds. A callable
        gets two matrices of rows, NaN where entries are missing, and returns their kernel. The
        default is "rbf".
    inference : {"laplace", "ep"}, default="laplace"
        How the posterior of the latent values is approximated.
    classes : list or "sorted", default=None
        Levels from lowest to highest. By default an ordered Categorical's own order, or that of
        numbers; text needs it. "sorted" uses the labels' sort order.
    noise : float, default=None
        Standard deviation of the noise on the latent scale; learned by default (held at 1 where
        the kernel learns its own amplitude, which has the same effect).
    n_inducing : int, default=None
        Inducing rows of the Nystrom features that stand for the kernel above 2,000 rows: more are
        more accurate, at a cost of their square. By default 512 up to 11,000 rows, then fewer in
        proportion to the root of the rows, and 100 from 300,000 rows on.
    exact_rows : int, default=None
        Most rows that are fitted exactly. By default 2,000, and 500 with the linear kernel.
    max_iter : int, default=100
        Most iterations of the hyper-parameters' ascent; 0 keeps the start.
    link : {"probit", "logit"}, default="probit"
        Distribution of the noise: normal, or logistic, whose heavier tails suit ratings with
        outliers. It also changes `predict_proba`.
    decision : {"mode", "median", "mean"} or array of shape (n_levels, n_levels), default="mode"
        The level that `predict` returns: the most probable one, for the fewest errors; the median
        of the probabilities, for the least mean absolute error in ranks; the mean rank, rounded,
        for the least squared error; or, with a matrix of the cost of predicting the column's level
        where the row's is true, the level of the least expected cost. It changes neither the
        fit nor `predict_proba`.
    share_prior : float, default=2.0
        Strength of the prior that keeps amplitude and noise apart from the extremes where few rows
        do not: Beta(k, k) on the proportion R of the latent variance over the training rows that
        the latent function explains, k ln R + k ln(1 - R) added to the log evidence. 0 maximises
        the evidence alone, as the paper does. Hundreds of rows outweigh it, and weight space has
        none.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Levels, lowest first.
    kernel_ : Kernel
        The kernel with learned hyper-parameters.
    noise_ : float
        Standard deviation of the noise.
    thresholds_ : ndarray of shape (n_levels - 1,)
        Thresholds on the latent scale, increasing.
    log_evidence_ : float
        Approximate log marginal likelihood at the values learned, without the density of
        `share_prior`.
    loo_log_likelihood_ : float
        Approximate leave-one-out log predictive probability, summed over the rows.
    relevance_ : ndarray of shape (n_features,) or None
        With an ARD kernel, how much each feature counts; None with others.
    n_iter_ : int
        Iterations of the ascent (Newton steps in weight space).
    n_features_in_, feature_names_in_ :
        As everywhere in scikit-learn.

    Notes
    -----
    Exact up to 2,000 rows, O(n^3) an evaluation and a handful of them. Above, kernels go through
    Nystrom features, their shape learned from 500 rows and their lengths from 3,000, and linear
    kernels are fitted in weight space from 500 rows on; both cost O(n m^2) with m features, and use
    Laplace's approximation with either `inference`. There the thresholds have a prior, so that
    evidences of the two regimes do not compare.

    References
    ----------
    Chu and Ghahramani (2005), Gaussian processes for ordinal regression, JMLR 6.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 3, 40)
    >>> model = GPOrdinalClassifier().fit(x[:, None], np.digitize(np.sin(x), [0.4, 0.8]))
    >>> model.predict([[0.1], [1.5], [2.4]])
    array([0, 2, 1])
    """

    kernel: KernelOption = "rbf"
    _: KW_ONLY
    inference: Literal["laplace", "ep"] = "laplace"
    classes: parameters.Levels = None
    noise: parameters.PositiveFloat | None = None
    n_inducing: parameters.PositiveInt | None = None
    exact_rows: parameters.NonNegativeInt | None = None
    max_iter: parameters.NonNegativeInt = 100
    link: Literal["probit", "logit"] = "probit"
    decision: Decision = "mode"
    share_prior: parameters.NonNegativeFloat = 2.0

    def _fit_model(
        self, X: np.ndarray, codes: np.ndarray, weight: np.ndarray
    ) -> FunctionSpaceModel | ordinal_features.WeightSpaceModel:
        observed, dense = np.unique(codes, return_inverse=True)
        data = OrdinalObservations(
            dense, len(observed), weight, _LINKS[self.link], observed, len(self.classes_)
        )
        kernel, exact = self._start_kernel(X, weight), self._exact_fit()
        fit_exact = exact.fit_checked if self.inference == "laplace" else exact.fit
        linear = self._named and self.kernel == "linear"
        in_weight_space = linear and X.shape[1] < len(X) and self.inference == "laplace"
        exact_rows = _EXACT_LINEAR_ROWS if in_weight_space else _EXACT_ROWS
        if len(X) <= (exact_rows if self.exact_rows is None else self.exact_rows):
            return fit_exact(kernel, X, data)
        near, variance = None, _USUAL_VARIANCE
        if len(kernel.theta) > 0 and self.max_iter > 0:
            rows = spread_sample(X, dense, _SHAPE_ROWS)
            model = fit_exact(kernel, X[rows], data.take(rows))
            kernel, variance = model.kernel, model.noise**-2
            if ordinal_features.has_lengths(kernel):
                rows = spread_sample(X, dense, _LENGTH_ROWS)
                near = ordinal_features.fit_lengths(
                    kernel,
                    X[rows],
                    data.take(rows),
                    lambda kernel: self._nystrom(kernel, X[rows], _LENGTH_INDUCING, variance),
                )
                kernel, variance = near[0], near[2].weight_variance
        most = (_INDUCING_WORK / len(X)) ** 0.5
        if near is not None:
            most = min(most, _INDUCING_OF_DETERMINED * near[2].n_determined)
        features = self._make_features(kernel, X, int(np.clip(most, *_INDUCING)), variance)
        return ordinal_features.fit_weight_space(kernel, features, X, data, near)

    @property
    def noise_(self) -> float:
        """Standard deviation of the noise."""
        return self._model.noise

    @property
    def thresholds_(self) -> np.ndarray:
        """Thresholds on the latent scale, increasing."""
        return self._model.thresholds

    def with_learned_kernel(self) -> GPOrdinalClassifier:
        """Return an unfitted classifier in weight space that keeps the kernel of this one.

        It learns thresholds and noise only, and has half the inducing rows by default.
        """
        return clone(self).set_params(
            kernel=self.kernel_,
            max_iter=0,
            exact_rows=0,
            n_inducing=_LENGTH_INDUCING if self.n_inducing is None else self.n_inducing,
        )

    def _exact_fit(self) -> ExactFit:
        """State how the hyper-parameters are learned, as the parameters say."""
        infer = ep_posterior if self.inference == "ep" else laplace_posterior
        return ExactFit(
            infer=infer,
            kept=infer,
            noise=self.noise,
            max_iter=self.max_iter,
            share_prior=float(self.share_prior),
        )

    def _make_features(
        self, kernel: Kernel, X: np.ndarray, n_inducing: int, variance: float
    ) -> Features:
        """Return the columns themselves for linear kernels, Nystrom features for all others."""
        name = self.kernel if self._named else None
        relevance = feature_relevance(kernel) if name == "ard-linear" else None
        if name == "linear":
            relevance = np.full(X.shape[1], float(kernel.k1.constant_value))
        if relevance is not None and X.shape[1] < len(X):
            return LinearFeatures(np.sqrt(relevance))
        return self._nystrom(kernel, X, n_inducing, variance)

    def _nystrom(
        self, kernel: Kernel, X: np.ndarray, n_inducing: int, variance: float
    ) -> NystromFeatures:
        """Return features of rows that stand for all, up to a small part of the noise."""
        size = n_inducing if self.n_inducing is None else self.n_inducing
        some = X[spread_sample(X, np.zeros(len(X), dtype=int), size)]
        unexplained = float(np.clip(_UNEXPLAINED / variance, *_UNEXPLAINED_SHARES)) * float(
            np.mean(kernel.diag(some))
        )
        return NystromFeatures(kernel, some[well_spread(kernel, some, unexplained)])

    def predict_latent(self, X: Any, return_std: bool = False) -> Any:
        """Predict the latent function.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.
        return_std : bool
            Whether to return the posterior standard deviation too (without the noise).

        Returns
        -------
        mean : ndarray of shape (n_samples,)
            On the scale of `thresholds_`.
        std : ndarray of shape (n_samples,)
            Only with `return_std`.
        """
        features = self._centred(X)
        mean, variance = self._model.latent(features)
        return (mean, np.sqrt(variance)) if return_std else mean

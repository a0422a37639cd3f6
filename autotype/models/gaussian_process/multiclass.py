"""Multi-class Gaussian-process classification as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel

from autotype.models import parameters
from autotype.models.gaussian_process.classifier import GPClassifier, KernelOption
from autotype.models.gaussian_process.features import LinearFeatures, NystromFeatures, spread_sample
from autotype.models.gaussian_process.multiclass_models import (
    EPProbit,
    ExactMulticlass,
    LaplaceSoftmax,
    LaplaceWeights,
    fit_exact,
    fit_laplace_weights,
)
from autotype.models.gaussian_process.weight_space.softmax_laplace import BIAS_VARIANCE
from autotype.models.targets import OrdinalLabels, read_ordinal_labels

_EXACT_ROWS = 600  # above, other than linear kernels go through Nystrom features
_SHAPE_ROWS = 300  # rows from which a kernel's shape is learned for Nystrom features


@parameters.estimator()
class GPMulticlassClassifier(GPClassifier):
    """Classification into unordered classes with one Gaussian process a class.

    Every class has a latent function with the same Gaussian-process prior. The kernel is learned by
    maximising the evidence, so that there is nothing to cross-validate.

    Parameters
    ----------
    kernel : {"rbf", "linear", "ard-rbf", "ard-linear"}, Kernel or callable
        Covariance of each latent function. A name starts on the scale of the features and learns
        its amplitude; a scikit-learn kernel object is used as it is. A callable gets two matrices
        of rows, NaN where entries are missing, and returns their kernel, whose amplitude is
        learned. The default is "rbf".
    inference : {"laplace", "ep"}, default="laplace"
        "laplace": the softmax of the latents gives the probabilities, their posterior is
        approximated at its mode, and predictions average over it or plug the mode in, whichever
        has the better leave-one-out score. "ep": the class is that of the largest latent, each
        with standard normal noise (multinomial probit), and expectation propagation approximates
        the posterior, up to 600 rows; above, it is the same as "laplace".
    n_inducing : int, default=100
        Inducing rows of the Nystrom features that stand for the kernel above 600 rows.
    max_iter : int, default=100
        Most iterations of the hyper-parameters' ascent; 0 keeps the start.

    Attributes
    ----------
    classes_ : ndarray of shape (n_levels,)
        Classes; those of a Categorical that never occur in y are kept.
    kernel_ : Kernel
        The kernel with learned hyper-parameters.
    log_evidence_ : float
        Approximate log marginal likelihood. The two inferences fit different likelihoods, and
        Laplace's weight space has a bias of its own: evidences compare within one regime.
    loo_log_likelihood_ : float
        Approximate leave-one-out log predictive probability, summed over the rows (weighted); it
        compares across all of them.
    relevance_ : ndarray of shape (n_features,) or None
        With an ARD kernel, how much each feature counts; None with others.
    n_iter_ : int
        Iterations of the ascent (Newton steps in weight space).
    n_features_in_, feature_names_in_ :
        As everywhere in scikit-learn.

    Notes
    -----
    Exact up to 600 rows, O(L n^3) a Newton step or sweep; with "ep" the kernel is learned from 300
    of them, by the gradient of EP's evidence. With "laplace" ``kernel="linear"`` is fitted in
    weight space above as many rows as features, O(n (L d)^2). Above 600 rows other kernels go
    through Nystrom features, their shape learned from 300 rows and an amplitude on top from all.

    References
    ----------
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, sec. 3.5.
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables, sec. 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(0, 3, 30)[:, None]
    >>> y = np.array(["low", "high", "low"])[np.digitize(x[:, 0], [1, 2])]
    >>> GPMulticlassClassifier().fit(x, y).predict([[0.2], [1.5], [2.8]]).tolist()
    ['low', 'high', 'low']
    """

    kernel: KernelOption = "rbf"
    _: KW_ONLY
    inference: Literal["laplace", "ep"] = "laplace"
    n_inducing: parameters.PositiveInt = 100
    max_iter: parameters.NonNegativeInt = 100

    def _read_labels(self, y: Any) -> tuple[OrdinalLabels, np.ndarray]:
        """Read unordered classes: any labels, or the categories of a Categorical as they are."""
        dtype = getattr(y, "dtype", None)
        if not isinstance(dtype, pd.CategoricalDtype):
            return read_ordinal_labels(y, "sorted")
        labels, codes = read_ordinal_labels(y, list(dtype.categories))
        return replace(labels, dtype=dtype), codes

    def _fit_model(
        self, X: np.ndarray, codes: np.ndarray, weight: np.ndarray
    ) -> ExactMulticlass | LaplaceWeights:
        n_levels = len(self.classes_)
        kernel = self._start(X, weight)
        laplace = self.inference == "laplace" or len(X) > _EXACT_ROWS
        if laplace and self._named and self.kernel == "linear" and X.shape[1] < len(X):
            return self._fit_linear(kernel, X, codes, weight)
        kind = LaplaceSoftmax if laplace else EPProbit
        inference = kind(codes, n_levels, weight)
        if len(X) <= (_EXACT_ROWS if laplace else _SHAPE_ROWS):
            return fit_exact(kernel, X, inference, max_iter=self.max_iter)
        rows = spread_sample(X, codes, _SHAPE_ROWS)
        some = kind(codes[rows], n_levels, weight[rows])
        part = fit_exact(kernel, X[rows], some, max_iter=self.max_iter)
        if not laplace:
            whole = fit_exact(part.kernel, X, inference, max_iter=0)
            return replace(whole, n_iter=part.n_iter, warning=whole.warning or part.warning)
        inducing = spread_sample(X, np.zeros(len(X), dtype=int), self.n_inducing)
        features = NystromFeatures(part.kernel, X[inducing])
        return fit_laplace_weights(part.kernel, features, X, codes, n_levels, weight)

    def _fit_linear(
        self, kernel: Kernel, X: np.ndarray, codes: np.ndarray, weight: np.ndarray
    ) -> LaplaceWeights:
        features = LinearFeatures(np.full(X.shape[1], float(np.exp(0.5 * kernel.theta[0]))))
        fitted = fit_laplace_weights(kernel, features, X, codes, len(self.classes_), weight)
        theta = kernel.theta + np.log(fitted.fit.weight_variance)
        return replace(fitted, kernel=kernel.clone_with_theta(theta))

    def _start(self, X: np.ndarray, weight: np.ndarray) -> Kernel:
        base = self._start_kernel(X, weight)
        if isinstance(self.kernel, Kernel):
            return base
        if not self._named:  # on the scale on which the named ones start
            unit = float(np.average(base.diag(X), weights=weight)) or 1.0
            return ConstantKernel(4.0 / unit, (1e-3 / unit, 1e3 / unit)) * base
        if self.kernel == "ard-linear":
            return base + ConstantKernel(BIAS_VARIANCE, "fixed")
        if self.kernel == "linear":
            start = base.k1.constant_value
            amplitude = ConstantKernel(start, (start * 1e-6, start * 1e4))
            return amplitude * base.k2 + ConstantKernel(BIAS_VARIANCE, "fixed")
        return ConstantKernel(4.0, (1e-3, 1e3)) * base

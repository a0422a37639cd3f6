"""The fixed-point iteration of expectation propagation: parallel updates with Anderson mixing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from scipy.linalg import lapack

# Sites that move by less than this, in posterior deviations, are near their fixed point.
_NEAR = 0.1


class AndersonMixer:
    """Anderson mixing of a fixed-point iteration x <- x + residual(x).

    Sharp likelihoods make plain parallel sweeps oscillate or creep; the combination of the last
    steps whose residual is smallest does neither. Where the change grows nevertheless, the memory
    is dropped and the next step is damped.
    """

    _MEMORY = 6

    def __init__(self) -> None:
        self._past: deque[tuple[np.ndarray, np.ndarray]] = deque(maxlen=self._MEMORY + 1)
        self._least = np.inf
        self._damping = 1.0
        self._last: np.ndarray | None = None

    def _swing(self, scaled: np.ndarray) -> float:
        """Project the residual on the last one; negative where its sign has turned."""
        last, self._last = self._last, scaled
        if last is None:
            return 0.0
        return min(max(float(scaled @ last / max(last @ last, 1e-300)), -4.0), 0.0)

    def next(
        self, x: np.ndarray, residual: np.ndarray, unit: np.ndarray, change: float
    ) -> np.ndarray:
        """Choose the next point; `unit` scales the entries to comparable sizes."""
        swing = self._swing(residual * unit)
        if change > _NEAR or change > 2.0 * self._least:
            self._past.clear()
            self._least = np.inf
            # rho = 1 - step (1 - eigenvalue) of the dominant direction: undo its swing.
            self._damping = min(max(self._damping / (1.0 - swing), 0.1), 1.0)
        else:
            self._damping = min(1.0, 1.5 * self._damping)
            self._least = min(self._least, change)
        self._past.append((x, residual))
        step = self._damping * residual
        if len(self._past) == 1:
            return x + step
        # Coefficients that minimise the norm of the mixed residual: regularised least squares.
        past = np.array(self._past)
        moves, turns = (past[1:] - past[:-1]).swapaxes(0, 1)
        scaled = turns * unit
        gram = scaled @ scaled.T
        gram.flat[:: len(gram) + 1] *= 1.0 + 1e-10
        _, mix, status = lapack.dposv(gram, scaled @ (residual * unit))
        if status != 0:
            return x + step
        return x + step - mix @ moves - self._damping * (mix @ turns)


class SiteIteration:
    """Sites updated all at once until none moves: `for sites in iteration`, then `update`.

    Sites are one vector, the precisions tau in its first half and the shifts nu in its second.
    The last sites that the loop got are those of the end.

    Parameters
    ----------
    precision, shift : ndarray of the same size
        Sites to start from.
    tol : float
        Stop once the change of a sweep falls below it.
    max_iter : int
        Most sweeps.

    Attributes
    ----------
    n_iter : int
        Sweeps.
    converged : bool
        Whether the last change was below `tol`.

    Examples
    --------
    Sites whose precision is 1 and whose shift is half the last one:

    >>> iteration = SiteIteration(np.zeros(1), np.ones(1), tol=1e-9, max_iter=50)
    >>> for tau, nu in iteration:
    ...     change = max(abs(tau[0] - 1), abs(nu[0] / 2))
    ...     iteration.update(np.ones(1), nu / 2, variance=np.ones(1), change=change)
    >>> bool(iteration.converged), tau.round(6)
    (True, array([1.]))
    """

    def __init__(
        self, precision: np.ndarray, shift: np.ndarray, *, tol: float, max_iter: int
    ) -> None:
        self.tol = tol
        self.max_iter = max_iter
        self.n_iter = 0
        self.converged = False
        self._sites = np.concatenate([precision, shift], axis=None)
        self._mixer = AndersonMixer()

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        half = len(self._sites) // 2
        while self.n_iter < self.max_iter and not self.converged:
            self.n_iter += 1
            yield self._sites[:half], self._sites[half:]

    def update(
        self, precision: np.ndarray, shift: np.ndarray, *, variance: np.ndarray, change: float
    ) -> None:
        """Move towards the sites that match the moments.

        Parameters
        ----------
        precision, shift : ndarray
            Sites whose moments match at the present ones.
        variance : ndarray
            Posterior variances of what the sites are on.
        change : float
            Largest move of a sweep, in posterior standard deviations.
        """
        self.converged = change < self.tol
        if self.converged:
            return
        residual = np.concatenate([precision, shift], axis=None) - self._sites
        # Changes in units in which the posterior has variance 1.
        unit = np.concatenate([variance, np.sqrt(variance)], axis=None)
        self._sites = self._mixer.next(self._sites, residual, unit, change)
        # The likelihoods are log-concave: no site has a negative precision.
        half = len(self._sites) // 2
        np.maximum(self._sites[:half], 0.0, out=self._sites[:half])

"""Anderson mixing: the steadier and faster way to iterate EP's sites to their fixed point."""

from __future__ import annotations

import numpy as np

# Sites that move by less than this, in posterior deviations, are near their fixed point.
_NEAR = 0.1


class AndersonMixer:
    """Speeds up and steadies a fixed-point iteration x <- x + residual(x) from its last steps.

    Sharp likelihoods make plain parallel sweeps swing to and fro or creep; the combination of the
    last steps whose residual is smallest does neither. Where the change grows nevertheless, the
    memory is dropped and the next step is damped.
    """

    _MEMORY = 6

    def __init__(self) -> None:
        self._points: list[np.ndarray] = []
        self._residuals: list[np.ndarray] = []
        self._least = np.inf
        self._damping = 1.0
        self._last: np.ndarray | None = None

    def _swing(self, scaled: np.ndarray) -> float:
        """How much of the last residual comes back, negative where its sign has turned."""
        last, self._last = self._last, scaled
        if last is None:
            return 0.0
        return float(np.clip(scaled @ last / max(last @ last, 1e-300), -4.0, 0.0))

    def next(
        self, x: np.ndarray, residual: np.ndarray, unit: np.ndarray, change: float
    ) -> np.ndarray:
        """Choose the next point; `unit` scales the entries to comparable sizes."""
        swing = self._swing(residual * unit)
        if change > _NEAR or change > 2.0 * self._least:
            self._points.clear()
            self._residuals.clear()
            self._least = np.inf
            # rho = 1 - step (1 - eigenvalue) of the dominant direction: undo its swing.
            self._damping = float(np.clip(self._damping / (1.0 - swing), 0.1, 1.0))
        else:
            self._damping = min(1.0, 1.5 * self._damping)
            self._least = min(self._least, change)
        self._points = [*self._points[-self._MEMORY :], x]
        self._residuals = [*self._residuals[-self._MEMORY :], residual]
        step = self._damping * residual
        if len(self._points) < 2:
            return x + step
        moves = np.diff(self._points, axis=0)
        turns = np.diff(self._residuals, axis=0)
        scaled = turns * unit
        gram = scaled @ scaled.T
        gram[np.diag_indices_from(gram)] *= 1.0 + 1e-10
        try:
            mix = np.linalg.solve(gram, scaled @ (residual * unit))
        except np.linalg.LinAlgError:
            return x + step
        return x + step - mix @ (moves + self._damping * turns)

"""A plain interior-point method for small convex quadratic programs: slow, dense, obvious."""

from __future__ import annotations

import numpy as np


def solve_qp(P, q, lower, upper, A=None, b=None, max_iter=200, tol=1e-11):
    """Minimise x'Px/2 + q'x subject to lower <= x <= upper and Ax = b, all bounds finite.

    Newton steps on the perturbed optimality conditions, with a fixed centring of 0.1.
    """
    n = len(q)
    A = np.zeros((0, n)) if A is None else A
    b = np.zeros(0) if b is None else b
    x = (lower + upper) / 2
    z_low, z_up = np.ones(n), np.ones(n)
    nu = np.zeros(len(b))
    scale = 1 + np.abs(q).max()
    for _ in range(max_iter):
        to_low, to_up = x - lower, upper - x
        dual_residual = P @ x + q + A.T @ nu - z_low + z_up
        primal_residual = A @ x - b
        mu = (z_low @ to_low + z_up @ to_up) / (2 * n)
        if mu < tol * scale and np.abs(dual_residual).max() < 1e-9 * scale:
            return x
        target = 0.1 * mu
        H = P + np.diag(z_low / to_low + z_up / to_up)
        rhs = -dual_residual + (target / to_low - z_low) - (target / to_up - z_up)
        system = np.block([[H, A.T], [A, -1e-12 * np.eye(len(b))]])
        step = np.linalg.solve(system, np.concatenate([rhs, -primal_residual]))
        dx, dnu = step[:n], step[n:]
        d_low = target / to_low - z_low - z_low / to_low * dx
        d_up = target / to_up - z_up + z_up / to_up * dx
        length = 1.0
        for value, change in ((to_low, dx), (to_up, -dx), (z_low, d_low), (z_up, d_up)):
            falling = change < 0
            if falling.any():
                length = min(length, 0.99 * np.min(-value[falling] / change[falling]))
        x = x + length * dx
        nu = nu + length * dnu
        z_low, z_up = z_low + length * d_low, z_up + length * d_up
    raise RuntimeError("the quadratic program did not converge")

"""Slow, obvious references for the models of steps and of the softmax: dense, site after site."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr, logsumexp
from scipy.stats import norm


def expectation_propagation(mean, covariance, directions, sweeps=400):
    """EP for x ~ N(mean, covariance) seen to satisfy direction'x > 0, one rank-one site each.

    Returns the posterior's mean and covariance, and the log evidence.
    """
    prior = np.linalg.inv(covariance)
    n = len(directions)
    tau, nu, log_sites = np.full(n, 1e-6), np.zeros(n), np.zeros(n)

    def posterior():
        P = prior + directions.T @ (tau[:, None] * directions)
        C = np.linalg.inv(P)
        return C @ (prior @ mean + directions.T @ nu), C

    for _ in range(sweeps):
        for i, a in enumerate(directions):
            m, C = posterior()
            v, c = a @ C @ a, a @ m
            cavity = 1.0 / (1.0 / v - tau[i])
            centre = cavity * (c / v - nu[i])
            z = centre / np.sqrt(cavity)
            ratio = np.exp(norm.logpdf(z) - log_ndtr(z))
            tilted_mean = centre + np.sqrt(cavity) * ratio
            tilted = cavity * (1.0 - ratio * (z + ratio))
            tau[i] = 1.0 / tilted - 1.0 / cavity
            nu[i] = tilted_mean / tilted - centre / cavity
            # log of the site's normaliser: Z over the integral of its Gaussian on the cavity
            grown = 1.0 + tau[i] * cavity
            quadratic = cavity * nu[i] ** 2 + 2.0 * centre * nu[i] - centre**2 * tau[i]
            log_sites[i] = log_ndtr(z) + 0.5 * np.log(grown) - 0.5 * quadratic / grown
    m, C = posterior()
    log_evidence = (
        log_sites.sum()
        + 0.5 * (np.linalg.slogdet(C)[1] + np.linalg.slogdet(prior)[1])
        + 0.5 * (m @ np.linalg.solve(C, m) - mean @ prior @ mean)
    )
    return m, C, log_evidence


def threshold_directions(ranks, n_levels):
    """Rows over x = (f, b): f_i above b_l for l < rank, below otherwise."""
    n = len(ranks)
    rows = []
    for i, rank in enumerate(ranks):
        for level in range(n_levels - 1):
            a = np.zeros(n + n_levels - 1)
            a[i], a[n + level] = 1.0, -1.0
            rows.append(a if rank > level else -a)
    return np.array(rows)


def class_directions(codes, n_levels):
    """Rows over x = g, row after row: g_y above every other."""
    n = len(codes)
    rows = []
    for i, code in enumerate(codes):
        for k in range(n_levels):
            if k != code:
                a = np.zeros((n, n_levels))
                a[i, code], a[i, k] = 1.0, -1.0
                rows.append(a.ravel())
    return np.array(rows)


def class_covariance(K, n_levels):
    """Covariance of g = f + e, row after row."""
    return np.kron(K + np.eye(len(K)), np.eye(n_levels))


def softmax_laplace(K, codes, weight, n_levels):
    """Mode by a general minimiser, evidence from dense matrices."""
    n = len(K)
    rows = np.arange(n)
    precision = np.linalg.inv(K)

    def loss(flat):
        f = flat.reshape(n, n_levels)
        log_prob = f - logsumexp(f, axis=1, keepdims=True)
        slope = weight[:, None] * np.exp(log_prob)
        slope[rows, codes] -= weight
        value = 0.5 * np.sum(f * (precision @ f)) - weight @ log_prob[rows, codes]
        return value, (slope + precision @ f).ravel()

    found = minimize(loss, np.zeros(n * n_levels), jac=True, method="BFGS", options={"gtol": 1e-10})
    f = found.x.reshape(n, n_levels)
    p = np.exp(f - logsumexp(f, axis=1, keepdims=True))
    W = np.zeros((n * n_levels, n * n_levels))
    for i in range(n):
        block = slice(i * n_levels, (i + 1) * n_levels)
        W[block, block] = weight[i] * (np.diag(p[i]) - np.outer(p[i], p[i]))
    dense = np.kron(K, np.eye(n_levels))
    _, log_det = np.linalg.slogdet(np.eye(len(W)) + dense @ W)
    return f, np.linalg.inv(np.linalg.inv(dense) + W), -found.fun - 0.5 * log_det

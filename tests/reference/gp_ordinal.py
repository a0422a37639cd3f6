"""Slow, obvious references for the latent Gaussian-process solvers."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import erfcx, expit, log_expit, log_ndtr, ndtr
from scipy.stats import beta, norm

LOGISTIC_DEVIATION = np.pi / np.sqrt(3)


def distribution(x, logistic=False):
    """Distribution function of the noise, of variance 1."""
    return expit(LOGISTIC_DEVIATION * x) if logistic else ndtr(x)


def probability(f, ranks, thresholds, noise, logistic=False):
    """F((b_y - f)/s) - F((b_{y-1} - f)/s), without tricks."""
    bounds = np.concatenate([[-np.inf], thresholds, [np.inf]])
    ends = ((bounds[ranks + 1] - f) / noise, (bounds[ranks] - f) / noise)
    return distribution(ends[0], logistic) - distribution(ends[1], logistic)


def interval_likelihood(a, c, logistic=False):
    """Log of F(a) - F(c) and its derivatives, all by SciPy's functions, from f/F and f'/f."""
    k = LOGISTIC_DEVIATION
    upper, lower = np.where(c > 0, -c, a), np.where(c > 0, -a, c)
    if logistic:
        log_tails = log_expit(k * upper), log_expit(k * lower)
        mills = [k * expit(-k * x) for x in (upper, lower)]
        by_a, by_c = k * np.tanh(k * a / 2), k * np.tanh(k * c / 2)
    else:
        log_tails = log_ndtr(upper), log_ndtr(lower)
        with np.errstate(divide="ignore"):  # infinite ends, which are replaced below
            mills = [np.sqrt(2 / np.pi) / erfcx(-x / np.sqrt(2)) for x in (upper, lower)]
        by_a, by_c = (np.where(np.isfinite(end), end, 0.0) for end in (a, c))
    ratio = np.exp(log_tails[1] - log_tails[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        by_upper, by_lower = mills[0] / (1 - ratio), mills[1] * ratio / (1 - ratio)
    pa = np.where(np.isfinite(a), np.where(c > 0, by_lower, by_upper), 0.0)
    pc = np.where(np.isfinite(c), np.where(c > 0, by_upper, by_lower), 0.0)
    return {
        "log_prob": log_tails[0] + np.log1p(-ratio),
        "grad_a": pa,
        "grad_c": pc,
        "hess_aa": pa * np.maximum(by_a + pa, 0.0),
        "hess_cc": pc * np.maximum(pc - by_c, 0.0),
        "hess_ac": -pa * pc,
    }


def log_probability(f, ranks, thresholds, noise, logistic=False):
    """Its logarithm."""
    return np.log(probability(f, ranks, thresholds, noise, logistic))


def laplace(K, ranks, weight, thresholds, noise, logistic=False):
    """Mode by a general minimiser; evidence with a numerical second derivative."""
    precision = np.linalg.inv(K)
    arguments = ranks, thresholds, noise, logistic

    def loss(f):
        return 0.5 * f @ precision @ f - weight @ log_probability(f, *arguments)

    def slope(f, h=1e-6):
        up = log_probability(f + h, *arguments)
        down = log_probability(f - h, *arguments)
        return precision @ f - weight * (up - down) / (2 * h)

    f = minimize(loss, np.zeros(len(K)), jac=slope, method="BFGS", options={"gtol": 1e-9}).x
    h = 1e-4
    around = [log_probability(f + k * h, *arguments) for k in (-1, 0, 1)]
    W = -weight * (around[0] - 2 * around[1] + around[2]) / h**2
    _, log_det = np.linalg.slogdet(np.eye(len(K)) + K @ np.diag(W))
    return f, -loss(f) - 0.5 * log_det


def expectation_propagation(K, ranks, thresholds, noise, sweeps=60):
    """Site after site, as appendix B prints it, with a fresh inverse after every update."""
    n = len(K)
    bounds = np.concatenate([[-np.inf], thresholds, [np.inf]])
    p, pm = np.zeros(n), np.zeros(n)
    log_z = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            A = np.linalg.inv(np.linalg.inv(K) + np.diag(p))
            h = A @ pm
            lam = A[i, i] / (1 - A[i, i] * p[i])
            centre = h[i] + lam * (p[i] * h[i] - pm[i])
            scale = np.sqrt(lam + noise**2)
            z1, z2 = (bounds[ranks[i] + 1] - centre) / scale, (bounds[ranks[i]] - centre) / scale
            Z = ndtr(z1) - ndtr(z2)
            d1, d2 = norm.pdf(z1), norm.pdf(z2)
            e1, e2 = (0 if np.isinf(z) else z * norm.pdf(z) for z in (z1, z2))
            beta = -(e1 - e2) / (2 * scale**2 * Z)
            gamma = -(d1 - d2) / (scale * Z)
            u = gamma**2 - 2 * beta
            p[i] = u / (1 - lam * u)
            pm[i] = p[i] * (centre + gamma / u)
            log_z[i] = (
                np.log(Z)
                + 0.5 * np.log(1 + p[i] * lam)
                - 0.5
                * (2 * centre * pm[i] + pm[i] ** 2 * lam - centre**2 * p[i])
                / (1 + p[i] * lam)
            )
    A = np.linalg.inv(np.linalg.inv(K) + np.diag(p))
    _, log_det = np.linalg.slogdet(np.eye(n) + K @ np.diag(p))
    return A @ pm, np.diag(A), log_z.sum() + 0.5 * pm @ A @ pm - 0.5 * log_det


def expectation_propagation_on_a_grid(K, ranks, thresholds, noise, *, logistic, sweeps=40):
    """Site after site, the moments of cavity times likelihood summed over a fine grid."""
    n = len(K)
    p, pm, log_z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            A = np.linalg.inv(np.linalg.inv(K) + np.diag(p))
            variance = 1 / (1 / A[i, i] - p[i])
            mean = variance * ((A @ pm)[i] / A[i, i] - pm[i])
            x = np.linspace(-10, 10, 8_001)
            f = mean + np.sqrt(variance) * x
            density = norm.pdf(x) * probability(f, ranks[i], thresholds, noise, logistic)
            mass = density * (x[1] - x[0])
            Z, centre = mass.sum(), f @ mass / mass.sum()
            spread = (f - centre) ** 2 @ mass / Z
            p[i] = 1 / spread - 1 / variance
            pm[i] = centre / spread - mean / variance
            # log of Z over the mean of the site exp(pm f - p f^2 / 2) in the cavity
            grown = 1 + p[i] * variance
            site = (variance * pm[i] ** 2 + 2 * mean * pm[i] - mean**2 * p[i]) / grown
            log_z[i] = np.log(Z) + 0.5 * np.log(grown) - 0.5 * site
    A = np.linalg.inv(np.linalg.inv(K) + np.diag(p))
    _, log_det = np.linalg.slogdet(np.eye(n) + K @ np.diag(p))
    return A @ pm, np.diag(A), log_z.sum() + 0.5 * pm @ A @ pm - 0.5 * log_det


def quadrature(K, ranks, thresholds, noise, *, logistic=False, size=400, width=9.0):
    """Log evidence, means and variances of two latent values on a grid of the whitened plane."""
    nodes = np.linspace(-width, width, size)
    u, v = np.meshgrid(nodes, nodes, indexing="ij")
    white = np.stack([u.ravel(), v.ravel()])
    f = np.linalg.cholesky(K) @ white
    mass = np.exp(-0.5 * (white**2).sum(axis=0)) / (2 * np.pi) * (nodes[1] - nodes[0]) ** 2
    for i in range(2):
        mass = mass * probability(f[i], ranks[i], thresholds, noise, logistic)
    total = mass.sum()
    mean = f @ mass / total
    return np.log(total), mean, ((f - mean[:, None]) ** 2) @ mass / total


def variational_bound(K, ranks, thresholds, noise, *, logistic=False, nodes=80):
    """Largest lower bound on the log evidence over Gaussians N(m, (K^-1 + diag(p))^-1), p > 0.

    E log p(y|f) by Gauss-Hermite nodes, less the Kullback-Leibler divergence from the prior; the
    best Gaussian has this form, and a general minimiser finds m and ln p.
    """
    n = len(K)
    x, w = np.polynomial.hermite_e.hermegauss(nodes)
    w = w / w.sum()
    precision = np.linalg.inv(K)
    bounds = np.concatenate([[-np.inf], thresholds, [np.inf]])

    def minus_bound(parameters):
        m, p = parameters[:n], np.exp(parameters[n:])
        V = np.linalg.inv(precision + np.diag(p))
        expected = 0.0
        for i in range(n):
            f = m[i] + np.sqrt(V[i, i]) * x
            a, c = (bounds[ranks[i] + 1] - f) / noise, (bounds[ranks[i]] - f) / noise
            expected += w @ interval_likelihood(a, c, logistic)["log_prob"]
        trace, distance = np.trace(precision @ V), m @ precision @ m
        divergence = np.linalg.slogdet(K)[1] - np.linalg.slogdet(V)[1] - n
        return 0.5 * (trace + distance + divergence) - expected

    start = np.concatenate([np.zeros(n), np.zeros(n)])
    return -minimize(minus_bound, start, method="BFGS", options={"gtol": 1e-7}).fun


def explained_share(K, noise, weight):
    """v / (v + s^2), v half the expected squared difference of two rows drawn by their weights."""
    p = weight / weight.sum()
    v = 0.0
    for i in range(len(K)):
        for j in range(len(K)):
            v += 0.5 * p[i] * p[j] * (K[i, i] - 2 * K[i, j] + K[j, j])
    return v / (v + noise**2)


def share_log_density(K, noise, weight, strength):
    """Log density of the logit of a proportion of Beta(k, k), with k ln(1/4) at the share 1/2."""
    if strength == 0:
        return 0.0
    shares = np.array([explained_share(K, noise, weight), 0.5])
    # d logit R = dR / (R (1 - R))
    density = beta(strength, strength).logpdf(shares) + np.log(shares * (1 - shares))
    return density[0] - density[1] + strength * np.log(0.25)

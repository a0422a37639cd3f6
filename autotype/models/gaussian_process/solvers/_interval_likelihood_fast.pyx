# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The rows' loops of `interval_likelihood.py`, and of Laplace's method in `ordinal_laplace.py`."""

from libc.math cimport (
    INFINITY, NAN, erfc, exp, expm1, fabs, fma, isfinite, isnan, log, log1p, sqrt, tanh
)

cdef double SQRT_HALF = 0.7071067811865476
cdef double SQRT_2_OVER_PI = 0.7978845608028654
cdef double ONE_OVER_SQRT_PI = 0.5641895835477563
cdef double ONE_OVER_SQRT_2_PI = 0.3989422804014327
cdef double LOG_TWO = 0.6931471805599453
cdef double LOGISTIC_DEVIATION = 1.8137993642342178  # pi / sqrt(3)
cdef double LOGISTIC_CURVATURE = 1.6449340668482264  # pi^2 / 6, the largest where it has variance 1

cdef enum:
    FAR = 8  # from here on the asymptotic series of erfcx has all digits
    MOST_TERMS = 40
    MOST_COMPONENTS = 32


cdef struct Terms:
    double log_prob
    double grad_a
    double grad_c
    double hess_aa
    double hess_cc
    double hess_ac
    double slope  # grad_a - grad_c
    double curvature  # minus the second derivative along a common shift of both ends


cdef struct Bends:
    double slope_a  # derivatives of -slope in the ends
    double slope_c
    double curvature_a  # derivatives of the curvature in the ends
    double curvature_c


cdef inline double _erfcx(double x) noexcept nogil:
    """exp(x^2) erfc(x) for x >= 0."""
    cdef double square = x * x
    cdef double term, total
    cdef int k
    if x < FAR:  # what rounding takes from x^2 is put back
        return exp(square) * (1.0 + fma(x, x, -square)) * erfc(x)
    if not isfinite(x):
        return 0.0
    # 1 / (x sqrt(pi)) times the sum of (-1)^k (2k - 1)!! / (2 x^2)^k
    square = 0.5 / x / x
    term = 1.0
    total = 1.0
    for k in range(1, MOST_TERMS):
        term *= -(2 * k - 1) * square
        total += term
        if -1e-17 < term < 1e-17:
            break
    return ONE_OVER_SQRT_PI / x * total


cdef inline Terms _normal_terms(double a, double c) noexcept nogil:
    """Log probability of the interval (c, a), its slopes and its negative Hessian."""
    cdef Terms terms
    cdef bint mirrored = c > 0  # into the lower tail: in the upper one Phi is 1 up to rounding
    cdef double upper = -c if mirrored else a
    cdef double lower = -a if mirrored else c
    cdef double by_upper, by_lower, missing, mass, fall
    if not upper > lower:
        terms.log_prob = -INFINITY
        by_upper = NAN
        by_lower = NAN
    elif upper > 0:
        # What lies outside: both tails are small, or the interval is wide.
        missing = 0.5 * (erfc(SQRT_HALF * upper) + erfc(-SQRT_HALF * lower))
        terms.log_prob = log1p(-missing)
        mass = ONE_OVER_SQRT_2_PI / (1.0 - missing)
        by_upper = exp(-0.5 * upper * upper) * mass
        by_lower = exp(-0.5 * lower * lower) * mass
    else:
        # Everything over phi(upper), which far out is no double.
        fall = exp(0.5 * (upper - lower) * (upper + lower))
        mass = _erfcx(-SQRT_HALF * upper)
        if fall > 0:
            mass -= fall * _erfcx(-SQRT_HALF * lower)
        terms.log_prob = log(mass) - LOG_TWO - 0.5 * upper * upper
        by_upper = SQRT_2_OVER_PI / mass
        by_lower = fall * by_upper
    terms.grad_a = by_lower if mirrored else by_upper
    terms.grad_c = by_upper if mirrored else by_lower
    # The terms of an infinite end vanish.
    if not isfinite(a):
        terms.grad_a = 0.0
        a = 0.0
    if not isfinite(c):
        terms.grad_c = 0.0
        c = 0.0
    terms.hess_aa = terms.grad_a * max(a + terms.grad_a, 0.0)
    terms.hess_cc = terms.grad_c * max(terms.grad_c - c, 0.0)
    terms.hess_ac = -terms.grad_a * terms.grad_c
    terms.slope = terms.grad_a - terms.grad_c
    # Log-concave with noise of variance 1; far tails lose it to rounding.
    terms.curvature = terms.hess_aa + terms.hess_cc + 2.0 * terms.hess_ac
    terms.curvature = min(max(terms.curvature, 0.0), 1.0)
    return terms


cdef inline double _softplus(double x) noexcept nogil:
    """log(1 + exp(x))."""
    return max(x, 0.0) + log1p(exp(-fabs(x)))


cdef inline double _expit(double x) noexcept nogil:
    """1 / (1 + exp(-x))."""
    cdef double small = exp(-fabs(x))
    return (1.0 if x >= 0 else small) / (1.0 + small)


cdef inline double _logistic_density(double x) noexcept nogil:
    cdef double small = exp(-fabs(x))
    return small / ((1.0 + small) * (1.0 + small))


cdef inline Terms _logistic_terms(double a, double c) noexcept nogil:
    """The same for the logistic distribution of variance 1.

    With L the logistic function, L(a) - L(c) = L(a) L(-c) (1 - exp(c - a)).
    """
    cdef Terms terms
    cdef double k = LOGISTIC_DEVIATION
    cdef double width, odds, joint, by_a, by_c
    if not a > c:
        terms.log_prob = -INFINITY
        a = NAN
        c = NAN
    a *= k
    c *= k
    width = a - c
    if width == width:
        terms.log_prob = -_softplus(-a) - _softplus(c)
        terms.log_prob += log(-expm1(-width)) if width < LOG_TWO else log1p(-exp(-width))
    odds = 1.0 / expm1(width)
    joint = k * k * odds * (1.0 + odds)
    by_a = _logistic_density(a)
    by_c = _logistic_density(c)
    terms.grad_a = k * (_expit(-a) + odds)
    terms.grad_c = k * (_expit(c) + odds)
    terms.hess_aa = k * k * by_a + joint
    terms.hess_cc = k * k * by_c + joint
    terms.hess_ac = -joint
    # Without what cancels in narrow intervals.
    terms.slope = k * (_expit(-a) - _expit(c))
    terms.curvature = k * k * (by_a + by_c)
    return terms


cdef inline Terms _terms(double a, double c, bint logistic) noexcept nogil:
    return _logistic_terms(a, c) if logistic else _normal_terms(a, c)


def interval_terms(
    const double[::1] a,
    const double[::1] c,
    bint logistic,
    double[:, ::1] terms_out,
):
    """Evaluate all terms of the intervals (c, a), one a row of `terms_out`."""
    cdef Py_ssize_t i
    cdef Terms terms
    with nogil:
        for i in range(a.shape[0]):
            terms = _terms(a[i], c[i], logistic)
            terms_out[0, i] = terms.log_prob
            terms_out[1, i] = terms.grad_a
            terms_out[2, i] = terms.grad_c
            terms_out[3, i] = terms.hess_aa
            terms_out[4, i] = terms.hess_cc
            terms_out[5, i] = terms.hess_ac
    return 0


def interval_log_probabilities(
    const double[::1] a,
    const double[::1] c,
    bint logistic,
    double[::1] log_prob_out,
):
    """Evaluate the log probabilities of the intervals (c, a) alone."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(a.shape[0]):
            log_prob_out[i] = _terms(a[i], c[i], logistic).log_prob
    return 0


def latent_slopes(
    const double[::1] latent,
    const Py_ssize_t[::1] ranks,
    const double[::1] bounds,
    double noise,
    const double[::1] weight,
    bint logistic,
    double[::1] log_prob_out,
    double[::1] slope_out,
    double[::1] root_out,
):
    """Evaluate each row's weighted log likelihood, its slope in f and the root of its curvature.

    Rank r lies between `bounds[r]` and `bounds[r + 1]`.
    """
    cdef Py_ssize_t i
    cdef Terms terms
    with nogil:
        for i in range(latent.shape[0]):
            terms = _terms(
                (bounds[ranks[i] + 1] - latent[i]) / noise,
                (bounds[ranks[i]] - latent[i]) / noise,
                logistic,
            )
            log_prob_out[i] = weight[i] * terms.log_prob
            slope_out[i] = -weight[i] * terms.slope / noise
            root_out[i] = sqrt(weight[i] * terms.curvature) / noise
    return 0


def site_matrix(
    const double[:, ::1] K,
    const double[::1] root,
    double jitter,
    double[:, ::1] matrix_out,
):
    """Form the upper triangle of I + T^1/2 K T^1/2, K symmetric, with its diagonal raised."""
    cdef Py_ssize_t i, j
    with nogil:
        for i in range(root.shape[0]):
            for j in range(i, root.shape[0]):
                matrix_out[i, j] = root[i] * K[i, j] * root[j]
            matrix_out[i, i] = (matrix_out[i, i] + 1.0) * (1.0 + jitter)
    return 0


cdef inline double _tail_safe(double value, double bound) noexcept nogil:
    """Clip to +-bound, with 0 for NaN: far out, rounding leaves noise of any size."""
    if isnan(value):
        return 0.0
    return min(max(value, -bound), bound)


cdef inline Bends _normal_bends(double a, double c, Terms terms) noexcept nogil:
    """Derivatives of slope and curvature; infinite ends have become 0, as their densities are."""
    cdef Bends bends
    cdef double pa = terms.grad_a
    cdef double pc = terms.grad_c
    cdef double d = pa - pc
    cdef double bound = 1e3 * (1.0 + pa + pc)  # exact values are moderate
    # The curvature is a pa - c pc + (pa - pc)^2.
    bends.curvature_a = pa * (1.0 - a * (a + pa) + c * pc - 2.0 * d * (a + d))
    bends.curvature_a = _tail_safe(bends.curvature_a, bound)
    bends.curvature_c = pc * (a * pa - 1.0 - c * (pc - c) + 2.0 * d * (c + d))
    bends.curvature_c = _tail_safe(bends.curvature_c, bound)
    bends.slope_a = pa * (a + d)
    bends.slope_c = -pc * (c + d)
    return bends


cdef inline Bends _logistic_bends(double a, double c) noexcept nogil:
    """The same for the logistic distribution of variance 1, infinite ends as they are."""
    cdef Bends bends
    cdef double k = LOGISTIC_DEVIATION
    bends.slope_a = k * k * _logistic_density(k * a)
    bends.slope_c = k * k * _logistic_density(k * c)
    bends.curvature_a = -k * bends.slope_a * tanh(0.5 * k * a)
    bends.curvature_c = -k * bends.slope_c * tanh(0.5 * k * c)
    return bends


def evidence_slopes(
    const double[::1] latent,
    const double[::1] variance,
    const Py_ssize_t[::1] ranks,
    const double[::1] bounds,
    double noise,
    const double[::1] weight,
    bint logistic,
    double[:, ::1] slopes_out,
):
    """Evaluate how each row moves Laplace's evidence (GPOR appendix A), mode and variance at hand.

    The first row of `slopes_out` is the slope in the latent value through the curvature. Then come
    the slopes in the upper and the lower threshold and in ln s where the latent values stay, and
    what is to be added to each, times the change of the latent value.
    """
    cdef Py_ssize_t i
    cdef double a, c, pa, pc, by_a, by_c, half, w
    cdef Terms terms
    cdef Bends bends
    with nogil:
        for i in range(latent.shape[0]):
            a = (bounds[ranks[i] + 1] - latent[i]) / noise
            c = (bounds[ranks[i]] - latent[i]) / noise
            terms = _terms(a, c, logistic)
            if logistic:
                bends = _logistic_bends(a, c)
            # The densities at infinite ends are 0.
            a = a if isfinite(a) else 0.0
            c = c if isfinite(c) else 0.0
            if not logistic:
                bends = _normal_bends(a, c, terms)
            pa = terms.grad_a
            pc = terms.grad_c
            by_a = bends.curvature_a
            by_c = bends.curvature_c
            w = weight[i]
            half = 0.5 * variance[i] / (noise * noise)
            slopes_out[0, i] = w * half * (by_a + by_c) / noise
            slopes_out[1, i] = w * (pa - half * by_a) / noise
            slopes_out[2, i] = -w * (pc + half * by_c) / noise
            slopes_out[3, i] = w * (
                c * pc - a * pa + half * (2.0 * terms.curvature + a * by_a + c * by_c)
            )
            slopes_out[4, i] = w * bends.slope_a / (noise * noise)
            slopes_out[5, i] = w * bends.slope_c / (noise * noise)
            slopes_out[6, i] = w * (terms.slope - a * bends.slope_a - c * bends.slope_c) / noise
    return 0


cdef struct Match:
    double log_normaliser
    double slope  # derivatives of it in the cavity's mean
    double curvature
    double upper  # in the thresholds and in ln s
    double lower
    double log_noise


cdef inline Match _match(
    double to_upper,
    double to_lower,
    double variance,
    double noise,
    const double[::1] spread,
    const double[::1] log_share,
) noexcept nogil:
    """Integrate N(0, variance) times the interval's probability, the noise a mixture of normals."""
    cdef Match match
    cdef Terms[MOST_COMPONENTS] terms
    cdef double[MOST_COMPONENTS] square
    cdef double[MOST_COMPONENTS] scale
    cdef double[MOST_COMPONENTS] weight
    cdef double a, c, own, distance
    cdef double largest = -INFINITY
    cdef double total = 0.0
    cdef Py_ssize_t k
    for k in range(spread.shape[0]):
        own = noise * spread[k]
        square[k] = own * own + variance
        scale[k] = sqrt(square[k])
        terms[k] = _normal_terms(to_upper / scale[k], to_lower / scale[k])
        terms[k].log_prob += log_share[k]
        largest = max(largest, terms[k].log_prob)
    for k in range(spread.shape[0]):
        weight[k] = exp(terms[k].log_prob - largest)
        total += weight[k]
    match.log_normaliser = largest + log(total)
    match.slope = 0.0
    match.curvature = 0.0
    match.upper = 0.0
    match.lower = 0.0
    match.log_noise = 0.0
    for k in range(spread.shape[0]):
        weight[k] /= total  # the component's posterior probability
        own = weight[k] / scale[k]
        # The densities at infinite ends are 0.
        a = to_upper * terms[k].grad_a if isfinite(to_upper) else 0.0
        c = to_lower * terms[k].grad_c if isfinite(to_lower) else 0.0
        match.slope -= own * terms[k].slope
        match.curvature += own * terms[k].curvature / scale[k]
        match.upper += own * terms[k].grad_a
        match.lower -= own * terms[k].grad_c
        match.log_noise += own * (1.0 - variance / square[k]) * (c - a)
    for k in range(spread.shape[0]):
        distance = terms[k].slope / scale[k] + match.slope
        match.curvature -= weight[k] * distance * distance
    return match


def matched_sites(
    const double[::1] mean,
    const double[::1] variance,
    const double[::1] tau,
    const double[::1] nu,
    const Py_ssize_t[::1] ranks,
    const double[::1] bounds,
    double noise,
    const double[::1] spread,
    const double[::1] log_share,
    double largest_curvature,
    double[:, ::1] cavity_out,
    double[:, ::1] update_out,
):
    """Match the moments of cavity times likelihood, row by row (GPOR appendix B).

    The noise is a mixture of normals of standard deviations `noise * spread` and weights whose
    logs are `log_share`, and its curvature at most `largest_curvature / noise^2`.
    `tau` and `nu` are what leaves the marginals of `mean` and `variance`; the rows of `cavity_out`
    are mean and variance without it, and minus the log of its mean there. Those of `update_out` are
    the new site's precision and shift, the log of the normaliser, and its derivatives in the upper
    and lower threshold and in ln s.
    """
    cdef Py_ssize_t i
    cdef double shrink, centre, cavity, curvature, slack, grown
    cdef Match match
    with nogil:
        for i in range(mean.shape[0]):
            shrink = max(1.0 - variance[i] * tau[i], 1e-12)
            cavity = variance[i] / shrink
            centre = (mean[i] - variance[i] * nu[i]) / shrink
            match = _match(
                bounds[ranks[i] + 1] - centre,
                bounds[ranks[i]] - centre,
                cavity,
                noise,
                spread,
                log_share,
            )
            # The site's precision u / (1 - lambda u) is at most the likelihood's own curvature.
            slack = noise * noise + largest_curvature * cavity
            curvature = min(max(match.curvature, 0.0), largest_curvature / slack)
            slack = 1.0 - cavity * curvature
            cavity_out[0, i] = centre
            cavity_out[1, i] = cavity
            # The mean of exp(nu f - tau f^2 / 2)
            grown = 1.0 + tau[i] * cavity
            cavity_out[2, i] = 0.5 * (
                log(grown)
                - (cavity * nu[i] * nu[i] + 2.0 * centre * nu[i] - centre * centre * tau[i]) / grown
            )
            update_out[0, i] = curvature / slack
            update_out[1, i] = (curvature * centre + match.slope) / slack
            update_out[2, i] = match.log_normaliser
            update_out[3, i] = match.upper
            update_out[4, i] = match.lower
            update_out[5, i] = match.log_noise
    return 0


def largest_move(
    const double[::1] tau,
    const double[::1] nu,
    const double[::1] new_tau,
    const double[::1] new_nu,
    const double[::1] mean,
    const double[::1] variance,
    const double[::1] weight,
):
    """Return by how much the sites move at most, in standard deviations of their posterior.

    That is how far a site moves the mean, and how much it narrows; NaN if any is.
    """
    cdef Py_ssize_t i
    cdef double change, moved
    cdef double largest = 0.0
    with nogil:
        for i in range(tau.shape[0]):
            change = new_tau[i] - tau[i]
            moved = fabs(new_nu[i] - nu[i] - change * mean[i]) * sqrt(variance[i])
            moved = (moved + fabs(change) * variance[i]) * min(weight[i], 1.0)
            if not moved <= largest:
                largest = moved
            if isnan(largest):
                break
    return largest

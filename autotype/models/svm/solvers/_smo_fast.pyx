# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The pair steps of sequential minimal optimisation for `pair_descent.py`."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef enum:
    SHRINK_EVERY = 500
    FEW = 4  # rows are few where they are less than one in so many
    FALLS = 1
    RISES = 2


cdef inline uint8_t _moves(double sign, double dual, double bound) noexcept nogil:
    """Return whether t = sign * dual can fall and rise within its bounds."""
    if sign > 0:
        return (FALLS if dual > 0 else 0) | (RISES if dual < bound else 0)
    return (FALLS if dual < bound else 0) | (RISES if dual > 0 else 0)


cdef inline Py_ssize_t _live_rows(
    const int32_t[::1] rows, const int32_t[::1] active, Py_ssize_t n_active, int32_t[::1] live_out
) noexcept nogil:
    """List the rows of the active variables, each once, and count them."""
    cdef Py_ssize_t a, n_live = 0
    for a in range(n_active):
        if n_live == 0 or live_out[n_live - 1] != rows[active[a]]:
            live_out[n_live] = rows[active[a]]
            n_live += 1
    return n_live


cdef inline void _evaluate(
    const double[:, ::1] K,
    const int32_t[::1] rows,
    const double[::1] signs,
    const double[::1] dual,
    double[::1] coefficients_out,
    double[::1] latent_out,
) noexcept nogil:
    """Evaluate the latent values of all rows again."""
    cdef Py_ssize_t i, p, v
    cdef double coefficient
    for i in range(K.shape[0]):
        coefficients_out[i] = 0
        latent_out[i] = 0
    for v in range(rows.shape[0]):
        coefficients_out[rows[v]] += signs[v] * dual[v]
    for p in range(K.shape[0]):
        coefficient = coefficients_out[p]
        if coefficient != 0:
            for i in range(K.shape[0]):
                latent_out[i] += coefficient * K[p, i]


cdef inline void _extremes(
    const int32_t[::1] rows,
    const int32_t[::1] thresholds,
    const double[::1] targets,
    const double[::1] latent,
    const int32_t[::1] active,
    const uint8_t[::1] moves,
    double[::1] values_out,
    int32_t[::1] raiser_out,
    double[::1] highest_out,
    double[::1] lowest_out,
) noexcept nogil:
    """Find the largest F that can be lowered and the smallest that can be raised, and its owner."""
    cdef Py_ssize_t a, j, v
    cdef double value
    for j in range(highest_out.shape[0]):
        highest_out[j] = -INFINITY
        lowest_out[j] = INFINITY
        raiser_out[j] = -1
    for a in range(active.shape[0]):
        v = active[a]
        j = thresholds[v]
        value = latent[rows[v]] - targets[v]
        values_out[a] = value
        if value > highest_out[j] and moves[v] & FALLS:
            highest_out[j] = value
        if value < lowest_out[j] and moves[v] & RISES:
            lowest_out[j] = value
            raiser_out[j] = <int32_t>v


def minimise_pairs(
    const double[:, ::1] K,
    const double[::1] diagonal,
    const int32_t[::1] rows,
    const int32_t[::1] thresholds,
    const double[::1] signs,
    const double[::1] targets,
    const double[::1] bounds,
    bint linked,
    double tol,
    int64_t max_iter,
    int32_t[::1] active_out,
    uint8_t[::1] moves_out,
    double[::1] values_out,
    int32_t[::1] live_out,
    double[::1] coefficients_out,
    int32_t[::1] raiser_out,
    double[::1] dual_out,
    double[::1] flow_out,
    double[::1] latent_out,
    double[::1] highest_out,
    double[::1] lowest_out,
):
    """Make pair steps until no pair violates optimality by more than `tol`.

    A variable v acts at threshold `thresholds[v]` with t_v = signs[v] dual[v]; F_v = f - targets[v].
    Variables of one row stand together. Lowering t_p and raising t_q gains where F_p > F_q. Both
    act at the same threshold, or, where `linked`, at different ones: from a lower to a higher
    threshold always, the other way as long as the flows between them (the multipliers of
    b_j <= b_j+1) stay positive. `latent_out` belongs to `dual_out` on the way in and out.

    Returns
    -------
    int
        Steps taken; -1 where `max_iter` did not suffice.
    """
    cdef Py_ssize_t n_variables = rows.shape[0]
    cdef Py_ssize_t n_rows = K.shape[0]
    cdef Py_ssize_t n_thresholds = highest_out.shape[0]
    cdef Py_ssize_t v, j, p, q, i, up, down, a, kept
    cdef Py_ssize_t n_active = n_variables
    cdef Py_ssize_t n_live = n_rows  # rows whose latent value is kept up to date
    cdef int64_t next_shrink = SHRINK_EVERY
    cdef double top, bottom
    cdef Py_ssize_t raised_at = -1, lowered_at = -1, first, last
    cdef double value, worst, gap, gain, best, room, curvature, step, change, flow
    cdef int64_t n_steps = 0
    cdef int status = -1
    with nogil:
        for v in range(n_variables):
            active_out[v] = <int32_t>v
            moves_out[v] = _moves(signs[v], dual_out[v], bounds[v])
        while n_steps < max_iter:
            _extremes(
                rows, thresholds, targets, latent_out, active_out[:n_active], moves_out,
                values_out, raiser_out, highest_out, lowest_out,
            )
            # The most violating pair gives the variable to raise.
            worst = tol
            up = -1
            for q in range(n_thresholds):
                if raiser_out[q] < 0:
                    continue
                first = q
                last = q
                if linked:
                    first = 0
                    while last + 1 < n_thresholds and flow_out[last] > 0:
                        last += 1
                for p in range(first, last + 1):
                    gap = highest_out[p] - lowest_out[q]
                    if gap > worst:
                        worst = gap
                        up = raiser_out[q]
                        raised_at = q
            if up < 0:
                if n_active == n_variables:
                    status = 0
                    break
                for v in range(n_variables):  # optimal without those set aside: look at all again
                    active_out[v] = <int32_t>v
                n_active = n_variables
                if n_live < n_rows:
                    _evaluate(K, rows, signs, dual_out, coefficients_out, latent_out)
                    n_live = n_rows
                next_shrink = n_steps + SHRINK_EVERY
                continue
            if n_steps >= next_shrink:
                # Set aside what is at a bound and would not move against any active variable.
                next_shrink = n_steps + SHRINK_EVERY
                top = -INFINITY
                bottom = INFINITY
                for j in range(n_thresholds):
                    top = max(top, highest_out[j])
                    bottom = min(bottom, lowest_out[j])
                kept = 0
                for a in range(n_active):
                    v = active_out[a]
                    j = thresholds[v]
                    value = values_out[a]
                    if moves_out[v] == FALLS and value < (bottom if linked else lowest_out[j]):
                        continue
                    if moves_out[v] == RISES and value > (top if linked else highest_out[j]):
                        continue
                    active_out[kept] = <int32_t>v
                    values_out[kept] = value
                    kept += 1
                n_active = kept
                if n_live == n_rows:
                    n_live = _live_rows(rows, active_out, n_active, live_out)
                    if n_live * FEW >= n_rows:
                        n_live = n_rows
            first = raised_at
            last = raised_at
            if linked:
                first = 0
                while last + 1 < n_thresholds and flow_out[last] > 0:
                    last += 1
            # Second order: its partner is the one that lowers the objective most.
            best = -1
            down = -1
            value = latent_out[rows[up]] - targets[up]
            for a in range(n_active):
                gap = values_out[a] - value
                if gap <= 0:
                    continue
                v = active_out[a]
                j = thresholds[v]
                if j < first or j > last or not moves_out[v] & FALLS:
                    continue
                i = rows[v]
                curvature = diagonal[rows[up]] + diagonal[i] - 2 * K[rows[up], i]
                gain = gap * gap / max(curvature, 1e-12)
                if gain > best:
                    best = gain
                    down = v
            lowered_at = thresholds[down]
            gap = latent_out[rows[down]] - targets[down] - value
            i = rows[down]
            curvature = diagonal[rows[up]] + diagonal[i] - 2 * K[rows[up], i]
            step = gap / max(curvature, 1e-12)
            room = bounds[up] - dual_out[up] if signs[up] > 0 else dual_out[up]
            step = min(step, room)
            room = dual_out[down] if signs[down] > 0 else bounds[down] - dual_out[down]
            step = min(step, room)
            for j in range(raised_at, lowered_at):
                step = min(step, flow_out[j])
            for j in range(raised_at, lowered_at):
                flow = flow_out[j] - step
                flow_out[j] = flow if flow > 1e-14 else 0.0
            for j in range(lowered_at, raised_at):
                flow_out[j] += step
            dual_out[up] = min(max(dual_out[up] + signs[up] * step, 0.0), bounds[up])
            dual_out[down] = min(max(dual_out[down] - signs[down] * step, 0.0), bounds[down])
            moves_out[up] = _moves(signs[up], dual_out[up], bounds[up])
            moves_out[down] = _moves(signs[down], dual_out[down], bounds[down])
            if n_live == n_rows:
                for i in range(n_rows):
                    change = K[rows[up], i] - K[rows[down], i]
                    latent_out[i] += step * change
            else:
                for a in range(n_live):
                    i = live_out[a]
                    change = K[rows[up], i] - K[rows[down], i]
                    latent_out[i] += step * change
            n_steps += 1
        if status < 0:  # what was set aside counts, too, in the state that is left
            if n_live < n_rows:
                _evaluate(K, rows, signs, dual_out, coefficients_out, latent_out)
            for v in range(n_variables):
                active_out[v] = <int32_t>v
            _extremes(
                rows, thresholds, targets, latent_out, active_out, moves_out,
                values_out, raiser_out, highest_out, lowest_out,
            )
    return n_steps if status == 0 else -1

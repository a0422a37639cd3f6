# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The weights of orders and the hill climb over them, for `order_search.py`.

`density` holds the standard normal density at the quantile of each number of rows, 0 at both ends.
"""

import numpy as np

from libc.math cimport INFINITY, log1p, sqrt
from libc.stdint cimport int64_t

cdef double _LEAST_SIZE = 1e-12
cdef double _LEAST_GAIN = 1e-9  # of a step of the climb
cdef double _MOST_EXPLAINED = 1.0 - 1e-9


cpdef int explained_shares(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const int64_t[:, ::1] orders,
    double[::1] score_out,
    double[::1] explained_out,
) noexcept nogil:
    """Compute t'Bt / sum n_k t_k^2 for each order, t the normal scores of its levels.

    `score_out` is work space, of one entry a level.
    """
    cdef Py_ssize_t m, i, j, level
    cdef Py_ssize_t k = orders.shape[1]
    cdef int64_t before, n_rows = density.shape[0] - 1
    cdef double form, size, row, score
    for m in range(orders.shape[0]):
        form = 0.0
        size = 0.0
        before = 0
        for i in range(k):
            level = orders[m, i]
            score = density[before]
            before += counts[level]
            score = (score - density[before]) * n_rows / counts[level]
            score_out[i] = score
            row = 0.0
            for j in range(i):
                row += score_out[j] * matrix[level, orders[m, j]]
            form += score * (2.0 * row + score * matrix[level, level])  # B is symmetric
            size += score * score * counts[level]
        explained_out[m] = form / (size if size > _LEAST_SIZE else _LEAST_SIZE)
    return 0


cpdef int violations(
    const double[:, ::1] closeness,
    const int64_t[:, ::1] orders,
    double[::1] along_out,
    double[::1] rising_out,
    double[::1] violation_out,
) noexcept nogil:
    """Compute for each order by how much the closenesses of its levels are not unimodal.

    `along_out` and `rising_out` are work space, of one entry a level.
    """
    cdef Py_ssize_t m, i, j
    cdef Py_ssize_t k = orders.shape[1]
    cdef double largest, total
    for m in range(orders.shape[0]):
        total = 0.0
        for i in range(k):
            largest = closeness[orders[m, i], orders[m, 0]]
            for j in range(k):
                along_out[j] = closeness[orders[m, i], orders[m, j]]
                if along_out[j] > largest:
                    largest = along_out[j]
                rising_out[j] = largest
            largest = along_out[k - 1]
            for j in range(k - 1, -1, -1):
                if along_out[j] > largest:
                    largest = along_out[j]
                total += (rising_out[j] if rising_out[j] < largest else largest) - along_out[j]
        violation_out[m] = total / k
    return 0


cdef struct Weighing:
    double n_rows
    double fit_weight  # of the root of the log likelihood ratio
    double line_weight  # of the sum of the violations
    double most_fit  # of any order
    # Of the order that the climb has reached: what it explains, its fit and the fit's tangent.
    double explained
    double fit
    double slope


cdef inline double _explained(double form, double size) noexcept nogil:
    """Return the share of variance that t'Bt and sum n_k t_k^2 make."""
    cdef double explained = form / (size if size > _LEAST_SIZE else _LEAST_SIZE)
    explained = explained if explained > 0.0 else 0.0
    return explained if explained < _MOST_EXPLAINED else _MOST_EXPLAINED


cdef inline double _fit(double explained, const Weighing* by) noexcept nogil:
    """Return the part of the log weight of an order that the explained share makes."""
    return by.fit_weight * sqrt(-0.5 * by.n_rows * log1p(-explained))


cdef inline void _set_tangent(double explained, Weighing* by) noexcept nogil:
    """Take an order's explained share as the one next to which others are bounded."""
    by.explained = explained
    by.fit = _fit(explained, by)
    # d fit / d log likelihood ratio, per row.
    by.slope = 0.25 * by.n_rows * by.fit_weight * by.fit_weight / by.fit if by.fit > 0.0 else 0.0


cdef inline void _set_bounds(
    double form, double size, double violation, const Weighing* by, double* bounds
) noexcept nogil:
    """Set an upper bound of a move's weight, what its order explains, and its violations.

    The bound takes no logarithm and no root: with e0 the present share, -log(1 - e) is at most
    -log(1 - e0) + (e - e0) / (1 - e), and the root lies below its tangent.
    """
    cdef double explained = _explained(form, size)
    cdef double fit
    if by.slope > 0.0:
        fit = by.fit + by.slope * (explained - by.explained) / (1.0 - explained) + _LEAST_GAIN
    else:
        fit = _fit(explained, by)
    bounds[0] = fit - by.line_weight * violation
    bounds[1] = explained
    bounds[2] = violation


cdef double _survey(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const double[:, ::1] closeness,
    const int64_t[::1] order,
    double[:, ::1] rising,
    double[:, ::1] falling,
    double[:, ::1] work,
    int64_t[::1] before,
    double* size,
    double* violation,
) noexcept nogil:
    """Compute all that the weights of an order's neighbours share; return t'Bt.

    `rising` and `falling` are the largest closenesses of each level to the levels up to and from a
    place on, a row a place; `before` counts the rows before a place. The rows of `work` are the
    violations by place, the scores t by level, and Bt.
    """
    cdef Py_ssize_t i, j, level
    cdef Py_ssize_t k = order.shape[0]
    cdef int64_t n_rows = density.shape[0] - 1
    cdef double largest, value, form = 0.0
    before[0] = 0
    for i in range(k):
        level = order[i]
        before[i + 1] = before[i] + counts[level]
        work[0, i] = 0.0
        work[1, level] = (density[before[i]] - density[before[i + 1]]) * n_rows / counts[level]
    size[0] = 0.0
    for i in range(k):
        value = 0.0
        for j in range(k):
            value += matrix[i, j] * work[1, j]
        work[2, i] = value
        form += work[1, i] * value
        size[0] += work[1, i] * work[1, i] * counts[i]
    for i in range(k):
        largest = closeness[i, order[0]]
        for j in range(k):
            value = closeness[i, order[j]]
            largest = value if value > largest else largest
            rising[j, i] = largest
        largest = closeness[i, order[k - 1]]
        for j in range(k - 1, -1, -1):
            value = closeness[i, order[j]]
            largest = value if value > largest else largest
            falling[j, i] = largest
            work[0, j] += (rising[j, i] if rising[j, i] < largest else largest) - value
    violation[0] = 0.0
    for j in range(k):
        violation[0] += work[0, j]
    return form


cdef void _bound(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const int64_t[:, ::1] moves,
    const int64_t[:, ::1] stretches,
    const int64_t[::1] order,
    double[:, ::1] work,
    const int64_t[::1] before,
    int64_t[::1] arranged,
    double form,
    double size,
    double violation,
    const Weighing* by,
    Py_ssize_t n_insertions,
    double highest,
    const double[:, ::1] placed,
    double[:, ::1] bounds,
) noexcept nogil:
    """Bound the weight after each other move, by all violations but those between its ends.

    A move exchanges the levels at the ends of its stretch. They violate there what they do when
    inserted, `placed`: the same levels come before and after. Where even the best fit would not
    raise the weight above `highest`, the bound is minus infinity.
    """
    cdef Py_ssize_t i, j, m, level, first, last, n_moved
    cdef int64_t rows
    cdef double change, value, below, above, new_form, new_size, outside
    cdef const double* row
    cdef double* changes = &work[3, 0]  # by place in the stretch
    cdef double* per_row = &work[4, 0]
    for level in range(order.shape[0]):
        per_row[level] = by.n_rows / counts[level]
    for m in range(n_insertions, moves.shape[0]):
        first, last = stretches[m, 0], stretches[m, 1]
        n_moved = last - first + 1
        new_form, new_size = form, size
        outside = violation + placed[first, last] + placed[last, first]
        for j in range(first, last + 1):
            outside -= work[0, j]
        bounds[m, 0] = -INFINITY
        if by.most_fit - by.line_weight * outside <= highest:
            continue
        rows = before[first]
        below = density[rows]
        for j in range(n_moved):
            level = order[moves[m, first + j]]
            arranged[j] = level
            rows += counts[level]
            above = density[rows]
            value = (below - above) * per_row[level]
            below = above
            change = value - work[1, level]
            changes[j] = change
            new_size += (value * value - work[1, level] * work[1, level]) * counts[level]
            row = &matrix[level, 0]
            value = work[2, level] + 0.5 * change * row[level]
            for i in range(0, j - 3, 4):  # partial sums need not wait for each other
                value += (row[arranged[i]] * changes[i] + row[arranged[i + 1]] * changes[i + 1]) + (
                    row[arranged[i + 2]] * changes[i + 2] + row[arranged[i + 3]] * changes[i + 3]
                )
            for i in range(j - j % 4, j):
                value += row[arranged[i]] * changes[i]
            new_form += 2.0 * change * value
        _set_bounds(new_form, new_size, outside, by, &bounds[m, 0])


cdef inline double _excess(
    const double* up, const double* down, const double* near, Py_ssize_t k
) noexcept nogil:
    """Sum by how much the smaller of two bounds exceeds each closeness; 0 where one does not."""
    cdef Py_ssize_t i, b
    cdef double bound[4]
    cdef double total[4]  # partial sums, which need not wait for each other
    for b in range(4):
        total[b] = 0.0
    for i in range(0, k - 3, 4):
        for b in range(4):
            bound[b] = up[i + b] if up[i + b] < down[i + b] else down[i + b]
            bound[b] = bound[b] if bound[b] > near[i + b] else near[i + b]
            total[b] += bound[b] - near[i + b]
    for i in range(k - k % 4, k):
        bound[0] = up[i] if up[i] < down[i] else down[i]
        total[0] += bound[0] - near[i] if bound[0] > near[i] else 0.0
    return (total[0] + total[1]) + (total[2] + total[3])


cdef double _between(
    const double[:, ::1] closeness,
    const int64_t[:, ::1] moves,
    const int64_t[:, ::1] stretches,
    const int64_t[::1] order,
    const double[:, ::1] rising,
    const double[:, ::1] falling,
    double[:, ::1] largest,
    Py_ssize_t m,
    double violation,
    double most,
) noexcept nogil:
    """Add what a move violates between the ends of its stretch, or stop at any sum above `most`.

    `closeness` is symmetric, so that the levels whose distances are compared, i, are contiguous.
    The rows of `largest` are the largest closenesses up to each place of the stretch, and at last
    those from it on.
    """
    cdef Py_ssize_t i, j
    cdef Py_ssize_t k = order.shape[0], first = stretches[m, 0], last = stretches[m, 1]
    cdef double least = violation
    cdef const double* near
    cdef const double* before
    cdef double* up
    cdef double* down = &largest[k, 0]
    for j in range(first, last):
        near, up = &closeness[order[moves[m, j]], 0], &largest[j, 0]
        before = near
        if j > first:
            before = &largest[j - 1, 0]
        elif first > 0:
            before = &rising[first - 1, 0]
        for i in range(k):
            up[i] = near[i] if near[i] > before[i] else before[i]
        if j > first and last < k - 1:
            # What follows the stretch bounds the violations in it from below.
            least += _excess(up, &falling[last + 1, 0], near, k)
            if least > most:
                return least
    near = &closeness[order[moves[m, last]], 0]
    before = near
    if last < k - 1:
        before = &falling[last + 1, 0]
    for i in range(k):
        down[i] = near[i] if near[i] > before[i] else before[i]
    for j in range(last - 1, first, -1):
        near = &closeness[order[moves[m, j]], 0]
        for i in range(k):
            down[i] = near[i] if near[i] > down[i] else down[i]
        violation += _excess(&largest[j, 0], down, near, k)
        if violation > most:
            break
    return violation


cdef void _insert(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const double[:, ::1] closeness,
    const int64_t[:, ::1] insertions,
    const int64_t[::1] order,
    const double[:, ::1] rising,
    const double[:, ::1] falling,
    double[:, ::1] largest,
    double[:, ::1] work,
    const int64_t[::1] before,
    double form,
    double size,
    double violation,
    const Weighing* by,
    double[:, ::1] placed,
    double[:, ::1] bounds,
) noexcept nogil:
    """Bound the weight of each order with one level inserted elsewhere, and sum its violations.

    The levels that it passes move by one place, the same to whichever place it goes: what they
    change is summed along the way. `placed` gets what the level itself violates at its new place.
    """
    cdef Py_ssize_t i, j, b, m, level, other, step
    cdef Py_ssize_t k = order.shape[0]
    cdef int64_t rows, start
    cdef double new_form, new_size, inside, own, cross, change, value, per_row
    cdef const double* near
    cdef const double* passing
    cdef const double* ahead
    cdef double* passed = &largest[0, 0]  # the largest closenesses to all levels left behind
    cdef double* widened = &largest[1, 0]
    cdef double* changes = &work[3, 0]
    for i in range(k):
        level, rows = order[i], counts[order[i]]
        per_row = by.n_rows / rows
        passing = &closeness[level, 0]
        for step in range(-1, 2, 2):
            new_form, new_size, inside, cross = form, size, violation - work[0, i], 0.0
            for b in range(k):
                passed[b] = -INFINITY
                if step > 0 and i > 0:
                    passed[b] = rising[i - 1, b]
                if step < 0 and i < k - 1:
                    passed[b] = falling[i + 1, b]
            j = i + step
            while 0 <= j < k and insertions[i, j] >= 0:
                other, m = order[j], insertions[i, j]
                near = &closeness[other, 0]
                start = before[j] - step * rows
                value = (
                    (density[start] - density[start + counts[other]]) * by.n_rows / counts[other]
                )
                changes[j] = value - work[1, other]
                new_size += (value * value - work[1, other] * work[1, other]) * counts[other]
                value = work[2, other] + 0.5 * changes[j] * matrix[other, other]
                b = i + step
                while b != j:
                    value += matrix[other, order[b]] * changes[b]
                    b += step
                new_form += 2.0 * changes[j] * value
                cross += matrix[level, other] * changes[j]
                ahead = &falling[j, 0] if step > 0 else &rising[j, 0]
                for b in range(k):
                    passed[b] = near[b] if near[b] > passed[b] else passed[b]
                    widened[b] = passing[b] if passing[b] > ahead[b] else ahead[b]
                inside += _excess(passed, widened, near, k) - work[0, j]
                own = 0.0
                if 0 <= j + step < k:
                    ahead = &falling[j + 1, 0] if step > 0 else &rising[j - 1, 0]
                    own = _excess(passed, ahead, passing, k)
                placed[i, j] = own
                start = before[j + 1] - rows if step > 0 else before[j]
                value = (density[start] - density[start + rows]) * per_row
                change = value - work[1, level]
                _set_bounds(
                    new_form
                    + 2.0 * change * (work[2, level] + 0.5 * change * matrix[level, level] + cross),
                    new_size + (value * value - work[1, level] * work[1, level]) * rows,
                    inside + own,
                    by,
                    &bounds[m, 0],
                )
                j += step


cdef double _climb(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const double[:, ::1] closeness,
    const int64_t[:, ::1] moves,
    const int64_t[:, ::1] stretches,
    const int64_t[:, ::1] insertions,
    Py_ssize_t n_insertions,
    double fit_weight,
    double line_weight,
    double most_explained,
    Py_ssize_t max_steps,
    double[:, ::1] rising_out,
    double[:, ::1] falling_out,
    double[:, ::1] largest_out,
    double[:, ::1] work_out,
    double[:, ::1] placed_out,
    double[:, ::1] bounds_out,
    int64_t[::1] before_out,
    int64_t[::1] arranged_out,
    int64_t[::1] order_out,
) noexcept nogil:
    """Climb as `climb` does; the arrays before `order_out` are work space."""
    cdef Py_ssize_t j, m, first, best, step
    cdef Py_ssize_t n_moves = moves.shape[0]
    cdef double form, size, fit, weight, violation, violating, most, highest
    cdef Weighing by
    by.n_rows, by.fit_weight, by.line_weight = density.shape[0] - 1, fit_weight, line_weight
    by.most_fit = _fit(_explained(most_explained, 1.0), &by) + _LEAST_GAIN
    for step in range(max_steps + 1):
        form = _survey(
            matrix, counts, density, closeness, order_out, rising_out, falling_out, work_out,
            before_out, &size, &violation,
        )
        _set_tangent(_explained(form, size), &by)
        weight = by.fit - line_weight * violation
        if step == max_steps:
            break
        _insert(
            matrix, counts, density, closeness, insertions, order_out, rising_out, falling_out,
            largest_out, work_out, before_out, form, size, violation, &by, placed_out, bounds_out,
        )
        best = -1
        highest = weight + _LEAST_GAIN
        for m in range(n_moves):
            if m == n_insertions:
                _bound(
                    matrix, counts, density, moves, stretches, order_out, work_out, before_out,
                    arranged_out, form, size, violation, &by, n_insertions, highest, placed_out,
                    bounds_out,
                )
            if bounds_out[m, 0] <= highest:  # most moves
                continue
            fit, violating = _fit(bounds_out[m, 1], &by), bounds_out[m, 2]
            if m >= n_insertions and fit - line_weight * violating > highest:
                most = INFINITY
                if line_weight > 0.0:
                    most = (fit - highest) / line_weight + _LEAST_GAIN
                violating = _between(
                    closeness, moves, stretches, order_out, rising_out, falling_out, largest_out,
                    m, violating, most,
                )
            if fit - line_weight * violating > highest:
                best, highest = m, fit - line_weight * violating
        if best < 0:
            break
        first = stretches[best, 0]
        for j in range(first, stretches[best, 1] + 1):
            arranged_out[j] = order_out[moves[best, j]]
        for j in range(first, stretches[best, 1] + 1):
            order_out[j] = arranged_out[j]
    return weight


def climb(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const double[:, ::1] closeness,
    const int64_t[:, ::1] moves,
    const int64_t[:, ::1] insertions,
    double fit_weight,
    double line_weight,
    double most_explained,
    Py_ssize_t max_steps,
    int64_t[::1] order_out,
) -> float:
    """Climb from `order_out` by the best move until none gains; return the weight of its end.

    The end replaces `order_out`. A move is a permutation of the places, which leaves those outside
    its stretch (first and last place) as they are. Only the scores of the levels in the stretch
    change, and only the violations there: what comes before and after a place is the same set of
    levels everywhere else. The first moves insert one level elsewhere; `insertions` holds their
    number by the place that it leaves and the one that it takes, or -1.
    `line_weight` >= 0; no order explains more than `most_explained`.
    """
    cdef Py_ssize_t k = order_out.shape[0]
    moved = np.asarray(moves) != np.arange(k)
    last = k - 1 - moved[:, ::-1].argmax(axis=1)
    stretches = np.stack([moved.argmax(axis=1), last], axis=1).astype(np.int64)
    rising, falling, placed = np.empty((3, k, k))
    return _climb(
        matrix, counts, density, closeness, moves, stretches, insertions,
        int(np.max(insertions)) + 1, fit_weight, line_weight, most_explained, max_steps,
        rising, falling, np.empty((k + 1, k)), np.empty((5, k)), placed,
        np.empty((len(moves), 3)), np.empty(k + 1, dtype=np.int64), np.empty(k, dtype=np.int64),
        order_out,
    )

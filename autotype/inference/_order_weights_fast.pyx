# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The weights of orders and the hill climb over them, for `order_search.py`.

`density` holds the standard normal density at the quantile of each number of rows, 0 at both ends.
"""

from libc.math cimport log1p, sqrt
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


cdef inline double _log_weight(
    double form, double size, double violation, Weighing* by
) noexcept nogil:
    """Return the log weight of an order from t'Bt, sum n_k t_k^2 and its violation."""
    cdef double explained = form / (size if size > _LEAST_SIZE else _LEAST_SIZE)
    explained = explained if explained > 0.0 else 0.0
    explained = explained if explained < _MOST_EXPLAINED else _MOST_EXPLAINED
    return by.fit_weight * sqrt(-0.5 * by.n_rows * log1p(-explained)) - by.line_weight * violation


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

    `rising` and `falling` are the largest closenesses of a level, a row each, to the levels up to
    and from a place on; `before` counts the rows before a place. The rows of `work` are the
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
            rising[i, j] = largest
        largest = closeness[i, order[k - 1]]
        for j in range(k - 1, -1, -1):
            value = closeness[i, order[j]]
            largest = value if value > largest else largest
            falling[i, j] = largest
            work[0, j] += (rising[i, j] if rising[i, j] < largest else largest) - value
    violation[0] = 0.0
    for j in range(k):
        violation[0] += work[0, j]
    return form


cpdef int climb(
    const double[:, ::1] matrix,
    const int64_t[::1] counts,
    const double[::1] density,
    const double[:, ::1] closeness,
    const int64_t[:, ::1] moves,
    const int64_t[:, ::1] stretches,
    double fit_weight,
    double line_weight,
    Py_ssize_t max_steps,
    double[:, ::1] rising_out,
    double[:, ::1] falling_out,
    double[:, ::1] work_out,
    int64_t[::1] before_out,
    int64_t[::1] order_out,
    double[::1] weight_out,
) noexcept nogil:
    """Climb from `order_out` by the best move until none gains; its end replaces it.

    A move is a permutation of the places, which leaves those outside its stretch (first and last
    place) as they are. Only the scores of the levels in the stretch change, and only the violations
    there: what comes before and after a place is the same set of levels everywhere else.
    `line_weight` >= 0. The first four arrays at the end are work space, of shapes (L, L), (L, L),
    (5, L) and (L + 1,).
    """
    cdef Py_ssize_t i, j, m, level, other, first, last, best, step
    cdef Py_ssize_t k = order_out.shape[0]
    cdef int64_t before
    cdef double form, size, violation, change, value, largest, below, above
    cdef double new_form, new_size, new_violation, weight, highest
    cdef Weighing by
    by.n_rows, by.fit_weight, by.line_weight = density.shape[0] - 1, fit_weight, line_weight
    for step in range(max_steps + 1):
        form = _survey(
            matrix, counts, density, closeness, order_out, rising_out, falling_out, work_out,
            before_out, &size, &violation,
        )
        weight_out[0] = _log_weight(form, size, violation, &by)
        if step == max_steps:
            break
        best = -1
        highest = weight_out[0] + _LEAST_GAIN
        for m in range(moves.shape[0]):
            first, last = stretches[m, 0], stretches[m, 1]
            new_form, new_size, new_violation = form, size, violation
            before = before_out[first]
            below = density[before]
            for j in range(first, last + 1):
                level = order_out[moves[m, j]]
                before += counts[level]
                above = density[before]
                value = (below - above) * by.n_rows / counts[level]
                below = above
                change = value - work_out[1, level]
                work_out[3, level] = change
                new_size += (value * value - work_out[1, level] * work_out[1, level]) * counts[level]
                value = work_out[2, level] + 0.5 * change * matrix[level, level]
                for i in range(first, j):
                    other = order_out[moves[m, i]]
                    value += matrix[level, other] * work_out[3, other]
                new_form += 2.0 * change * value
                new_violation -= work_out[0, j]
            # Violations in the stretch only lower the weight: without them it bounds it.
            if _log_weight(new_form, new_size, new_violation, &by) <= highest:
                continue
            for i in range(k):
                largest = closeness[i, order_out[moves[m, first]]]
                if first > 0 and rising_out[i, first - 1] > largest:
                    largest = rising_out[i, first - 1]
                for j in range(first, last + 1):
                    value = closeness[i, order_out[moves[m, j]]]
                    largest = value if value > largest else largest
                    work_out[4, j] = largest
                largest = closeness[i, order_out[moves[m, last]]]
                if last < k - 1 and falling_out[i, last + 1] > largest:
                    largest = falling_out[i, last + 1]
                for j in range(last, first - 1, -1):
                    value = closeness[i, order_out[moves[m, j]]]
                    largest = value if value > largest else largest
                    new_violation += (
                        work_out[4, j] if work_out[4, j] < largest else largest
                    ) - value
            weight = _log_weight(new_form, new_size, new_violation, &by)
            if weight > highest:
                best, highest = m, weight
        if best < 0:
            break
        first, last = stretches[best, 0], stretches[best, 1]
        for j in range(first, last + 1):
            work_out[4, j] = order_out[moves[best, j]]
        for j in range(first, last + 1):
            order_out[j] = <int64_t>work_out[4, j]
    return 0

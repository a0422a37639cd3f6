# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Passes over the rows for the dual coordinate descent of `dual_coordinate.py`."""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

ctypedef fused Value:
    float
    double

ctypedef fused Index:
    int32_t
    int64_t

cdef enum:
    MAX_COLUMNS = 32
    CACHE_LINE = 64
    FAR = 8
    NEAR = 3

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define AUTOTYPE_PREFETCH(address) __builtin_prefetch(address)
    #else
    #define AUTOTYPE_PREFETCH(address)
    #endif
    """
    void AUTOTYPE_PREFETCH(const void *address) noexcept nogil


# Rows come in random order, which the hardware cannot predict: prefetch where a row starts some
# visits ahead, and every cache line of a row shortly before its turn.
cdef inline void _prefetch_row(
    const Value[::1] values, const Index[::1] features, const Index[::1] row_starts, Py_ssize_t row
) noexcept nogil:
    cdef Py_ssize_t p = row_starts[row]
    while p < row_starts[row + 1]:
        AUTOTYPE_PREFETCH(&values[p])
        AUTOTYPE_PREFETCH(&features[p])
        p += CACHE_LINE // max(sizeof(Value), sizeof(Index))


# The blocks below are called with a literal width, so that the compiler unrolls the loop over
# columns and keeps the sums in registers; each column's sum has the same order at any width.
cdef inline void _gather(
    const Value *x, const Index *feature, Py_ssize_t n, const Value *weights,
    Py_ssize_t stride, Py_ssize_t width, Value *sums_out
) noexcept nogil:
    cdef Value sums[8]
    cdef Py_ssize_t p, c
    cdef const Value *w
    cdef Value value
    for c in range(width):
        sums[c] = sums_out[c]
    for p in range(n):
        value = x[p]
        w = weights + feature[p] * stride
        for c in range(width):
            sums[c] += value * w[c]
    for c in range(width):
        sums_out[c] = sums[c]


cdef inline void _scatter(
    const Value *x, const Index *feature, Py_ssize_t n, const Value *steps,
    Py_ssize_t stride, Py_ssize_t width, Value *weights_out
) noexcept nogil:
    cdef Value by[8]
    cdef Py_ssize_t p, c
    cdef Value *w
    cdef Value value
    for c in range(width):
        by[c] = steps[c]
    for p in range(n):
        value = x[p]
        w = weights_out + feature[p] * stride
        for c in range(width):
            w[c] += value * by[c]


cdef inline void _gather_columns(
    const Value *x, const Index *feature, Py_ssize_t n, const Value *weights,
    Py_ssize_t stride, Py_ssize_t width, Value *sums_out
) noexcept nogil:
    cdef Py_ssize_t first = 0
    cdef Py_ssize_t left = width
    while left >= 8:
        _gather(x, feature, n, weights + first, stride, 8, sums_out + first)
        first += 8
        left -= 8
    if left == 1:
        _gather(x, feature, n, weights + first, stride, 1, sums_out + first)
    elif left == 2:
        _gather(x, feature, n, weights + first, stride, 2, sums_out + first)
    elif left == 3:
        _gather(x, feature, n, weights + first, stride, 3, sums_out + first)
    elif left == 4:
        _gather(x, feature, n, weights + first, stride, 4, sums_out + first)
    elif left == 5:
        _gather(x, feature, n, weights + first, stride, 5, sums_out + first)
    elif left == 6:
        _gather(x, feature, n, weights + first, stride, 6, sums_out + first)
    elif left == 7:
        _gather(x, feature, n, weights + first, stride, 7, sums_out + first)


cdef inline void _scatter_columns(
    const Value *x, const Index *feature, Py_ssize_t n, const Value *steps,
    Py_ssize_t stride, Py_ssize_t width, Value *weights_out
) noexcept nogil:
    cdef Py_ssize_t first = 0
    cdef Py_ssize_t left = width
    while left >= 8:
        _scatter(x, feature, n, steps + first, stride, 8, weights_out + first)
        first += 8
        left -= 8
    if left == 1:
        _scatter(x, feature, n, steps + first, stride, 1, weights_out + first)
    elif left == 2:
        _scatter(x, feature, n, steps + first, stride, 2, weights_out + first)
    elif left == 3:
        _scatter(x, feature, n, steps + first, stride, 3, weights_out + first)
    elif left == 4:
        _scatter(x, feature, n, steps + first, stride, 4, weights_out + first)
    elif left == 5:
        _scatter(x, feature, n, steps + first, stride, 5, weights_out + first)
    elif left == 6:
        _scatter(x, feature, n, steps + first, stride, 6, weights_out + first)
    elif left == 7:
        _scatter(x, feature, n, steps + first, stride, 7, weights_out + first)


cdef inline bint _own_rank_step(
    double f, double squared_norm, double epsilon, double upper, double diagonal,
    double margin, double *dual, double *violation
) noexcept nogil:
    """Minimise eq. (25) over one row of the rank itself; False if the variable is shrunk."""
    cdef double current = dual[0]
    cdef double slope = f + diagonal * current
    cdef double curvature = squared_norm + diagonal
    cdef double above = slope + epsilon  # g'_p of eq. (28)
    cdef double below = slope - epsilon  # g'_n of eq. (28)
    cdef double new
    violation[0] = 0.0  # eq. (30)
    if current == 0:
        if above < 0:
            violation[0] = -above
        elif below > 0:
            violation[0] = below
        elif above > margin and below < -margin:  # eq. (33a)
            return False
    elif current >= upper:
        if above > 0:
            violation[0] = above
        elif above < -margin:  # eq. (33b)
            return False
    elif current <= -upper:
        if below < 0:
            violation[0] = -below
        elif below > margin:  # eq. (33c)
            return False
    elif current > 0:
        violation[0] = fabs(above)
    else:
        violation[0] = fabs(below)
    if above < curvature * current:  # eq. (27)
        new = current - above / curvature
    elif below > curvature * current:
        new = current - below / curvature
    else:
        new = 0
    dual[0] = min(max(new, -upper), upper)  # eq. (26)
    return True


cdef inline bint _other_rank_step(
    double f, double squared_norm, double sign, double upper, double diagonal,
    double margin, double *dual, double *violation
) noexcept nogil:
    """Minimise eq. (21) over one row of another rank; False if the variable is shrunk."""
    cdef double current = sign * dual[0]
    cdef double slope = sign * f - 1 + diagonal * current  # eq. (23)
    cdef double new
    violation[0] = 0.0  # eq. (24)
    if current <= 0:
        if slope < 0:
            violation[0] = -slope
        elif slope > margin:  # eq. (32)
            return False
    elif current >= upper:
        if slope > 0:
            violation[0] = slope
        elif slope < -margin:  # eq. (32)
            return False
    else:
        violation[0] = fabs(slope)
    new = current - slope / (squared_norm + diagonal)  # eq. (22)
    dual[0] = sign * min(max(new, 0.0), upper)
    return True


def npsvor_pass(
    const Value[::1] values,
    const Index[::1] features,
    const Index[::1] row_starts,
    const int32_t[::1] order,
    const int32_t[::1] ranks,
    const int32_t[::1] ranks_of_columns,
    const double[::1] own_costs,
    const double[::1] other_costs,
    const double[::1] squared_norms,
    double epsilon,
    bint squared,
    double bias,
    const double[::1] margins,
    uint32_t[::1] active_out,
    double[:, ::1] dual_out,
    Value[:, ::1] weights_out,
    double[::1] violation_out,
    double[::1] largest_out,
    int64_t[::1] shrunk_out,
):
    """Visit the rows in `order` once, minimising over each active dual variable (Algorithm 2).

    Column c of `dual_out` and `weights_out` is the problem of rank `ranks_of_columns[c]`; later
    columns are not changed. Bit c of `active_out[i]` is set while row i is not shrunk in it. The
    last row of `weights_out` belongs to the constant feature `bias`.

    Returns
    -------
    int
        The number of rows visited.
    """
    cdef Py_ssize_t n_columns = ranks_of_columns.shape[0]
    cdef Py_ssize_t stride = weights_out.shape[1]
    cdef Py_ssize_t bias_row = weights_out.shape[0] - 1
    cdef Py_ssize_t n_order = order.shape[0]
    cdef Py_ssize_t position, i, c, start, n, ahead
    cdef uint32_t mask, bit
    cdef bint moved
    cdef double before, upper, diagonal, sign, violation
    cdef Value sums[MAX_COLUMNS]
    cdef Value steps[MAX_COLUMNS]
    cdef int visited = 0
    if n_columns > min(stride, MAX_COLUMNS):
        return -1
    with nogil:
        for c in range(MAX_COLUMNS):
            steps[c] = 0
        for position in range(n_order):
            if position + FAR < n_order:
                ahead = order[position + FAR]
                AUTOTYPE_PREFETCH(&row_starts[ahead])
                AUTOTYPE_PREFETCH(&active_out[ahead])
                ahead = order[position + NEAR]
                if active_out[ahead]:
                    _prefetch_row(values, features, row_starts, ahead)
                    AUTOTYPE_PREFETCH(&dual_out[ahead, 0])
                    AUTOTYPE_PREFETCH(&ranks[ahead])
                    AUTOTYPE_PREFETCH(&own_costs[ahead])
                    AUTOTYPE_PREFETCH(&other_costs[ahead])
                    AUTOTYPE_PREFETCH(&squared_norms[ahead])
            i = order[position]
            mask = active_out[i]
            if mask == 0:
                continue
            visited += 1
            start = row_starts[i]
            n = row_starts[i + 1] - start
            for c in range(n_columns):
                sums[c] = <Value>bias * weights_out[bias_row, c]
            if n:
                _gather_columns(
                    &values[start], &features[start], n, &weights_out[0, 0], stride, n_columns,
                    &sums[0]
                )
            moved = False
            for c in range(n_columns):
                bit = <uint32_t>1 << c
                steps[c] = 0
                if not mask & bit:
                    continue
                before = dual_out[i, c]
                if ranks[i] == ranks_of_columns[c]:
                    upper = own_costs[i]
                    diagonal = 0
                    if squared:
                        diagonal = 0.5 / upper
                        upper = INFINITY
                    if not _own_rank_step(
                        sums[c], squared_norms[i], epsilon, upper, diagonal, margins[c],
                        &dual_out[i, c], &violation
                    ):
                        active_out[i] &= ~bit
                        shrunk_out[c] += 1
                        continue
                else:
                    upper = other_costs[i]
                    diagonal = 0
                    if squared:
                        diagonal = 0.5 / upper
                        upper = INFINITY
                    sign = 1 if ranks[i] > ranks_of_columns[c] else -1
                    if not _other_rank_step(
                        sums[c], squared_norms[i], sign, upper, diagonal, margins[c],
                        &dual_out[i, c], &violation
                    ):
                        active_out[i] &= ~bit
                        shrunk_out[c] += 1
                        continue
                violation_out[c] += violation
                if violation > largest_out[c]:
                    largest_out[c] = violation
                steps[c] = <Value>(dual_out[i, c] - before)
                moved = moved or steps[c] != 0
            if moved:  # eq. (29)
                if n:
                    _scatter_columns(
                        &values[start], &features[start], n, &steps[0], stride, n_columns,
                        &weights_out[0, 0]
                    )
                for c in range(n_columns):
                    weights_out[bias_row, c] += <Value>bias * steps[c]
    return visited


def row_values(
    const Value[::1] values,
    const Index[::1] features,
    const Index[::1] row_starts,
    Py_ssize_t first,
    Py_ssize_t last,
    const Value[:, ::1] weights,
    Value[:, ::1] values_out,
):
    """Evaluate all columns' functions, without their intercepts, at the rows first .. last - 1."""
    cdef Py_ssize_t i, start, n
    if weights.shape[0] == 0:
        return 0
    with nogil:
        for i in range(first, last):
            start = row_starts[i]
            n = row_starts[i + 1] - start
            if n:
                _gather_columns(
                    &values[start], &features[start], n, &weights[0, 0], weights.shape[1],
                    weights.shape[1], &values_out[i, 0]
                )
    return 0


def row_squared_norms(
    const Value[::1] values, const Index[::1] row_starts, double[::1] norms_out
):
    """Sum the squares of each row's values in double precision."""
    cdef Py_ssize_t i, p
    cdef double total
    with nogil:
        for i in range(norms_out.shape[0]):
            total = 0
            for p in range(row_starts[i], row_starts[i + 1]):
                total += <double>values[p] * values[p]
            norms_out[i] = total
    return 0


def npsvor_two_variable_pass(
    const Value[::1] values,
    const Index[::1] features,
    const Index[::1] row_starts,
    const int32_t[::1] order,
    const int32_t[::1] variable_rows,
    const double[::1] variable_signs,
    const double[::1] linear_terms,
    const double[::1] bounds,
    const double[::1] squared_norms,
    bint squared,
    double bias,
    double[::1] dual_out,
    Value[::1] weights_out,
    double[::1] violation_out,
):
    """Visit each of the n + l variables of eq. (6) once, in `order` (Algorithm 1, DCD-1)."""
    cdef Py_ssize_t bias_row = weights_out.shape[0] - 1
    cdef Py_ssize_t position, v, i, p
    cdef double current, new, gradient, upper, diagonal, sign, step, violation
    cdef Value total
    with nogil:
        for position in range(order.shape[0]):
            if position + FAR < order.shape[0]:
                AUTOTYPE_PREFETCH(&variable_rows[order[position + FAR]])
                v = order[position + NEAR]
                _prefetch_row(values, features, row_starts, variable_rows[v])
                AUTOTYPE_PREFETCH(&variable_signs[v])
                AUTOTYPE_PREFETCH(&linear_terms[v])
                AUTOTYPE_PREFETCH(&bounds[v])
                AUTOTYPE_PREFETCH(&dual_out[v])
                AUTOTYPE_PREFETCH(&squared_norms[variable_rows[v]])
            v = order[position]
            i = variable_rows[v]
            sign = variable_signs[v]
            current = dual_out[v]
            upper = bounds[v]
            diagonal = 0
            if squared:
                diagonal = 0.5 / upper
                upper = INFINITY
            total = <Value>bias * weights_out[bias_row]
            for p in range(row_starts[i], row_starts[i + 1]):
                total += values[p] * weights_out[features[p]]
            gradient = sign * total + linear_terms[v] + diagonal * current  # eq. (12)
            violation = gradient  # eq. (18)
            if current <= 0:
                violation = min(gradient, 0.0)
            elif current >= upper:
                violation = max(gradient, 0.0)
            if violation == 0:
                continue
            violation_out[0] += fabs(violation)
            new = current - gradient / (squared_norms[i] + diagonal)  # eq. (13)
            new = min(max(new, 0.0), upper)
            dual_out[v] = new
            step = sign * (new - current)
            for p in range(row_starts[i], row_starts[i + 1]):  # eq. (14)
                weights_out[features[p]] += <Value>(values[p] * step)
            weights_out[bias_row] += <Value>(bias * step)
    return 0


def red_svm_pass(
    const Value[::1] values,
    const Index[::1] features,
    const Index[::1] row_starts,
    const int32_t[::1] order,
    const int32_t[::1] ranks,
    const double[::1] bounds,
    const double[::1] squared_norms,
    bint squared,
    double margin,
    uint8_t[:, ::1] active_out,
    double[:, ::1] dual_out,
    Value[::1] weights_out,
    double[::1] thresholds_out,
    double[::1] violation_out,
    double[::1] largest_out,
    int64_t[::1] shrunk_out,
):
    """Visit the rows in `order` once; in each visit descend over all of the row's thresholds.

    The extended row of threshold j is (x_i, -e_j): a visit gathers w'x_i once, and each step of
    size d moves it by d |x_i|^2, so that all thresholds cost one gather and one scatter.
    """
    cdef Py_ssize_t n_thresholds = thresholds_out.shape[0]
    cdef Py_ssize_t position, i, j, p
    cdef double total, moved, sign, current, new, gradient, upper, diagonal, violation, step
    cdef Value start_total
    cdef bint any_active
    with nogil:
        for position in range(order.shape[0]):
            if position + FAR < order.shape[0]:
                i = order[position + FAR]
                AUTOTYPE_PREFETCH(&row_starts[i])
                AUTOTYPE_PREFETCH(&active_out[i, 0])
                i = order[position + NEAR]
                _prefetch_row(values, features, row_starts, i)
                AUTOTYPE_PREFETCH(&dual_out[i, 0])
                AUTOTYPE_PREFETCH(&ranks[i])
                AUTOTYPE_PREFETCH(&bounds[i])
                AUTOTYPE_PREFETCH(&squared_norms[i])
            i = order[position]
            any_active = False
            for j in range(n_thresholds):
                if active_out[i, j]:
                    any_active = True
                    break
            if not any_active:
                continue
            start_total = 0
            for p in range(row_starts[i], row_starts[i + 1]):
                start_total += values[p] * weights_out[features[p]]
            total = start_total
            moved = 0
            upper = bounds[i]
            diagonal = 0
            if squared:
                diagonal = 0.5 / upper
                upper = INFINITY
            for j in range(n_thresholds):
                if not active_out[i, j]:
                    continue
                sign = 1 if ranks[i] > j else -1
                current = sign * dual_out[i, j]
                gradient = sign * (total - thresholds_out[j]) - 1 + diagonal * current
                violation = fabs(gradient)
                if current <= 0:
                    violation = max(-gradient, 0.0)
                    if gradient > margin:
                        active_out[i, j] = 0
                        shrunk_out[0] += 1
                        continue
                elif current >= upper:
                    violation = max(gradient, 0.0)
                    if gradient < -margin:
                        active_out[i, j] = 0
                        shrunk_out[0] += 1
                        continue
                violation_out[0] += violation
                largest_out[0] = max(largest_out[0], violation)
                new = current - gradient / (squared_norms[i] + 1 + diagonal)
                new = min(max(new, 0.0), upper)
                step = sign * (new - current)
                dual_out[i, j] = sign * new
                thresholds_out[j] -= step
                total += step * squared_norms[i]
                moved += step
            if moved != 0:
                for p in range(row_starts[i], row_starts[i + 1]):
                    weights_out[features[p]] += <Value>(values[p] * moved)
    return 0

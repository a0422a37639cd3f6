# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Passes over the rows for the dual coordinate descent of `dual_coordinate.py`."""

from libc.float cimport DBL_MAX
from libc.math cimport INFINITY, fabs, isnan
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

ctypedef fused Value:
    float
    double

ctypedef fused Index:
    int32_t
    int64_t

cdef enum:
    MAX_COLUMNS = 8
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
    typedef double *restrict autotype_doubles;
    typedef const double *restrict autotype_const_doubles;
    """
    # Arrays that share no memory, so that the compiler may take several entries at once.
    ctypedef double *doubles "autotype_doubles"
    ctypedef const double *const_doubles "autotype_const_doubles"
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
    # Two sums a column, so that an addition need not wait for the last one.
    cdef Value even[8]
    cdef Value odd[8]
    cdef Py_ssize_t p, c
    cdef const Value *w
    cdef const Value *v
    cdef Value value, other
    for c in range(width):
        even[c] = sums_out[c]
        odd[c] = 0
    for p in range(0, n - 1, 2):
        value = x[p]
        other = x[p + 1]
        w = weights + feature[p] * stride
        v = weights + feature[p + 1] * stride
        for c in range(width):
            even[c] += value * w[c]
            odd[c] += other * v[c]
    if n % 2:
        value = x[n - 1]
        w = weights + feature[n - 1] * stride
        for c in range(width):
            even[c] += value * w[c]
    for c in range(width):
        sums_out[c] = even[c] + odd[c]


cdef inline void _scatter(
    const Value *x, const Index *feature, Py_ssize_t n, const Value *steps,
    Py_ssize_t stride, Py_ssize_t width, Value *weights_out
) noexcept nogil:
    cdef Value by[8]
    cdef Value new[8]
    cdef Py_ssize_t p, c
    cdef Value *w
    cdef Value value
    for c in range(width):
        by[c] = steps[c]
    for p in range(n):
        value = x[p]
        w = weights_out + feature[p] * stride
        for c in range(width):
            new[c] = w[c] + value * by[c]
        for c in range(width):
            w[c] = new[c]


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
    while left >= 2:
        _gather(x, feature, n, weights + first, stride, 2, sums_out + first)
        first += 2
        left -= 2
    if left:
        _gather(x, feature, n, weights + first, stride, 1, sums_out + first)


cdef struct RowCosts:
    double own
    double other
    double own_diagonal
    double other_diagonal
    double own_inverse
    double other_inverse


cdef inline double _inverse(double curvature) noexcept nogil:
    """Return 1 / curvature; a large number for a row of zeros, whose step ends at a bound."""
    return 1.0 / curvature if curvature > 0 else 1e300


cdef inline RowCosts _row_costs(
    double own, double other, double squared_norm, bint squared
) noexcept nogil:
    """Set up bounds of the dual variables, diagonal and inverse curvature of the dual problem."""
    cdef RowCosts costs
    if squared:
        costs.own_diagonal = 0.5 / own if own > 0 else 0.0
        costs.other_diagonal = 0.5 / other if other > 0 else 0.0
        costs.own = costs.other = DBL_MAX  # no bound; infinity times 0 would be none either
    else:
        costs.own = own
        costs.other = other
        costs.own_diagonal = costs.other_diagonal = 0.0
    costs.own_inverse = _inverse(squared_norm + costs.own_diagonal)
    costs.other_inverse = costs.own_inverse
    if squared:
        costs.other_inverse = _inverse(squared_norm + costs.other_diagonal)
    return costs


cdef inline bint _minimise(
    const Value *sums, const_doubles kinds, const_doubles active, RowCosts costs,
    Py_ssize_t stride, Py_ssize_t width, const_doubles margins, doubles dual,
    doubles violation_out, doubles largest_out, doubles slack_out, Value *steps_out
) noexcept nogil:
    """Minimise the dual over one row's variable in each column; return whether any moved.

    Eqs. (21) and (25) are one problem: over c in [low, high], a quadratic function of slope
    f - side + diagonal c plus `tube` |c|. A row of the rank itself has side 0 and the tube epsilon,
    any other its side, -1 or 1, and no tube. Branches could not be predicted here: selections
    are between values at hand, so that the compiler takes several columns at once.
    """
    cdef Py_ssize_t c
    cdef bint moved = False
    cdef double own, other, high, low, tube, inverse, current, value, linear, right, left, minimum
    cdef double up, down, excess, violation, new, last
    cdef double nothing = 0.0
    cdef double held = -1e300
    for c in range(width):
        own = kinds[c]
        other = kinds[stride + c]
        tube = kinds[2 * stride + c]
        high = own * costs.own + kinds[4 * stride + c] * costs.other
        low = kinds[5 * stride + c] * costs.other - own * costs.own
        inverse = own * costs.own_inverse + other * costs.other_inverse
        current = dual[c]
        # The slopes of both pieces without f: eq. (23), g'_p and g'_n of eq. (28).
        linear = own * costs.own_diagonal + other * costs.other_diagonal
        linear = linear * current - kinds[3 * stride + c]
        right = linear + tube
        left = linear - tube
        value = sums[c]
        # What moving up or down by a little gains; nothing at a bound.
        up = 1.0 if current >= 0 else -1.0
        down = 1.0 if current > 0 else -1.0
        up = (nothing if current < high else held) - (value + linear + tube * up)
        down = (nothing if current > low else held) + (value + linear + tube * down)
        excess = up if up > down else down
        excess = excess * active[c]
        violation = excess if excess > 0 else nothing  # eqs. (24), (30)
        violation_out[c] += violation
        largest_out[c] = violation if violation > largest_out[c] else largest_out[c]
        slack_out[c] = excess + margins[c]  # negative: to be shrunk, eqs. (32) and (33)
        # Eqs. (22) and (27), clipped to (26): the middle one of both pieces' minima and 0.
        minimum = value * inverse
        new = (current - right * inverse) - minimum
        last = (current - left * inverse) - minimum
        last = last if last < 0 else nothing
        new = new if new > last else last
        new = new if new > low else low
        new = new if new < high else high
        new = new if active[c] > 0 else current
        dual[c] = new
        steps_out[c] = <Value>(new - current)
    for c in range(width):
        moved |= steps_out[c] != 0
    return moved


cdef inline bint _visit(
    const Value *x, const Index *feature, Py_ssize_t n, Value bias, Py_ssize_t bias_row,
    const double *kinds, const double *active, RowCosts costs, Py_ssize_t stride, Py_ssize_t width,
    const double *margins, double *dual, double *violation_out, double *largest_out,
    double *slack_out, Value *weights_out
) noexcept nogil:
    """Visit one row: evaluate all columns, minimise over their variables and move the weights."""
    cdef Value sums[MAX_COLUMNS]
    cdef Value steps[MAX_COLUMNS]
    cdef Value *constant = weights_out + bias_row * stride
    cdef Py_ssize_t c
    cdef bint shrinks = False
    for c in range(width):
        sums[c] = bias * constant[c]
    _gather(x, feature, n, weights_out, stride, width, sums)
    if _minimise(
        sums, kinds, active, costs, stride, width, margins, dual, violation_out, largest_out,
        slack_out, steps
    ):
        _scatter(x, feature, n, steps, stride, width, weights_out)  # eq. (29)
        for c in range(width):
            constant[c] += bias * steps[c]
    for c in range(width):
        shrinks |= slack_out[c] < 0
    return shrinks


cdef inline void _shuffle(const uint32_t *numbers, Py_ssize_t n, int32_t *order_out) noexcept nogil:
    """Shuffle by one random number an entry (Fisher and Yates)."""
    cdef Py_ssize_t k, other
    cdef int32_t kept
    for k in range(n - 1, 0, -1):
        other = <Py_ssize_t>((<uint64_t>numbers[k] * <uint64_t>(k + 1)) >> 32)
        kept = order_out[k]
        order_out[k] = order_out[other]
        order_out[other] = kept


def npsvor_passes(
    const Value[::1] values,
    const Index[::1] features,
    const Index[::1] row_starts,
    const int32_t[::1] ranks,
    const double[:, :, ::1] kinds,
    const double[::1] own_costs,
    const double[::1] other_costs,
    const double[::1] squared_norms,
    Py_ssize_t n_columns,
    bint squared,
    double bias,
    double tol,
    const uint32_t[:, ::1] numbers,
    int32_t[::1] order_out,
    double[::1] margins_out,
    double[::1] first_violation_out,
    uint32_t[::1] active_out,
    double[:, ::1] dual_out,
    Value[:, ::1] weights_out,
    double[::1] violation_out,
    int64_t[::1] shrunk_out,
):
    """Pass over the rows until a column meets the stopping rule (31), or `numbers` are used up.

    Each pass shuffles `order_out` by a row of random `numbers` and visits each row once, minimising
    over its active dual variables (Algorithm 2). `kinds[r]` holds for each column whether rank r is
    its own, whether it is another, epsilon if its own, the side of r, and that side if above and if
    below. Columns from `n_columns` on only fill the arrays up to a width of 2, 4 or 8. Bit c of
    `active_out[i]` is set while row i is not shrunk in column c. The last row of `weights_out`
    belongs to the constant feature `bias`. `first_violation_out` is NaN before the first pass.

    Returns
    -------
    int
        The number of passes, the last of which left its sums of violations; -1 for no rows or too
        many columns.
    """
    cdef Py_ssize_t width = n_columns + n_columns % 2
    cdef Py_ssize_t stride = weights_out.shape[1]
    cdef Py_ssize_t bias_row = weights_out.shape[0] - 1
    cdef Py_ssize_t n_order = order_out.shape[0]
    cdef Py_ssize_t position, i, c, start, n, ahead
    cdef int n_passes = 0
    cdef uint32_t mask
    cdef bint shrinks
    cdef bint goes_on = True
    cdef double active[1 << MAX_COLUMNS][MAX_COLUMNS]
    cdef double violation[MAX_COLUMNS]
    cdef double largest[MAX_COLUMNS]
    cdef double margins[MAX_COLUMNS]
    cdef double slack[MAX_COLUMNS]
    cdef RowCosts costs
    # Behind the last entry, where rows without any may start, is no element to take the address of.
    cdef const Value *x = &values[0] if values.shape[0] else NULL
    cdef const Index *feature = &features[0] if features.shape[0] else NULL
    if width == 6 and sizeof(Value) < sizeof(double):
        width = 8  # two registers of four
    if n_order == 0 or width > min(stride, MAX_COLUMNS) or kinds.shape[2] != stride:
        return -1
    with nogil:
        for mask in range(<uint32_t>1 << n_columns):
            for c in range(width):
                active[mask][c] = (mask >> c) & 1
        for c in range(width):
            margins[c] = margins_out[c] if c < n_columns else INFINITY
        while goes_on and n_passes < numbers.shape[0]:
            _shuffle(&numbers[n_passes, 0], n_order, &order_out[0])
            n_passes += 1
            for c in range(width):
                violation[c] = 0
                largest[c] = 0
            for position in range(n_order):
                if position + FAR < n_order:
                    ahead = order_out[position + FAR]
                    AUTOTYPE_PREFETCH(&row_starts[ahead])
                    AUTOTYPE_PREFETCH(&active_out[ahead])
                    ahead = order_out[position + NEAR]
                    if active_out[ahead]:
                        _prefetch_row(values, features, row_starts, ahead)
                        AUTOTYPE_PREFETCH(&dual_out[ahead, 0])
                        AUTOTYPE_PREFETCH(&ranks[ahead])
                        AUTOTYPE_PREFETCH(&own_costs[ahead])
                        AUTOTYPE_PREFETCH(&other_costs[ahead])
                        AUTOTYPE_PREFETCH(&squared_norms[ahead])
                i = order_out[position]
                mask = active_out[i]
                if mask == 0:
                    continue
                start = row_starts[i]
                n = row_starts[i + 1] - start
                costs = _row_costs(own_costs[i], other_costs[i], squared_norms[i], squared)
                # Literal widths, for which the compiler unrolls the loops over columns.
                if width == 2:
                    shrinks = _visit(
                        x + start, feature + start, n, <Value>bias, bias_row,
                        &kinds[ranks[i], 0, 0], active[mask], costs, stride, 2, margins,
                        &dual_out[i, 0], violation, largest, slack, &weights_out[0, 0]
                    )
                elif width == 4:
                    shrinks = _visit(
                        x + start, feature + start, n, <Value>bias, bias_row,
                        &kinds[ranks[i], 0, 0], active[mask], costs, stride, 4, margins,
                        &dual_out[i, 0], violation, largest, slack, &weights_out[0, 0]
                    )
                elif width == 6:
                    shrinks = _visit(
                        x + start, feature + start, n, <Value>bias, bias_row,
                        &kinds[ranks[i], 0, 0], active[mask], costs, stride, 6, margins,
                        &dual_out[i, 0], violation, largest, slack, &weights_out[0, 0]
                    )
                else:
                    shrinks = _visit(
                        x + start, feature + start, n, <Value>bias, bias_row,
                        &kinds[ranks[i], 0, 0], active[mask], costs, stride, 8, margins,
                        &dual_out[i, 0], violation, largest, slack, &weights_out[0, 0]
                    )
                if shrinks:
                    for c in range(n_columns):
                        if slack[c] < 0:
                            active_out[i] &= ~(<uint32_t>1 << c)
                            shrunk_out[c] += 1
            for c in range(n_columns):
                if isnan(first_violation_out[c]):
                    first_violation_out[c] = violation[c]  # v0 of eq. (31)
                if violation[c] > tol * first_violation_out[c]:
                    margins[c] = largest[c]  # eq. (34)
                else:
                    goes_on = False
        for c in range(n_columns):
            margins_out[c] = margins[c]
            violation_out[c] = violation[c]
    return n_passes


def npsvor_objective_terms(
    const Value[::1] values,
    const Index[::1] features,
    const Index[::1] row_starts,
    Py_ssize_t first,
    Py_ssize_t last,
    const int32_t[::1] ranks,
    const int32_t[::1] ranks_of_columns,
    const double[::1] own_costs,
    const double[::1] other_costs,
    double epsilon,
    bint squared,
    const Value[:, ::1] weights,
    const double[::1] intercepts,
    const double[:, :] dual,
    Value[::1] latent_out,
    double[:, ::1] terms_out,
):
    """Add what the rows first .. last - 1 contribute to the primal and the dual objectives.

    `latent_out` is scratch space for a row's values in all columns. `terms_out[0]` gets the losses
    of eq. (4), `terms_out[1]` all of minus eq. (20) but its norm.
    """
    cdef Py_ssize_t i, c, start, n
    cdef Py_ssize_t n_columns = ranks_of_columns.shape[0]
    cdef double f, error, cost, variable
    with nogil:
        for i in range(first, last):
            start = row_starts[i]
            n = row_starts[i + 1] - start
            for c in range(n_columns):
                latent_out[c] = 0
            if n:
                _gather_columns(
                    &values[start], &features[start], n, &weights[0, 0], n_columns, n_columns,
                    &latent_out[0]
                )
            for c in range(n_columns):
                f = latent_out[c] + intercepts[c]
                variable = dual[i, c]
                if ranks[i] == ranks_of_columns[c]:
                    cost = own_costs[i]
                    error = fabs(f) - epsilon
                    terms_out[1, c] -= epsilon * fabs(variable)
                elif ranks[i] > ranks_of_columns[c]:
                    cost = other_costs[i]
                    error = 1.0 - f
                    terms_out[1, c] += variable
                else:
                    cost = other_costs[i]
                    error = 1.0 + f
                    terms_out[1, c] -= variable
                if cost == 0:
                    continue
                error = max(error, 0.0)
                if squared:
                    error *= error
                    terms_out[1, c] -= variable * variable / (4 * cost)
                terms_out[0, c] += cost * error
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

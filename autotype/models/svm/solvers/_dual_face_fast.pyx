# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Active-set steps to the minimum of a dual over its free variables, for `pair_descent.py`."""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int32_t
from libc.string cimport memmove


cdef inline double _dot(const double* a, const double* b, Py_ssize_t n) noexcept nogil:
    """Compute an inner product in four independent sums, which the processor overlaps."""
    cdef double s0 = 0, s1 = 0, s2 = 0, s3 = 0
    cdef Py_ssize_t i = 0
    while i + 4 <= n:
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
        i += 4
    while i < n:
        s0 += a[i] * b[i]
        i += 1
    return (s0 + s1) + (s2 + s3)


cdef inline void _rotate(double* a, double* b, double c, double s, Py_ssize_t n) noexcept nogil:
    """Rotate pairs: (a, b) -> (c a + s b, c b - s a)."""
    cdef Py_ssize_t i
    cdef double x
    for i in range(n):
        x = a[i]
        a[i] = c * x + s * b[i]
        b[i] = c * b[i] - s * x


cdef inline void _drop(
    double[:, ::1] U, double[:, ::1] Y, int32_t* order, Py_ssize_t i, Py_ssize_t m
) noexcept nogil:
    """Remove variable i of m from U'U and from the solutions U'y of its right-hand sides."""
    cdef Py_ssize_t r, k
    cdef double length, c, s
    for r in range(i + 1):
        memmove(&U[r, i], &U[r, i] + 1, (m - 1 - i) * sizeof(double))
    for r in range(i + 1, m):  # moved left, row r starts one before the diagonal
        memmove(&U[r, r - 1], &U[r, r], (m - r) * sizeof(double))
        length = sqrt(U[r - 1, r - 1] * U[r - 1, r - 1] + U[r, r - 1] * U[r, r - 1])
        c = U[r - 1, r - 1] / length
        s = U[r, r - 1] / length
        _rotate(&U[r - 1, r - 1], &U[r, r - 1], c, s, m - r)
        for k in range(Y.shape[0]):
            _rotate(&Y[k, r - 1], &Y[k, r], c, s, 1)
    memmove(&order[i], &order[i + 1], (m - 1 - i) * sizeof(int32_t))


cdef inline Py_ssize_t _join(
    const int32_t[::1] thresholds,
    const int32_t* order,
    Py_ssize_t m,
    const double[::1] flow,
    bint linked,
    int32_t* group_out,
    int32_t* sizes_out,
) noexcept nogil:
    """Number the groups of thresholds that flows keep equal; count them and their variables."""
    cdef Py_ssize_t j, p, n_groups = 0
    for j in range(flow.shape[0] + 1):
        if j == 0 or not (linked and flow[j - 1] > 0):
            sizes_out[n_groups] = 0
            n_groups += 1
        group_out[j] = <int32_t>(n_groups - 1)
    for p in range(m):
        sizes_out[group_out[thresholds[order[p]]]] += 1
    return n_groups


cdef inline void _solve_small(double[:, ::1] G, double* b, Py_ssize_t n) noexcept nogil:
    """Solve G x = b in place, G positive semi-definite; 0 where a pivot vanishes."""
    cdef Py_ssize_t i, j, k
    cdef double ratio
    for k in range(n):
        for i in range(k + 1, n):
            ratio = G[i, k] / G[k, k] if G[k, k] > 0 else 0.0
            for j in range(k, n):
                G[i, j] -= ratio * G[k, j]
            b[i] -= ratio * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= G[k, j] * b[j]
        b[k] = b[k] / G[k, k] if G[k, k] > 0 else 0.0


cdef inline void _aim(
    const double[:, ::1] U,
    const double[:, ::1] Y,
    const int32_t* group,
    Py_ssize_t n_groups,
    Py_ssize_t m,
    double[:, ::1] joined_out,
    double[:, ::1] gram_out,
    double* sums_out,
    double[::1] direction_out,
) noexcept nogil:
    """Find the step to the minimum, and in row 0 of `joined_out` what U'y = F becomes there."""
    cdef Py_ssize_t j, g, h, p
    cdef double value
    for g in range(n_groups):
        for p in range(m):
            joined_out[g, p] = 0
    for j in range(Y.shape[0] - 1):
        for p in range(m):
            joined_out[group[j], p] += Y[1 + j, p]
    # The sums of d are 0 where A H^-1 A' b = A H^-1 F, H = U'U.
    for g in range(n_groups):
        sums_out[g] = _dot(&joined_out[g, 0], &Y[0, 0], m)
        for h in range(n_groups):
            gram_out[g, h] = _dot(&joined_out[g, 0], &joined_out[h, 0], m)
    _solve_small(gram_out, sums_out, n_groups)
    for p in range(m):
        value = 0
        for g in range(n_groups):
            value += sums_out[g] * joined_out[g, p]
        joined_out[0, p] = value
    for p in range(m - 1, -1, -1):  # H d = A'b - F
        value = joined_out[0, p] - Y[0, p]
        value -= _dot(&U[p, p] + 1, &direction_out[p] + 1, m - 1 - p)
        direction_out[p] = value / U[p, p]


cdef inline void _balance(
    const int32_t[::1] thresholds,
    const int32_t* order,
    const int32_t* group,
    const int32_t* sizes,
    Py_ssize_t n_groups,
    Py_ssize_t m,
    double* sums_out,
    double[::1] direction_out,
) noexcept nogil:
    """Subtract from a step what rounding has left of the groups' sums."""
    cdef Py_ssize_t g, p
    for g in range(n_groups):
        sums_out[g] = 0
    for p in range(m):
        sums_out[group[thresholds[order[p]]]] += direction_out[p]
    for p in range(m):
        g = group[thresholds[order[p]]]
        direction_out[p] -= sums_out[g] / sizes[g]


cdef inline double _move_flows(
    const int32_t[::1] thresholds,
    const int32_t* order,
    const double[::1] direction,
    Py_ssize_t m,
    double step,
    double* sums_out,
    double[::1] flow_out,
) noexcept nogil:
    """Move the flows, the one that meets 0 first to exactly 0, and return the step length."""
    cdef Py_ssize_t j, p, blocker = -1, n_flows = flow_out.shape[0]
    for j in range(n_flows + 1):
        sums_out[j] = 0
    for p in range(m):
        sums_out[thresholds[order[p]]] += direction[p]
    for j in range(n_flows):
        if flow_out[j] > 0:
            if flow_out[j] < step * sums_out[j]:
                step = flow_out[j] / sums_out[j]
                blocker = j
            sums_out[j + 1] += sums_out[j]  # a flow falls by the sum of all t before it
    for j in range(n_flows):
        if flow_out[j] > 0:
            flow_out[j] = 0.0 if j == blocker else max(flow_out[j] - step * sums_out[j], 0.0)
    return step


def descend_face(
    double[:, ::1] U,
    double[:, ::1] Y,
    const int32_t[::1] thresholds,
    const double[::1] lower,
    const double[::1] upper,
    bint linked,
    int32_t[:, ::1] order_out,
    double[:, ::1] joined_out,
    double[:, ::1] gram_out,
    double[::1] sums_out,
    double[::1] direction_out,
    double[::1] flow_out,
    double[::1] t_out,
):
    """Go to the minimum over the free variables, dropping those that meet a bound on the way.

    U'U is the kernel between the free variables; row 0 of Y solves U'y = F, their slopes, and row
    1 + j solves U'y = 1 for those at threshold j. Both are used up.

    Returns
    -------
    int
        Variables left free.
    """
    cdef Py_ssize_t m = U.shape[0]
    cdef Py_ssize_t n_groups, blocker, k, p
    cdef double step, room
    cdef int32_t* order = &order_out[0, 0]
    cdef int32_t* group = &order_out[1, 0]
    cdef int32_t* sizes = &order_out[2, 0]
    cdef double* sums = &sums_out[0]
    with nogil:
        for p in range(m):
            order[p] = <int32_t>p
        while m > 1:
            n_groups = _join(thresholds, order, m, flow_out, linked, group, sizes)
            _aim(U, Y, group, n_groups, m, joined_out, gram_out, sums, direction_out)
            _balance(thresholds, order, group, sizes, n_groups, m, sums, direction_out)
            step = 1
            blocker = -1
            for p in range(m):
                k = order[p]
                room = (upper[k] if direction_out[p] > 0 else lower[k]) - t_out[k]
                if fabs(room) < step * fabs(direction_out[p]):
                    step = room / direction_out[p]
                    blocker = p
            if linked:
                room = _move_flows(thresholds, order, direction_out, m, step, sums, flow_out)
                if room < step:
                    step = room
                    blocker = -1
            if step >= 1:
                for p in range(m):
                    t_out[order[p]] += direction_out[p]
                break
            for p in range(m):
                Y[0, p] += step * (joined_out[0, p] - Y[0, p])
            for p in range(m - 1, -1, -1):
                k = order[p]
                room = (upper[k] if direction_out[p] > 0 else lower[k]) - t_out[k]
                if p == blocker or fabs(room) <= step * fabs(direction_out[p]):
                    t_out[k] = upper[k] if direction_out[p] > 0 else lower[k]
                    _drop(U, Y, order, p, m)
                    m -= 1
                else:
                    t_out[k] += step * direction_out[p]
    return m


def add_rows(
    const double[:, ::1] K,
    const int32_t[::1] rows,
    const double[::1] changes,
    double[::1] latent_out,
):
    """Add rows of the kernel, each times its coefficient's change, to the latent values."""
    cdef Py_ssize_t v, i
    with nogil:
        for v in range(rows.shape[0]):
            if changes[v] != 0:
                for i in range(K.shape[1]):
                    latent_out[i] += changes[v] * K[rows[v], i]

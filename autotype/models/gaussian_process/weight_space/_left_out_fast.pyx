# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The latents of each row without its own softmax likelihood, for `left_out.py`.

Rows lie next to each other in memory, and are worked on eight at a time.
"""

from libc.math cimport sqrt
from libc.stdint cimport int64_t

cdef enum:
    BLOCK = 8  # rows; `BLOCK_ROWS` in `left_out.py`

cdef double _LEAST_PIVOT = 1e-9  # of a row with great influence


cdef inline Py_ssize_t _pair(Py_ssize_t k, Py_ssize_t j) noexcept nogil:
    """Return the position of an entry in a packed lower triangle."""
    return k * (k + 1) // 2 + j if k >= j else j * (j + 1) // 2 + k


cdef void _factor(
    double* matrix, const double* root, const double* mean, const double* weight, Py_ssize_t n
) noexcept nogil:
    """Replace the packed covariances K by the Cholesky factor R of I - w V'K V, V V' = W.

    On its diagonal are the reciprocals. V = diag(q) (I - q q'), q the roots of the probabilities; `mean` is K p.
    """
    cdef Py_ssize_t k, j, l, b
    cdef double centre[BLOCK]
    cdef double entry[BLOCK]
    for b in range(BLOCK):
        centre[b] = 0.0
    for k in range(n):
        for b in range(BLOCK):
            centre[b] += root[k * BLOCK + b] * root[k * BLOCK + b] * mean[k * BLOCK + b]
    for k in range(n):
        for j in range(k + 1):
            for b in range(BLOCK):
                entry[b] = -weight[b] * root[k * BLOCK + b] * root[j * BLOCK + b] * (
                    matrix[_pair(k, j) * BLOCK + b]
                    - mean[k * BLOCK + b] - mean[j * BLOCK + b] + centre[b]
                )
            for l in range(j):
                for b in range(BLOCK):
                    entry[b] -= (
                        matrix[_pair(k, l) * BLOCK + b] * matrix[_pair(j, l) * BLOCK + b]
                    )
            if j < k:
                for b in range(BLOCK):
                    matrix[_pair(k, j) * BLOCK + b] = entry[b] * matrix[_pair(j, j) * BLOCK + b]
            else:
                for b in range(BLOCK):
                    entry[b] += 1.0
                    entry[b] = entry[b] if entry[b] > _LEAST_PIVOT else _LEAST_PIVOT
                    matrix[_pair(k, k) * BLOCK + b] = 1.0 / sqrt(entry[b])


cdef inline void _subtract(
    const double* row,
    const double* first,
    const double* second,
    Py_ssize_t k,
    Py_ssize_t stride,
    double* entry,
    double* other,
) noexcept nogil:
    """Subtract the products of a row of the factor with two columns."""
    cdef Py_ssize_t l, b
    cdef double one[BLOCK]
    cdef double two[BLOCK]
    for b in range(BLOCK):
        one[b], two[b] = entry[b], other[b]
    for l in range(k):
        for b in range(BLOCK):
            one[b] -= row[l * BLOCK + b] * first[l * stride * BLOCK + b]
        for b in range(BLOCK):
            two[b] -= row[l * BLOCK + b] * second[l * stride * BLOCK + b]
    for b in range(BLOCK):
        entry[b], other[b] = one[b], two[b]


cdef void _solve(
    const double* factor,
    const double* spread,
    Py_ssize_t stride,
    const double* root,
    const double* mean,
    const double* weight,
    Py_ssize_t n,
    double* solved,
) noexcept nogil:
    """Compute T = R^-1 sqrt(w) V'K, a row a class."""
    cdef Py_ssize_t k, j, l, b
    cdef double scale[BLOCK]
    cdef double entry[BLOCK]
    cdef double other[BLOCK]
    cdef double pivot
    for k in range(n):
        for b in range(BLOCK):
            scale[b] = sqrt(weight[b]) * root[k * BLOCK + b]
        for j in range(0, n, 2):  # two columns at a time: the factor is read half as often
            l = j + 1 if j + 1 < n else j
            for b in range(BLOCK):
                entry[b] = scale[b] * (spread[_pair(k, j) * stride + b] - mean[j * BLOCK + b])
                other[b] = scale[b] * (spread[_pair(k, l) * stride + b] - mean[l * BLOCK + b])
            _subtract(
                factor + _pair(k, 0) * BLOCK, solved + j * BLOCK, solved + l * BLOCK, k, n,
                entry, other,
            )
            for b in range(BLOCK):
                pivot = factor[_pair(k, k) * BLOCK + b]
                solved[(k * n + j) * BLOCK + b] = entry[b] * pivot
                solved[(k * n + l) * BLOCK + b] = other[b] * pivot


cpdef int leave_out(
    const double[:, ::1] spread,
    const double[:, ::1] prob,
    const double[:, ::1] residual,
    const double[::1] weight,
    double[::1] work_out,
    double[:, ::1] shift_out,
    double[:, ::1] variance_out,
    double[:, ::1] covariance_out,
) noexcept nogil:
    """Compute K~ = (K^-1 - w W)^-1 of each row, W = diag(p) - p p', and K~ times its residual.

    K~ = K + T'T, T = R^-1 sqrt(w) V'K and R R' = I - w V'K V. Rows come last in each array, a
    multiple of eight of them; `spread` and `covariance_out` hold packed lower triangles, and the
    latter may have no rows. `work_out` is work space of 8 (L (L + 1) / 2 + L (L + 2)) entries.
    """
    cdef Py_ssize_t block, i, k, j, l, b
    cdef Py_ssize_t n = prob.shape[0], stride = prob.shape[1]
    cdef bint full = covariance_out.shape[0] > 0
    cdef double entry[BLOCK]
    cdef double* matrix = &work_out[0]
    cdef double* solved = matrix + n * (n + 1) // 2 * BLOCK
    cdef double* root = solved + n * n * BLOCK
    cdef double* mean = root + n * BLOCK
    for block in range(stride // BLOCK):
        i = block * BLOCK
        for k in range(n):
            for b in range(BLOCK):
                root[k * BLOCK + b] = sqrt(prob[k, i + b])
                entry[b] = 0.0
            for j in range(n):
                for b in range(BLOCK):
                    entry[b] += spread[_pair(k, j), i + b] * prob[j, i + b]
            for b in range(BLOCK):
                mean[k * BLOCK + b] = entry[b]
        for k in range(n * (n + 1) // 2):
            for b in range(BLOCK):
                matrix[k * BLOCK + b] = spread[k, i + b]
        _factor(matrix, root, mean, &weight[i], n)
        _solve(matrix, &spread[0, i], stride, root, mean, &weight[i], n, solved)
        for k in range(n):
            for b in range(BLOCK):
                entry[b] = spread[_pair(k, k), i + b]
                shift_out[k, i + b] = 0.0
            for j in range(n):
                for b in range(BLOCK):
                    entry[b] += solved[(j * n + k) * BLOCK + b] * solved[(j * n + k) * BLOCK + b]
                    shift_out[k, i + b] += spread[_pair(k, j), i + b] * residual[j, i + b]
            for b in range(BLOCK):
                variance_out[k, i + b] = entry[b]
        for l in range(n):
            for b in range(BLOCK):
                entry[b] = 0.0
            for j in range(n):
                for b in range(BLOCK):
                    entry[b] += solved[(l * n + j) * BLOCK + b] * residual[j, i + b]
            for k in range(n):
                for b in range(BLOCK):
                    shift_out[k, i + b] += solved[(l * n + k) * BLOCK + b] * entry[b]
        if full:
            for k in range(n):
                for j in range(k + 1):
                    for b in range(BLOCK):
                        entry[b] = spread[_pair(k, j), i + b]
                    for l in range(n):
                        for b in range(BLOCK):
                            entry[b] += (
                                solved[(l * n + k) * BLOCK + b] * solved[(l * n + j) * BLOCK + b]
                            )
                    for b in range(BLOCK):
                        covariance_out[_pair(k, j), i + b] = entry[b]
    return 0

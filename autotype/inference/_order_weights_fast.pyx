# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The sums over pairs of levels that weigh orders, for `order_search.py`."""

from libc.stdint cimport int64_t


cpdef int explained_shares(
    const double[:, ::1] matrix,
    const double[::1] counts,
    const int64_t[:, ::1] orders,
    const double[:, ::1] scores,
    double[::1] explained_out,
) noexcept nogil:
    """Compute t'Bt / sum n_k t_k^2 for each order, t the scores of its levels."""
    cdef Py_ssize_t m, i, j, level
    cdef Py_ssize_t k = orders.shape[1]
    cdef double form, size, row, score
    for m in range(orders.shape[0]):
        form = 0.0
        size = 0.0
        for i in range(k):
            level = orders[m, i]
            score = scores[m, i]
            row = 0.0
            for j in range(i):
                row += scores[m, j] * matrix[level, orders[m, j]]
            form += score * (2.0 * row + score * matrix[level, level])  # B is symmetric
            size += score * score * counts[level]
        explained_out[m] = form / (size if size > 1e-12 else 1e-12)
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

# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of hashes by the code of each row, for `row_priority.py`.

Codes are positions in the hashes; -1 is the last one. Sums wrap.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t

ctypedef fused code_t:
    int8_t
    int16_t
    int32_t
    int64_t


cpdef int add_by_code(
    uint64_t[::1] keys_out, const code_t[::1] codes, const uint64_t[::1] hashes
) noexcept nogil:
    """Add to each key the hash of its code."""
    cdef Py_ssize_t i
    cdef int64_t code, last = hashes.shape[0] - 1
    for i in range(keys_out.shape[0]):
        code = codes[i]
        keys_out[i] += hashes[code if code >= 0 else last]
    return 0


cpdef int sum_by_code(
    const uint64_t[::1] values, const code_t[::1] codes, uint64_t[::1] sums_out
) noexcept nogil:
    """Add each value to the sum of its code."""
    cdef Py_ssize_t i
    cdef int64_t code, last = sums_out.shape[0] - 1
    for i in range(values.shape[0]):
        code = codes[i]
        sums_out[code if code >= 0 else last] += values[i]
    return 0

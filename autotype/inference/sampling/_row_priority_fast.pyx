# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of hashes by the code of each row, and numbers of equal hashes, for `row_priority.py`.

Codes are positions in the hashes; -1 is the last one. Sums wrap.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint32_t, uint64_t

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


cpdef bint count_previous(
    const uint64_t[::1] keys,
    uint64_t[::1] slots,
    uint32_t[::1] counts,
    uint32_t[::1] previous_out,
) noexcept nogil:
    """Count for each key the equal ones before it; stop with False if the table is too small.

    `slots` and `counts` are a hash table, a power of two of zeros each, of which half may be used.
    Keys are hashes: each is held in the first free slot from the one that its last bits name.
    """
    cdef Py_ssize_t i, n_free = slots.shape[0] // 2
    cdef uint64_t slot, last = slots.shape[0] - 1
    for i in range(keys.shape[0]):
        slot = keys[i] & last
        while counts[slot] and slots[slot] != keys[i]:
            slot = (slot + 1) & last
        if counts[slot] == 0:
            if n_free == 0:
                return False
            n_free -= 1
            slots[slot] = keys[i]
        previous_out[i] = counts[slot]
        counts[slot] += 1
    return True

# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Tables of bits in which keys that occur again are marked, for `repeats.py`.

A key's place in a table is given by its leading bits, those above `shift`.
"""

from libc.stdint cimport uint8_t, uint64_t


cpdef int mark(
    const uint64_t[::1] keys, int shift, uint64_t[::1] seen_out, uint64_t[::1] repeated_out
) noexcept nogil:
    """Set the bit of each key among those seen, and if it was set among those repeated."""
    cdef Py_ssize_t i
    cdef uint64_t place, bit
    for i in range(keys.shape[0]):
        place = keys[i] >> shift
        bit = (<uint64_t>1) << (place & 63)
        place >>= 6
        if seen_out[place] & bit:
            repeated_out[place] |= bit
        else:
            seen_out[place] |= bit
    return 0


cpdef int find_marked(
    const uint64_t[::1] keys, int shift, const uint64_t[::1] repeated, uint8_t[::1] marked_out
) noexcept nogil:
    """Look up whether the bit of each key is set: 1 or 0."""
    cdef Py_ssize_t i
    cdef uint64_t place
    for i in range(keys.shape[0]):
        place = keys[i] >> shift
        marked_out[i] = (repeated[place >> 6] >> (place & 63)) & 1
    return 0

"""Whether a value is there: None, NaN, NaT and NA are not."""

from __future__ import annotations


def is_present(value: object) -> bool:
    """Check that a value is neither None nor NaN, NaT or NA."""
    return value is not None and equals_itself(value)


def equals_itself(value: object) -> bool:
    """Check that a value is equal to itself, unlike NaN, NaT and NA."""
    try:
        return bool(value == value)
    except Exception:  # pandas.NA, a signaling NaN, and whatever a class of the user raises
        return False

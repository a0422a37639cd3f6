"""ColumnProfile: missing values and what the other cells of a column look like."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnProfile:
    """What the cells of a column look like, for readers of a report.

    Attributes
    ----------
    n_missing : int
        Missing values in the whole frame.
    examples : tuple of str
        A few values, as strings; empty if the levels of the column are listed.
    common : tuple of (str, int)
        The most frequent values with their counts in the sampled rows, if values repeat and the
        levels are not listed.
    histogram : tuple of int
        Rows of the sample in bins of equal width, of numbers and dates with many values.
    low, high : str
        The ends of the histogram.
    """

    n_missing: int = 0
    examples: tuple[str, ...] = ()
    common: tuple[tuple[str, int], ...] = ()
    histogram: tuple[int, ...] = ()
    low: str = ""
    high: str = ""

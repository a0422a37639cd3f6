"""DataWarning: what looks wrong in a table, and what to do about it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class DataWarning:
    """A finding about a table that looks like a fault of its data.

    Attributes
    ----------
    kind : str
        What it is: "header row", "total row", "stray level", "missing marker", "garbled text",
        "spreadsheet damage", "spellings", "blanks", "merged cells", "column without a name",
        "codebook", "ordered dtype", "unknown level" or "weights".
    message : str
        What was found, where, in a sentence without its full stop.
    remedy : str
        What to do about it, in the same form.
    column : hashable
        The name of the column; None if the finding concerns several columns, or a row.

    Examples
    --------
    >>> from autotype import DataWarning
    >>> print(DataWarning("missing marker", "'plan' holds 'NaN'", "pass --missing NaN"))
    'plan' holds 'NaN'; pass --missing NaN
    """

    kind: str
    message: str
    remedy: str
    column: Hashable = None

    @property
    def quotes_levels(self) -> bool:
        """Whether its message may quote levels that a report without values leaves out."""
        return self.kind in ("stray level", "spellings", "blanks", "unknown level")

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}"

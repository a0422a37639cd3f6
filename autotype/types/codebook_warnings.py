"""Report where a codebook and the columns of a table do not fit each other."""

from __future__ import annotations

from collections.abc import Sequence

from autotype.types.codebook import Codebook
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning


def codebook_warnings(codebook: Codebook, columns: Sequence[ColumnType]) -> tuple[DataWarning, ...]:
    """Return a warning for each line that was not understood, and each thing that does not fit.

    Parameters
    ----------
    codebook : Codebook
        As the user gave it.
    columns : sequence of ColumnType
        The types of the table's columns.

    Examples
    --------
    >>> (warning,) = codebook_warnings(Codebook(doubts=("line 3: not understood",)), [])
    >>> print(warning)
    the codebook, line 3: not understood; correct the codebook; what fits was used
    """
    levels = {column.name: list(column.levels) for column in columns}
    sentences = [f"the codebook, {doubt}" for doubt in codebook.doubts]
    sentences += codebook.misfits(levels)
    remedy = "correct the codebook; what fits was used"
    return tuple(DataWarning("codebook", sentence, remedy) for sentence in sentences)

"""Read labelled data files of any format."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO

import pandas as pd

from autotype.tables.labelled.r_files import read_r_file
from autotype.tables.labelled.stat_files import read_stat_file
from autotype.tables.limits import Limits
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading

_CATALOG = ".sas7bcat"


def read_labelled(
    kind: str,
    opened: Callable[[], IO[bytes]],
    limits: Limits,
    *,
    encoding: str | None = None,
    n_rows: int | None = None,
    sheet: str | None = None,
    catalog: str | None = None,
) -> tuple[pd.DataFrame, Codebook, Reading]:
    """Read a file of SPSS, Stata, SAS or R.

    Parameters
    ----------
    kind : str
        ``"sav"``, ``"por"``, ``"dta"``, ``"sas7bdat"``, ``"xpt"`` or ``"r"``.
    opened : callable
        Opens the content, which can seek.
    limits : Limits
    encoding, n_rows : optional
        As of `read_stat_file`.
    sheet : str, optional
        Of a file of R, the data frame to read.
    catalog : str, optional
        Path of the .sas7bcat file with the value labels of a .sas7bdat file; by default the one of
        the same stem beside it.

    Returns
    -------
    tuple
        The stored values, the codebook, and how they were read.
    """
    if kind == "r":
        return read_r_file(opened, limits, encoding=encoding, n_rows=n_rows, name=sheet)
    if catalog is None and kind == "sas7bdat":
        beside = os.path.splitext(limits.path)[0] + _CATALOG
        catalog = beside if os.path.isfile(beside) else None
    return read_stat_file(
        opened, limits, kind=kind, encoding=encoding, n_rows=n_rows, catalog=catalog
    )

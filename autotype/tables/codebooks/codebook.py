"""Codebook: what is written about the columns of a table, and how it is read."""

from __future__ import annotations

import os

from autotype.tables.codebooks.read import read_codebook
from autotype.types.codebook import Codebook as _Codebook


class Codebook(_Codebook):
    r"""What is written about the columns of a table besides their values.

    Attributes
    ----------
    columns : mapping
        Column name -> its label, value labels, missing values, measure, unit and group.
    doubts : tuple of str
        Sentences about what could not be read, each with its line where there is one.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "codes.csv")
    ...     _ = path.write_text("variable,question,values\nmood,Mood?,1=bad; 2=good\n")
    ...     Codebook.read(path).columns["mood"].values
    {1: 'bad', 2: 'good'}
    """

    @classmethod
    def read(cls, path: str | os.PathLike) -> Codebook:
        """Read a codebook from a file, whose content decides on its kind.

        Parameters
        ----------
        path : str or path
            A data dictionary (CSV, Excel; of REDCap too), JSON (Table Schema, a data package, a
            mapping of columns), XML (DDI 2.5, LimeSurvey), syntax of SPSS, Stata or SAS with value
            labels, or a labelled data file.

        Raises
        ------
        FileNotFoundError, PermissionError
            If there is no such file, or no permission to read it.
        UnreadableTableError
            If it describes no columns.
        """
        found = read_codebook(os.fspath(path))
        return cls(found.columns, found.doubts, found.lists)

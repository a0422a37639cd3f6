"""Errors that autotype raises, besides Python's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandera.errors import SchemaErrors

# Name of the distribution, for pip; the package on PyPI that is called "autotype" is another one.
DISTRIBUTION = "autotype-ordinal"

__all__ = [
    "AutotypeError",
    "BatchError",
    "KnownTypesError",
    "MissingExtraError",
    "UnknownColumnError",
    "UnknownFormatError",
    "UnreadableTableError",
    "UnreadableTypesError",
    "UnseenLevelError",
    "UnwritableTableError",
    "UnwritableTypesError",
    "WeightsError",
]


class AutotypeError(Exception):
    """Base of autotype's own errors."""


class UnknownColumnError(AutotypeError, KeyError):
    """The frame or report does not hold a requested column."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class KnownTypesError(AutotypeError, ValueError):
    """A type or order stated in ``known`` is not valid for its column."""


class UnseenLevelError(AutotypeError, ValueError):
    """A column holds levels that its type does not.

    Attributes
    ----------
    finding : str
        The column, its unseen levels and the first row that holds one, without a remedy.
    """

    def __init__(self, finding: str, remedy: str = "") -> None:
        super().__init__(finding, remedy)
        self.finding = finding
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.finding}; {self.remedy}" if self.remedy else self.finding


class MissingExtraError(AutotypeError, ImportError):
    """An optional dependency is not installed.

    Parameters
    ----------
    message : str
        What needs which package.
    extra : str, optional
        The extra that installs it; the message then ends with the command.

    Examples
    --------
    >>> raise MissingExtraError("plots need matplotlib", extra="report")
    Traceback (most recent call last):
    ...
    autotype.errors.MissingExtraError: plots need matplotlib; type pip install "autotype-ordinal[report]"
    """  # noqa: E501 - the last line is the message

    def __init__(self, message: str, *, extra: str = "") -> None:
        command = f'; type pip install "{DISTRIBUTION}[{extra}]"' if extra else ""
        super().__init__(message + command)
        self.extra = extra


class WeightsError(AutotypeError, ValueError):
    """A column of weights holds something else than numbers from 0 up."""


class UnreadableTableError(AutotypeError, ValueError):
    """A file exists, but its content is not a readable table."""


class UnknownFormatError(AutotypeError, ValueError):
    """The name of a file does not end in that of a format that can be read or written."""


class UnwritableTableError(AutotypeError, ValueError):
    """A format cannot hold the content of a table."""


class UnreadableTypesError(AutotypeError, ValueError):
    """A report, a schema or Arrow's metadata cannot be read: foreign, damaged, or too large."""


class UnwritableTypesError(AutotypeError, ValueError):
    """JSON or YAML cannot hold a name or a level of a report or of a schema."""


if TYPE_CHECKING:

    class BatchError(SchemaErrors, AutotypeError):
        """As `_batch_error_class` makes it."""

        problems: list[str]


def _batch_error_class() -> type[AutotypeError]:
    from pandera.errors import SchemaErrors

    class BatchError(SchemaErrors, AutotypeError):
        """All failures of a batch against a schema.

        pandera's own error, with its attributes; only its text and `failure_cases` differ.

        Attributes
        ----------
        problems : list of str
            One sentence for each failure: column, level, row, expected value, remedy.
        failure_cases : pandas.DataFrame
            pandera's table, without its rows about a dtype if a level check has failed too, and
            with the column ``expected``: the levels, lowest first if they have an order. Of a table
            that was checked on the counts of its engine, each value is listed once, with the number
            of its rows in ``n_rows`` where it was counted, and without an index.
        """

        __qualname__ = "BatchError"  # where pickle finds it
        problems: list[str]

        def __str__(self) -> str:
            name = f" {self.schema.name!r}" if getattr(self.schema, "name", None) else ""
            count = len(self.problems)
            ways = "way" if count == 1 else "ways"
            head = f"the batch fails the schema{name} in {count} {ways}:"
            return "\n".join([head, *(f"- {problem}" for problem in self.problems)])

    return BatchError


def __getattr__(name: str) -> Any:
    """Make the class `BatchError` on first use: its base class is pandera's, which loads slowly."""
    if name != "BatchError":
        raise AttributeError(f"module 'autotype.errors' has no attribute {name!r}")
    return globals().setdefault(name, _batch_error_class())


def __dir__() -> list[str]:
    return sorted(__all__)

"""Errors that autotype raises, besides Python's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autotype.schema.batches.failures import BatchError

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


def __getattr__(name: str) -> Any:
    """Load `BatchError` on first use: it is a subclass of pandera's error."""
    if name != "BatchError":
        raise AttributeError(f"module 'autotype.errors' has no attribute {name!r}")
    from importlib import import_module

    globals()[name] = import_module("autotype.schema.batches.failures").BatchError
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)

"""Errors and warnings that autotype raises, beyond Python's own."""


class AutotypeError(Exception):
    """Base of autotype's own errors."""


class UnknownColumnError(AutotypeError, KeyError):
    """A column was asked for that the frame or report does not hold."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MissingExtraError(AutotypeError, ImportError):
    """An optional dependency is not installed."""

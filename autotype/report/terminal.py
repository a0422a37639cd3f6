"""What the standard output stream is: a terminal, its width, whether it wants colour."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from autotype.report.text import NARROWEST, WIDTH


def wants_color(stream: TextIO | None) -> bool:
    """Tell whether a stream should get colour.

    A terminal does, unless it calls itself dumb. ``FORCE_COLOR`` asks for colour anywhere,
    ``NO_COLOR`` refuses it and wins; both count where they are set and not empty.

    Examples
    --------
    >>> import io
    >>> wants_color(io.StringIO())
    False
    """
    if os.environ.get("NO_COLOR"):
        return False
    if forced := os.environ.get("FORCE_COLOR"):
        return forced != "0"
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def room_on(stream: TextIO | None) -> int:
    """Columns of text for a table: those of a narrow terminal, else 100.

    Examples
    --------
    >>> import io
    >>> room_on(io.StringIO())
    100
    """
    if not is_terminal(stream):
        return WIDTH
    return min(max(shutil.get_terminal_size((WIDTH, 24)).columns, NARROWEST), WIDTH)


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a stream goes to a terminal; closed and missing streams do not."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False

"""Format the cells of a table of text: names, orders and notes, cut to the room there is."""

from __future__ import annotations

import unicodedata

from autotype.types.column_type import WITH_ODDS, ColumnType
from autotype.wording import format_level, format_probability, printable

_SURE = 0.85  # probability of a type from which it is not shown
ELLIPSIS = "…"


def display_width(text: str) -> int:
    """Count the terminal cells of a string: wide characters fill two, accents none.

    Examples
    --------
    >>> display_width("size"), display_width("大小")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def shorten(text: str, room: int) -> str:
    """Cut a string to at most `room` terminal cells, its end replaced by an ellipsis.

    Examples
    --------
    >>> shorten("satisfaction", 6), shorten("size", 6)
    ('satis…', 'size')
    """
    if display_width(text) <= room:
        return text
    width = 0
    for end, character in enumerate(text):
        width += display_width(character)
        if width >= room:
            return text[:end] + ELLIPSIS
    return text


def is_doubtful(column: ColumnType) -> bool:
    """Check whether the type of a column is undetermined, or its probability low.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> is_doubtful(ColumnType("n", "count", type_probabilities={"count": 0.7}))
    True
    """
    sure = column.type_probabilities.get(column.semantic_type, 1.0)
    return column.semantic_type == "undetermined" or sure < _SURE


def format_note(column: ColumnType) -> str:
    """Return what is said of a column in the place of an order that it lacks.

    The probability of a type whose column has no P(ordinal), if it is in doubt; its format, its
    missing markers and its question.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> format_note(ColumnType("n", "count", 0.4, type_probabilities={"count": 0.7}))
    'P(count) 0.70'
    """
    notes = [] if column.format is None else [column.format]
    if column.semantic_type not in WITH_ODDS and is_doubtful(column):
        sure = column.type_probabilities[column.semantic_type]
        notes.insert(0, f"P({column.semantic_type}) {format_probability(sure)}")
    if column.missing_markers:
        markers = (printable(format_level(marker)) for marker in column.missing_markers)
        notes.append(f"missing: {', '.join(markers)}")
    if column.group:
        notes.append(f"question: {printable(column.group)}")
    return "; ".join(notes)


def fit_order(column: ColumnType, room: int) -> str:
    """Format a column's order in at most `room` columns of text, omitting inner levels.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> score = ColumnType("score", "ordinal", order=tuple(range(10)), direction_known=True)
    >>> fit_order(score, 20)
    '0 < 1 < 2 < … < 9'
    >>> fit_order(ColumnType("kg", "continuous", missing_markers=("n/a", -9)), 20)
    'missing: n/a, -9'
    """
    if column.order is None:
        known = column.known_order()
        return shorten(f"known: {printable(known)}" if known else format_note(column), room)
    mark = " < " if column.direction_known else " - "
    return shorten(mark.join(fit_levels(column, room)), room)


def fit_levels(column: ColumnType, room: int) -> list[str]:
    """Return the levels of a column's order, without inner ones if all do not fit in `room`.

    Levels have their labels, if they have any. Three characters between two levels are included.
    The two ends are returned even if they do not fit.

    Examples
    --------
    >>> from autotype import ColumnType
    >>> fit_levels(ColumnType("score", "ordinal", order=tuple(range(10))), 16)
    ['0', '1', '…', '9']
    >>> mood = ColumnType("mood", "ordinal", order=(1, 2), labels={1: "bad", 2: "good"})
    >>> fit_levels(mood, 40)
    ['1 "bad"', '2 "good"']
    """
    named = map(column.named, column.order or ())
    levels = [shorten(printable(format_level(level)), room) for level in named]
    fitting, n_shown = levels, len(levels) - 2
    while n_shown > 0 and sum(display_width(level) + 3 for level in fitting) - 3 > room:
        fitting = [*levels[:n_shown], ELLIPSIS, levels[-1]]
        n_shown -= 1
    return fitting

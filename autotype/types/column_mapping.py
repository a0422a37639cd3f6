"""ColumnMapping: a mapping from column name to one value per column, in the frame's order."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from autotype.errors import UnknownColumnError
from autotype.types.column_type import ColumnType
from autotype.types.nan_equality import nan_key
from autotype.wording import did_you_mean


class Named(Protocol):
    """A value of one column."""

    @property
    def name(self) -> Hashable:
        """The column's name."""


C = TypeVar("C", bound=Named)


class ColumnMapping(Mapping[Hashable, C]):
    """A mapping from column name to one value per column.

    Two of them are equal if they are of one class and all their columns are.

    Parameters
    ----------
    columns : sequence
        One value with a ``name`` for each column. Names may repeat: ``mapping[name]`` is the
        first, `columns` holds all of them.
    """

    _OWNER = "the mapping holds no column"

    def __init__(self, columns: Iterable[C]) -> None:
        self.columns = tuple(columns)
        self._by_name: dict[Hashable, C] = {}
        for column in self.columns:
            self._by_name.setdefault(nan_key(column.name), column)

    def __getitem__(self, name: Hashable) -> C:
        try:
            return self._by_name[nan_key(name)]
        except KeyError:
            hint = did_you_mean(name, self)
            raise UnknownColumnError(f"{self._OWNER} {name!r}{hint}") from None

    def __iter__(self) -> Iterator[Hashable]:
        return (column.name for column in self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.columns == other.columns

    def __hash__(self) -> int:
        return hash(self.columns)

    def __repr__(self) -> str:
        return str(self)


def check_report(types: object) -> None:
    """Raise unless a value is a mapping of `ColumnType`, as a TypeReport is.

    Raises
    ------
    TypeError
        The message names the type received, and where reports come from.
    """
    if not isinstance(types, ColumnMapping) or not all(
        isinstance(column, ColumnType) for column in types.columns
    ):
        raise TypeError(
            f"expected a TypeReport, got {type(types).__name__}; df.ordinal.infer_types() returns "
            "one, TypeReport.from_json(path) reads one"
        )


def match_by_name(
    names: Iterable[Hashable], columns: Sequence[C]
) -> tuple[list[C | None], list[C]]:
    """Match columns to names; the n-th of a repeated name matches the n-th column of that name.

    Parameters
    ----------
    names : iterable of hashable
    columns : sequence

    Returns
    -------
    matches : list
        Parallel to `names`; None for a name without a column.
    unmatched : list
        The other columns, in their order.

    Examples
    --------
    >>> a, b = ColumnType("a", "text"), ColumnType("b", "count")
    >>> matches, unmatched = match_by_name(["b", "c"], [a, b])
    >>> [match and match.name for match in matches], [column.name for column in unmatched]
    (['b', None], ['a'])
    """
    waiting: dict[Hashable, deque[C]] = {}
    for column in columns:
        waiting.setdefault(nan_key(column.name), deque()).append(column)
    matches: list[C | None] = []
    for name in names:
        queue = waiting.get(nan_key(name))
        matches.append(queue.popleft() if queue else None)
    left = {id(column) for queue in waiting.values() for column in queue}
    return matches, [column for column in columns if id(column) in left]

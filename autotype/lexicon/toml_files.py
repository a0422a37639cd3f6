"""Read the TOML files of the vocabulary, parsed when the package was built."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, wraps
from importlib import resources
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


STORED: dict[str, Callable[[], Mapping[str, Any]]] = {}  # tables that a build computes and stores


class Lines(Mapping[str, Any]):
    r"""Keys and their values in JSON, as sorted lines in which a key is searched for.

    It costs no more than its lines to read, and hides no objects from the garbage collector.

    Examples
    --------
    >>> lines = Lines(["high\t2", "low\t0"])
    >>> lines["high"], lines.get("lo"), list(lines)
    (2, None, ['high', 'low'])
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def get(self, key: object, default: Any = None) -> Any:
        """Return the value of a key, without an exception where it has none, as most have."""
        at = bisect_left(self._lines, beginning := f"{key}\t")
        line = self._lines[at] if at < len(self._lines) else ""
        return json.loads(line[len(beginning) :]) if line.startswith(beginning) else default

    def __contains__(self, key: object) -> bool:
        at = bisect_left(self._lines, beginning := f"{key}\t")
        return at < len(self._lines) and self._lines[at].startswith(beginning)

    def __getitem__(self, key: str) -> Any:
        if key not in self:
            raise KeyError(key)
        return self.get(key)

    def __iter__(self) -> Iterator[str]:
        return (line.partition("\t")[0] for line in self._lines)

    def __len__(self) -> int:
        return len(self._lines)


@cache
def read_toml(stem: str) -> dict[str, Any]:
    """Read one file of the vocabulary, such as ``"numbers"`` or ``"languages/de"``."""
    built = read_built(stem)
    if built is not None:
        return json.loads(built)
    import tomllib  # in the folder of the source only

    return tomllib.loads(_lexicon().joinpath(f"{stem}.toml").read_text(encoding="utf-8"))


def read_built(stem: str) -> str | None:
    """Read one table that a build has written; None in the folder of the source."""
    places = _built_places()
    if not places:
        return None
    start, stop = places[stem]
    with _built_file().open("rb") as tables:
        tables.seek(start)
        return tables.read(stop - start).decode("utf-8")


def read_lines(stem: str) -> list[str] | None:
    """Read one table that a build has written as lines; None in the folder of the source."""
    text = read_built(stem)
    return text if text is None else text.split("\n") if text else []


def stored(compute: Callable[[], Mapping[str, Any]]) -> Callable[[], Mapping[str, Any]]:
    """Keep the table that a function returns: as a build has stored it, if there is one."""
    stem = f"{compute.__module__.rpartition('.')[2]}.{compute.__name__}"

    @cache
    @wraps(compute)
    def found() -> Mapping[str, Any]:
        lines = read_lines(stem)
        return compute() if lines is None else Lines(lines)

    STORED[stem] = found
    return found


@cache
def toml_stems(folder: str) -> tuple[str, ...]:
    """Return the names of a folder's files of the vocabulary without their ending, sorted."""
    if _built_places():
        stems = [stem.rpartition("/") for stem in _built_places()]
        return tuple(sorted(name for place, _, name in stems if place == folder))
    files = [file.name for file in _lexicon().joinpath(folder).iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def _built_places() -> dict[str, tuple[int, int]]:
    """Stem -> where its table begins and ends, see ``build_backend/vocabulary_tables.py``.

    Empty in the folder of the source, whose TOML files may have changed since a build.
    """
    file = _built_file()
    if not file.is_file():
        return {}
    with file.open("rb") as tables:
        lengths = json.loads(tables.readline())
        ends = accumulate(lengths.values(), initial=tables.tell())
        return dict(zip(lengths, pairwise(ends), strict=True))


def _built_file() -> Traversable:
    return _lexicon().joinpath("vocabulary.txt")


def _lexicon() -> Traversable:
    return resources.files("autotype.lexicon").joinpath("words")

"""Fonts for labels in any script.

Matplotlib's default font has no letters of Chinese, Japanese, Korean, Hindi or Thai, and draws
boxes instead. Most machines have a font of them installed, which it uses only if it is named.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from autotype.lazy_names import import_library
from autotype.lexicon.toml_files import read_toml

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.font_manager import FontEntry
    from matplotlib.text import Text

_PLACEHOLDER = "Last Resort"  # its glyphs name the script of a letter


def finish(ax: Axes, *hidden: str) -> Axes:
    """Draw all strings of axes with rows in fonts that have their letters, and return the axes.

    Parameters
    ----------
    ax : matplotlib Axes
    hidden : str
        The sides without a line: "top", "right", "bottom", "left".

    Warns
    -----
    UserWarning
        If no font has some letters: their words are numbered, and the warning holds the key.
    """
    ax.spines[list(hidden)].set_visible(False)
    ax.tick_params(axis="y", length=0)
    texts = list(_texts(ax))
    families, lacking = _find_families({c for text in texts for c in text.get_text()})
    if lacking:
        _number_words(texts, ax, lacking)
    if len(families) > 1:
        for text in texts:
            text.set_fontfamily(families)
        ax.tick_params(labelfontfamily=families)
    return ax


def scripts_without_font() -> list[str]:
    """Return the names of common scripts that no installed font has.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    letters = read_toml("letters")["drawn"]
    _, lacking = _find_families(letters.values())
    return [script for script, letter in letters.items() if letter in lacking]


def _texts(ax: Axes) -> Iterator[Text]:
    legend = ax.get_legend()
    yield from (ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label)  # type: ignore[attr-defined]
    yield from (*ax.get_yticklabels(), *(legend.get_texts() if legend else ()))


def _find_families(letters: Iterable[str]) -> tuple[list[str], set[str]]:
    """Return families that together have all letters, the default first, and what none has."""
    import_library("matplotlib", "plots need matplotlib", extra="report")
    from matplotlib.font_manager import FontProperties, findfont

    default = FontProperties()
    families = list(default.get_family())
    lacking = {c for c in letters if not c.isspace() and c.isprintable()}
    lacking -= _letters(findfont(default), 0)
    for entry in _entries() if lacking else ():
        if entry.style == "normal" and not entry.name.startswith(_PLACEHOLDER):
            drawn = lacking & _letters(entry.fname, getattr(entry, "index", 0))
            families += [entry.name] if drawn else []
            lacking -= drawn
        if not lacking:
            break
    return families, lacking


def _entries() -> Iterator[FontEntry]:
    """Yield the fonts that matplotlib knows, then those that were installed after it listed them.

    Its list is kept in a file from the first time that it was imported.
    """
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = list(fontManager.ttflist)
    yield from known
    files = {entry.fname for entry in known}
    paths = sorted(set(findSystemFonts()) - files)
    for path in sorted(paths, key=lambda path: "regular" not in path.lower()):
        n_before = len(fontManager.ttflist)
        with suppress(OSError, RuntimeError):  # of no use
            fontManager.addfont(path)
        yield from fontManager.ttflist[n_before:]


@lru_cache(maxsize=1024)
def _letters(path: str, index: int) -> frozenset[str]:
    """Return the characters of a font's file, of the font at an index in a collection."""
    from matplotlib.ft2font import FT2Font

    try:
        font = FT2Font(path, face_index=index) if index else FT2Font(path)
    except (OSError, RuntimeError, TypeError):  # not there any more, or of no use
        return frozenset()
    return frozenset(map(chr, font.get_charmap()))


def _number_words(texts: Iterable[Text], ax: Axes, lacking: set[str]) -> None:
    """Replace words that cannot be drawn by numbers, and warn with their key."""
    letter = f"[{re.escape(''.join(sorted(lacking)))}]"
    words = re.compile(rf"{letter}(?:(?:{letter}|\s)*{letter})?")
    key: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        return key.setdefault(match[0], f"[{len(key) + 1}]")

    ticks = [words.sub(number, label.get_text()) for label in ax.get_yticklabels()]
    for text in texts:
        text.set_text(words.sub(number, text.get_text()))
    ax.set_yticks(ax.get_yticks(), ticks, parse_math=False)
    listed = ", ".join(f"{numbered} {word}" for word, numbered in key.items())
    warnings.warn(
        f"no installed font has the letters of some labels, which are drawn as numbers: {listed}; "
        "install a font that has them, such as one of the Noto family",
        stacklevel=4,
    )

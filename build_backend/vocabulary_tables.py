"""Write the vocabulary as a build installs it: parsed, and in the form in which it is looked up.

usage: python -BS vocabulary_tables.py PACKAGE OUT DEPFILE

PACKAGE is the folder of autotype. OUT begins with a line of JSON, the name of each table and its
length in bytes; the tables follow in that order. Most are a TOML file of the folder `lexicon/words`
as JSON, which takes a tenth of the time to read, and are named after it: "languages/de". Scales and
names of a language are in a table of their own: "lists/de". The others are sorted lines: what
the modules mark as stored, such as "known_words/de".
DEPFILE lists what OUT is made of for ninja, so that an editable install writes OUT again when one
of these files has changed. -S keeps away the import hook of an editable install, which would build.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any


def main(package: Path, out: Path, depfile: Path) -> None:
    """Write the tables and the index of a vocabulary, and of which files they are made."""
    # What autotype itself imports need not be installed where it is built.
    stub = types.ModuleType("autotype")
    stub.__path__ = [str(package)]
    sys.modules["autotype"] = stub
    import_module("autotype.inference.labels.topics")  # it adds to STORED, as column_name does
    from autotype.lexicon.languages import LISTED, STORED_OF_LANGUAGE, codes, language
    from autotype.lexicon.toml_files import STORED, read_toml

    words = package / "lexicon" / "words"
    files = [path for path in sorted(words.rglob("*.toml")) if path.name != "template.toml"]
    stems = [path.relative_to(words).with_suffix("").as_posix() for path in files]
    # The shared scales are part of the languages.
    own = [stem for stem in stems if "/" not in stem and stem != "shared_scales"]
    tables = {stem: _json(read_toml(stem)) for stem in own}
    for code in codes():
        words_of = language(code)
        words_of.load()  # splits its phrases at once
        lists = {kind: words_of.table[kind] for kind in LISTED if kind in words_of.table}
        rest = {kind: table for kind, table in words_of.table.items() if kind not in lists}
        tables |= {f"languages/{code}": _json(rest), f"lists/{code}": _json(lists)}
        tables |= {f"{name}/{code}": _lines(getattr(words_of, name)) for name in STORED_OF_LANGUAGE}
    tables |= {stem: _lines(table()) for stem, table in STORED.items()}
    parts = [table.encode() for table in tables.values()]
    sizes = dict(zip(tables, map(len, parts), strict=True))
    out.write_bytes(b"".join([_json(sizes).encode(), b"\n", *parts]))
    # The folders too: a new file changes them.
    modules = [Path(str(m.__file__)) for n, m in sys.modules.items() if n.startswith("autotype.")]
    sources = [*files, *modules, words, *(path for path in words.iterdir() if path.is_dir())]
    depfile.write_text(f"{_escaped(out)}: {' '.join(map(_escaped, sources))}\n", encoding="utf-8")


def _lines(table: Any) -> str:
    """Return the lines of a mapping, of a set of words, or of scales and the like."""
    if isinstance(table, Mapping):
        return "\n".join(sorted(f"{key}\t{_json(value)}" for key, value in table.items()))
    if isinstance(table, frozenset):
        return "\n".join(sorted(table))
    return "\n".join(
        _json({f.name: own for f in fields(entry) if (own := getattr(entry, f.name)) != f.default})
        for entry in table
    )


def _json(tables: object) -> str:
    return json.dumps(
        tables, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=sorted
    )


def _escaped(path: Path) -> str:
    return str(path).replace("\\", "/").replace(" ", "\\ ")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

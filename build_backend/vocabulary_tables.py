"""Write the vocabulary as a build installs it: parsed, with the index of languages and the scales.

usage: python -BS vocabulary_tables.py PACKAGE OUT DEPFILE

PACKAGE is the folder of autotype. OUT begins with a line that is a JSON list of the TOML files in
its folder `lexicon/words` without their endings, such as "languages/de", of "index", and of
"scales", those of English; each further line is the JSON of one of them. Reading JSON takes a tenth
of the time that TOML takes.
DEPFILE lists what OUT is made of for ninja, so that an editable install writes OUT again when one
of these files has changed. -S keeps away the import hook of an editable install, which would build.
"""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path


def main(package: Path, out: Path, depfile: Path) -> None:
    """Write the tables and the index of a vocabulary, and of which files they are made."""
    # What autotype itself imports need not be installed where it is built.
    stub = types.ModuleType("autotype")
    stub.__path__ = [str(package)]
    sys.modules["autotype"] = stub
    from autotype.lexicon.languages import build_index, build_language, build_scales
    from autotype.lexicon.toml_files import read_toml

    words = package / "lexicon" / "words"
    files = [path for path in sorted(words.rglob("*.toml")) if path.name != "template.toml"]
    stems = [path.relative_to(words).with_suffix("").as_posix() for path in files]
    stems.remove("shared_scales")  # they are part of the languages
    tables = [
        build_language(name) if folder else read_toml(stem)
        for stem in stems
        for folder, _, name in [stem.rpartition("/")]
    ]
    indices = ["index", "index of names"]
    names = [*stems, *indices, "scales"]
    lines = [names, *tables, *map(build_index, indices), build_scales()]
    out.write_text("\n".join(map(_json, lines)), encoding="utf-8", newline="\n")
    # The folders too: a new file changes them.
    modules = [Path(str(m.__file__)) for n, m in sys.modules.items() if n.startswith("autotype.l")]
    sources = [*files, *modules, words, *(path for path in words.iterdir() if path.is_dir())]
    depfile.write_text(f"{_escaped(out)}: {' '.join(map(_escaped, sources))}\n", encoding="utf-8")


def _json(tables: object) -> str:
    return json.dumps(
        tables, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=sorted
    )


def _escaped(path: Path) -> str:
    return str(path).replace("\\", "/").replace(" ", "\\ ")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

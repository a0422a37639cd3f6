"""Parse the TOML files of the vocabulary at build time, since reading JSON takes a tenth of it.

usage: vocabulary_tables.py FOLDER OUT DEPFILE

Writes OUT, whose first line is a JSON list of the files of FOLDER without their endings, such as
"languages/de", and each further line the JSON of one of them. DEPFILE lists the files for ninja, so
that an editable install writes OUT anew when one of them has changed.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path


def main(folder: Path, out: Path, depfile: Path) -> None:
    """Write the tables of a folder, and of which files they are made."""
    files = {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob("*.toml"))
    }
    lines = [_json(list(files))]
    for path in files.values():
        lines.append(_json(tomllib.loads(path.read_text(encoding="utf-8"))))
    out.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    # The folders too: a new file changes them.
    sources = [*files.values(), folder, *(path for path in folder.iterdir() if path.is_dir())]
    depfile.write_text(f"{_escaped(out)}: {' '.join(map(_escaped, sources))}\n", encoding="utf-8")


def _json(tables: object) -> str:
    return json.dumps(tables, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _escaped(path: Path) -> str:
    return str(path).replace("\\", "/").replace(" ", "\\ ")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

"""Let a fuzzer that follows coverage look for input that breaks a reader.

    pip install atheris
    python benchmarks/coverage_fuzz.py csv CORPUS -max_total_time=3600

The first argument is one of csv, json, types and schema: a table of text or of JSON, a report of
types after its first brace, and a schema in YAML. The others are those of libFuzzer: folders of
inputs, the first of which gets those that reach new lines, and its options. An input that raises an
undocumented error, or takes longer than `-timeout` seconds, is written to the current folder.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import atheris

with atheris.instrument_imports(include=["autotype", "yaml"]):
    from autotype.errors import UnknownFormatError, UnreadableTableError, UnreadableTypesError
    from autotype.schema.yaml_io import schema_from_yaml
    from autotype.tables.table_file import read_file
    from autotype.types.codec.report_json import types_from_json

DOCUMENTED = (UnknownFormatError, UnreadableTableError, UnreadableTypesError)


def main() -> None:
    targets: dict[str, Callable[[bytes], object]] = {
        "csv": lambda content: _read("a.csv", content),
        "json": lambda content: _read("a.json", content),
        "types": lambda content: types_from_json("{" + content.decode("utf-8", "replace")),
        "schema": lambda content: schema_from_yaml(content.decode("utf-8", "replace")),
    }
    if len(sys.argv) < 2 or sys.argv[1] not in targets:
        raise SystemExit(__doc__)
    target = targets[sys.argv.pop(1)]

    def run(content: bytes) -> None:
        with warnings.catch_warnings(), contextlib.suppress(*DOCUMENTED):
            warnings.simplefilter("ignore")
            target(content)

    atheris.Setup(sys.argv, run)
    atheris.Fuzz()


def _read(name: str, content: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        return read_file(str(path))


if __name__ == "__main__":
    main()

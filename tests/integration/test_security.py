"""The promises of SECURITY.md, watched by Python's own audit events in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autotype.errors import MissingExtraError
from autotype.tables.table_file import read_file

pytestmark = pytest.mark.slow

# What foreign content could bring about: code, processes, the network, pickles.
_WATCHED = """
import json, sys, warnings
from pathlib import Path

events = []
WATCHED = (
    "exec", "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.Popen",
    "pickle.find_class", "ctypes.dlopen", "urllib.Request", "socket.connect",
    "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto",
)

def watch(event, arguments):
    is_import = event == "exec" and arguments[0].co_filename.endswith(".py")
    if watching and event in WATCHED and not is_import:
        events.append(f"{event} {arguments!r}")

watching = False
sys.addaudithook(watch)
warnings.simplefilter("ignore")

def run(folder):
    task(Path(folder))

%s

run(sys.argv[1])  # loads what is loaded on first use
watching = True
run(sys.argv[2])
watching = False
print(json.dumps(events))
"""

_EVERYTHING = """
import pandas as pd
import autotype
from autotype.cli import main
from autotype.errors import MissingExtraError
from autotype.tables.table_file import read_file

def task(folder):
    for path in sorted(folder.iterdir()):
        try:
            if path.suffix == ".yaml":
                autotype.read_schema(path)
                continue
            if path.name.startswith("types"):
                autotype.TypeReport.from_json(path).to_html()
                continue
            frame = read_file(str(path)).frame
        except Exception:
            continue
        types = autotype.infer_types(frame)
        schema = frame.ordinal.to_schema(types)
        frame.ordinal.validate(schema)
        autotype.TypeReport.from_json(types.to_json())
        types.to_html(), types._repr_html_(), types.to_frictionless(), types.to_frame()
        types.to_arrow(frame)
"""

_PLAIN = {
    "table.csv": "size,price\n" + "S,1\nM,2\nL,3\n" * 9,
    "table.jsonl": '{"size": "S", "price": 1}\n{"size": "M", "price": 2}\n' * 9,
    "types.json": '{"format_version": 1, "autotype_version": "0", "n_rows": 9, "columns": []}',
    "schema.yaml": "schema_type: dataframe\nversion: 0\ncolumns:\n  size:\n    dtype: int64\n",
}
_CODE = "__import__('os').system('touch hit')"
_HOSTILE = {
    "call.csv": f'"{_CODE}",{{{{ 7*7 }}}}\n' + f'"{_CODE}",${{7*7}}\n"=cmd|calc!A0",<script>\n' * 9,
    "address.csv": "url\n" + "http://example.invalid/x\nfile:///etc/passwd\n" * 9,
    "call.jsonl": json.dumps({"__reduce__": _CODE, _CODE: ["!!python/object:os.system"]}) + "\n",
    "types.json": json.dumps(
        {
            "format_version": 1,
            "autotype_version": _CODE,
            "n_rows": 9,
            "columns": [{"name": {"type": "os.system", "value": "touch hit"}}],
        }
    ),
    "types2.json": "cos\nsystem\n(S'touch hit'\ntR.",
    "call.yaml": "!!python/object/apply:os.system ['touch hit']\n",
    "name.yaml": "schema_type: dataframe\nversion: 0\ncolumns:\n"
    f'  "{_CODE}":\n    dtype: !!python/name:os.system\n',
    "check.yaml": "schema_type: dataframe\nversion: 0\ncolumns:\n  a:\n    dtype: int64\n"
    f'    checks:\n    - value: "{_CODE}"\n      options:\n        check_name: __class__\n',
    "dtype.yaml": f'schema_type: dataframe\nversion: 0\ncolumns:\n  a:\n    dtype: "{_CODE}"\n',
}


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def events_of(task: str, plain: Path, hostile: Path, environment: dict[str, str]) -> list[str]:
    """Run a task on plain files, then on hostile ones, and return the events of the latter."""
    child = subprocess.run(
        [sys.executable, "-c", _WATCHED % task, str(plain), str(hostile)],
        env=environment,
        cwd=hostile,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(child.stdout.splitlines()[-1])


def test_nothing_in_a_file_is_run_and_nothing_leaves(tmp_path, child_environment) -> None:
    plain, hostile = written(tmp_path / "plain", _PLAIN), written(tmp_path / "hostile", _HOSTILE)
    assert events_of(_EVERYTHING, plain, hostile, child_environment) == []
    assert sorted(path.name for path in hostile.iterdir()) == sorted(_HOSTILE)


_BESIDE = """
import pandas as pd
import autotype

FRAME = pd.DataFrame({"size": ["S", "M", "L"] * 9})

def task(folder):
    for path in sorted(folder.iterdir()):
        for read in (
            autotype.read_table,
            autotype.Codebook.read,
            lambda path: autotype.infer_types(FRAME, known=path),
            lambda path: autotype.infer_types(FRAME, scales=path),
        ):
            try:
                read(path)
            except Exception:
                continue
"""
_PICKLE = b"\x80\x04cos\nsystem\nX\x09\x00\x00\x00touch hit\x85R."


def _as_r(value: str) -> str:
    """Return a text file of R that holds one value."""
    return f"A\n3\n262402\n197888\n5\nUTF-8\n{value}\n"


def _name_of_r(name: str) -> str:
    return f"1\n262153\n{len(name)}\n{name}\n"


def make_beside(folder: Path, *, is_hostile: bool) -> Path:
    """Write files of binary formats, codebooks, decisions and scales, hostile ones or not."""
    import numpy as np
    import openpyxl
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir()
    book = openpyxl.Workbook()
    book.active.append(["size", "n"])
    formula = '=WEBSERVICE("http://example.invalid/")' if is_hostile else "=1+1"
    for _ in range(9):
        book.active.append(["S", formula])
    book.save(folder / "a.xlsx")
    kind, state = (b"arrow.py_extension_type", _PICKLE) if is_hostile else (b"a", b"b")
    note = {b"ARROW:extension:name": kind, b"ARROW:extension:metadata": state}
    field = pa.field("n", pa.int64(), metadata=note)
    parquet.write_table(pa.table([[1, 2]], schema=pa.schema([field])), folder / "a.parquet")
    call = f"6\n{_name_of_r('system')}2\n16\n1\n262153\n9\ntouch hit\n254"
    promise = f"5\n242\n{call}"
    files = {
        "call.rds": _as_r(call if is_hostile else "13\n1\n7"),
        "promise.rds": _as_r(promise if is_hostile else "14\n1\n7.5"),
        "a.xml": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><codeBook>&a;</codeBook>'
        if is_hostile
        else "<codeBook></codeBook>",
        "a.toml": f'size = "{_CODE}"\n' if is_hostile else 'size = ["S", "M", "L"]\n',
        "b.toml": f'[scales.size]\nlevels = ["S", "{_CODE}"]\n'.replace("'", "`"),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("a.csv", "b.parquet", "a.pkl", "b.rds", "a.sav"):
        (folder / name).write_bytes(_PICKLE if is_hostile else b"size,n\nS,1\n")
    held = np.array([{"a": 1}], dtype=object) if is_hostile else np.array([1.5])
    np.save(folder / "a.npy", held, allow_pickle=True)
    return folder


def test_nothing_in_a_file_beside_a_table_or_a_binary_one_is_run(
    tmp_path, child_environment
) -> None:
    pytest.importorskip("rdata")
    plain = make_beside(tmp_path / "plain", is_hostile=False)
    hostile = make_beside(tmp_path / "hostile", is_hostile=True)
    names = sorted(path.name for path in hostile.iterdir())
    assert events_of(_BESIDE, plain, hostile, child_environment) == []
    assert sorted(path.name for path in hostile.iterdir()) == names


@pytest.mark.parametrize(
    ("task", "event"),
    [
        ("def task(folder): eval('1 + 1')", "exec"),
        ("def task(folder): __import__('pickle').loads(b'cos\\nsystem\\n.')", "pickle.find_class"),
        ("def task(folder): __import__('subprocess').run(['true'])", "subprocess.Popen"),
        (
            "def task(folder): __import__('socket').gethostbyname('localhost')",
            "socket.gethostbyname",
        ),
    ],
)
def test_the_watch_sees_what_it_watches(task, event, tmp_path, child_environment) -> None:
    (tmp_path / "a").mkdir()
    events = events_of(task, tmp_path / "a", tmp_path / "a", child_environment)
    assert any(line.startswith(event) for line in events)


def test_only_an_address_reaches_beyond_the_local_files(tmp_path, monkeypatch) -> None:
    """An address is read by fsspec; anything else, a chain of its file systems too, is a file."""
    monkeypatch.setitem(sys.modules, "fsspec", None)
    for address in ("http://localhost/table.csv", "s3://bucket/table.parquet"):
        with pytest.raises(MissingExtraError, match="reading an address needs fsspec"):
            read_file(address)
    monkeypatch.chdir(tmp_path)
    for name in ("http:/localhost/table.csv", "zip::http://localhost/a.zip", "file.csv"):
        with pytest.raises(FileNotFoundError):
            read_file(name)

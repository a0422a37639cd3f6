from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
import warnings

import pandas as pd
import pytest

import autotype
from autotype.cli import main
from autotype.cli.output import print_text
from autotype.tables.table import Table
from autotype.type_report import TypeReport
from autotype.types.codebook import Codebook
from autotype.types.reading import Reading


def truncated_parquet(path) -> None:
    pd.DataFrame({"a": range(1000)}).to_parquet(path)
    path.write_bytes(path.read_bytes()[:900])


class TestErrorsOfAProcess:
    """One line on the standard error stream, an exit code, and no traceback."""

    @pytest.mark.parametrize(
        ("arguments", "content", "code", "message"),
        [
            (["none.csv"], None, 2, "none.csv: no such file or directory"),
            (["a.csv"], b"", 1, "a.csv: is empty, not even a header was found"),
            (["a.parquet"], truncated_parquet, 1, "a.parquet: not a whole Parquet file ("),
            (["a.csv", "--delimiter", ";"], b"a,b\n1,2\n", 1, "a.csv: with the delimiter ';' it"),
            (["a.csv", "--encoding", "utf-8"], b"a\n\xe9\n", 1, "a.csv: not in the encoding utf-8"),
            (["a.csv", "--json", "/dev/full"], b"a,b\n1,2\n", 2, "/dev/full: no space left on"),
            (["a.csv", "--json", "none/t.json"], b"a,b\n1,2\n", 2, "--json none/t.json: there is"),
        ],
    )
    def test_take_one_line(self, tmp_path, run, arguments, content, code, message) -> None:
        if callable(content):
            content(tmp_path / arguments[0])
        elif content is not None:
            (tmp_path / arguments[0]).write_bytes(content)
        before = os.listdir(tmp_path)
        child = run("infer", *arguments)
        assert (child.returncode, child.stdout) == (code, "")
        assert child.stderr.startswith(f"autotype: error: {message}")
        assert child.stderr.count("\n") == 1
        assert os.listdir(tmp_path) == before

    def test_a_closed_pipe_is_silent(self, survey, child_environment) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        child = subprocess.run(
            [sys.executable, "-m", "autotype", "infer", str(survey)],
            stdout=writing,
            stderr=subprocess.PIPE,
            env=child_environment,
            timeout=120,
        )
        os.close(writing)
        assert (child.returncode, child.stderr) == (0, b"")

    def test_a_closed_pipe_of_windows(self, monkeypatch) -> None:
        class ClosedPipe(io.StringIO):
            def flush(self) -> None:
                raise OSError(errno.EINVAL, "Invalid argument")

        monkeypatch.setattr(sys, "stdout", ClosedPipe())
        with monkeypatch.context() as windows:
            windows.setattr(os, "name", "nt")
            with pytest.raises(BrokenPipeError):
                print_text("a")

    def test_a_full_disk_under_standard_output(self, survey, run) -> None:
        with open("/dev/full", "w") as full:
            child = run("infer", survey, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        assert child.returncode == 2
        assert child.stderr == "autotype: error: standard output: no space left on device\n"

    @pytest.mark.parametrize(
        ("closed", "code", "message"),
        [("<&-", 1, "autotype: error: standard input is closed\n"), (">&-", 0, "")],
    )
    def test_closed_streams(self, survey, child_environment, closed, code, message) -> None:
        file = "-" if closed == "<&-" else str(survey)
        child = subprocess.run(
            ["sh", "-c", f'"$0" -m autotype infer "$1" {closed}', sys.executable, file],
            capture_output=True,
            text=True,
            env=child_environment,
            timeout=120,
        )
        assert (child.returncode, child.stderr) == (code, message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: COMMAND; see autotype --help"),
        (["guess"], "invalid choice: 'guess'"),
        (["infer"], "no table is named: give FILE, or --url and --table"),
        (["validate"], "required: --schema; see autotype validate --help"),
        (["infer", "FILE", "--colour"], "arguments: --colour; see autotype infer --help"),
        (["infer", "FILE", "--max-levels", "two"], "expected an integer, got 'two'"),
        (["infer", "FILE", "--max-levels", "2"], "expected an integer at least 3, got 2"),
        (["infer", "FILE", "--max-rows", "0"], "expected an integer at least 1, got 0"),
        (["infer", "FILE", "--n-jobs", "0"], "expected an integer positive, or -1, got 0"),
        (["infer", "FILE", "--n-jobs", "-2"], "expected an integer positive, or -1, got -2"),
        (["infer", "FILE", "--random-state", "-1"], "expected an integer at least 0, got -1"),
        (
            ["infer", "FILE", "--delimiter", "::"],
            "expected a single ASCII character, tab, blanks or none, got '::'",
        ),
        (
            ["infer", "FILE", "--delimiter", "§"],
            "expected a single ASCII character, tab, blanks or none",
        ),
        (["infer", "FILE", "--max-size", "much"], "expected a size such as 500M or 8G, got 'much'"),
        (["infer", "FILE", "--max-size", "0"], "expected a size such as 500M or 8G, got '0'"),
        (["infer", "FILE", "--max-columns", "0"], "expected an integer at least 1, got 0"),
        (["infer", "FILE", "--encoding", "utf-17"], "there is no encoding 'utf-17'; common"),
        (["infer", "FILE", "--columns", "sise"], "no column 'sise' among its 2; did you mean"),
        (["infer", "FILE", "--json", "none/types.json"], "there is no folder"),
        (["infer", "FILE", "--html", "."], "--html .: is a folder, not a file"),
        (["infer", "FILE", "--json", "-", "--html", "-"], "--html and --json both write to -"),
        (["infer", "FILE", "--json", "a", "--schema", "a"], "--schema and --json both write to a"),
        (["infer", "none.csv"], "none.csv: no such file or directory"),
        (["infer", "FILE/a.csv"], "not a directory"),
        (["infer", "a.doc"], "a.doc: no such file or directory"),
        (["infer", "."], ".: is a folder, not a file; for the files in it add --folder OUT"),
        (["validate", "FILE"], "required: --schema; see autotype validate --help"),
        (["apply", "FILE", "-o", "-"], "required: --types; see autotype apply --help"),
    ],
)
def test_wrong_use_exits_2_and_says_why(survey, inferred, call, arguments, message) -> None:
    child = call(*(word.replace("FILE", str(survey)) for word in arguments))
    assert (child.returncode, child.stdout) == (2, "")
    assert message in child.stderr
    assert child.stderr.count("\n") == 1
    assert inferred == []


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"a,b\n1,2\n1,2,3\n", "a.csv: line 3 holds 3 fields, the header 2; correct it"),
        ("a.csv", b"\0\1\2\3", "a.csv: not a text file"),
        ("a.csv.gz", b"\x1f\x8b\x08a,b\n", "a.csv.gz: not a whole gzip file"),
        ("a.jsonl", b'{"a": 1}\n{"a":\n', "a.jsonl: line 2 is not a JSON object (Expecting value"),
        ("a.xlsx", b"PK\3\4", "a.xlsx: not a whole Excel file"),
    ],
)
def test_failing_data_exits_1_and_says_why(tmp_path, call, name, content, message) -> None:
    (tmp_path / name).write_bytes(content)
    child = call("infer", name)
    assert (child.returncode, child.stdout) == (1, "")
    assert message in child.stderr
    assert child.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        ("pyarrow", "a.parquet", 'pip install "autotype-ordinal[parquet]"'),
        ("python_calamine", "a.xlsx", 'pip install "autotype-ordinal[excel]"'),
    ],
)
def test_missing_libraries(tmp_path, call, monkeypatch, module, name, message) -> None:
    if module == "pyarrow":
        (tmp_path / name).write_bytes(b"PAR1")
    else:
        pd.DataFrame({"a": [1]}).to_excel(tmp_path / name)
    monkeypatch.setitem(sys.modules, module, None)
    child = call("infer", name)
    assert child.returncode == 2
    assert message in child.stderr


def test_a_folder_without_permission(survey, inferred, call, monkeypatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    child = call("infer", survey, "--json", "types.json")
    assert child.returncode == 2
    assert "cannot be written to" in child.stderr
    assert inferred == []


def test_a_disk_that_fills_up(survey, inferred, call, monkeypatch, tmp_path) -> None:
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    child = call("infer", survey, "--json", "types.json")
    assert child.returncode == 2
    assert child.stderr == "autotype: error: types.json: no space left on device\n"
    assert os.listdir(tmp_path) == ["survey.csv"]


def test_debug_shows_where(tmp_path, call) -> None:
    (tmp_path / "a.csv").write_text("")
    child = call("infer", "a.csv", "--debug")
    assert child.returncode == 1
    assert "Traceback" in child.stderr


@pytest.mark.parametrize(
    ("stop", "code", "message"),
    [
        (
            ZeroDivisionError("two\nlines"),
            3,
            "unexpected ZeroDivisionError: two lines; this is a fault of autotype: please report "
            "it on the project's issue tracker, with the traceback that --debug prints\n",
        ),
        (MemoryError(), 3, "error: there is not enough memory for this table and these options\n"),
        (ImportError("x.so: failed to map segment from shared object"), 3, "is not enough memory"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_comes_out_of_inference(survey, call, monkeypatch, stop, code, message) -> None:
    def fail(*_, **__):
        raise stop

    monkeypatch.setattr("autotype.cli.input.infer_types", fail)
    child = call("infer", survey)
    assert (child.returncode, child.stdout) == (code, "")
    assert message in child.stderr
    assert (child.stderr == "") == (message == "")


def test_version(call) -> None:
    assert call("--version").stdout == f"autotype {autotype.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["infer"], ["validate"], ["compare"], ["apply"], ["report"]], ids=" ".join
)
def test_help_names_the_exit_codes(arguments, call) -> None:
    child = call(*arguments, "--help")
    assert (child.returncode, child.stderr) == (0, "")
    assert "Exit code: 0 success, 1 the data fails, 2 wrong use, 3 our own failure." in child.stdout


@pytest.mark.parametrize(("quiet", "shown"), [([], True), (["--quiet"], False)])
def test_warnings_take_one_line(survey, capsys, monkeypatch, quiet, shown) -> None:
    def infer_types(frame, *_, **__):
        warnings.warn("it did\nnot converge", UserWarning, stacklevel=1)
        return TypeReport([])

    monkeypatch.setattr("autotype.cli.input.infer_types", infer_types)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["infer", str(survey), *quiet]) == 0
    error = capsys.readouterr().err
    assert error == ("autotype: warning: it did not converge\n" if shown else "")


@pytest.mark.parametrize(
    ("size", "n_bytes"),
    [("500", 500), ("3k", 3 << 10), ("500MB", 500 << 20), ("8 GiB", 8 << 30), ("1T", 1 << 40)],
)
def test_sizes(survey, inferred, monkeypatch, size, n_bytes) -> None:
    read = []

    def open_file(path, options, *, large):
        read.append(options)
        return Table(pd.DataFrame({"a": [1]}), Codebook(), Reading("csv"))

    monkeypatch.setattr("autotype.cli.input.open_file", open_file)
    assert main(["infer", str(survey), "--max-size", size, "--max-columns", "7"]) == 0
    assert (read[0].max_size, read[0].max_columns) == (n_bytes, 7)

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings

import pandas as pd
import pytest

import autotype
from autotype.cli import main
from autotype.column_types import ColumnType, TypeReport

CSV = "size,price\n" + "S,1.5\nM,2.5\nL,3.5\n" * 12


@pytest.fixture
def survey(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text(CSV)
    return path


@pytest.fixture
def asked(monkeypatch):
    """Replace inference by a record of what it was asked, so that the command line is alone."""
    calls = []

    def infer_types(frame, columns=None, **options):
        calls.append((frame, columns, options))
        names = list(frame.columns) if columns is None else columns
        return TypeReport([ColumnType(name, "text") for name in names], n_rows=len(frame))

    monkeypatch.setattr(autotype, "infer_types", infer_types)
    return calls


def run(arguments, environment, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "autotype", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=120, **options
    )


class TestProcess:
    def test_prints_the_table(self, survey, child_environment) -> None:
        child = run(["infer", survey], child_environment)
        assert (child.returncode, child.stderr) == (0, "")
        assert "S < M < L" in child.stdout
        assert "2 columns, 36 rows" in child.stdout

    def test_same_answer_from_csv_parquet_and_stdin(
        self, survey, tmp_path, child_environment
    ) -> None:
        pd.read_csv(survey).to_parquet(tmp_path / "survey.parquet")
        from_csv = run(["infer", survey], child_environment).stdout
        assert "36 rows" in from_csv
        assert run(["infer", tmp_path / "survey.parquet"], child_environment).stdout == from_csv
        assert run(["infer", "-"], child_environment, input=CSV).stdout == from_csv

    def test_error_is_one_line_without_traceback(self, tmp_path, child_environment) -> None:
        child = run(["infer", tmp_path / "none.csv"], child_environment)
        assert (child.returncode, child.stdout) == (2, "")
        assert child.stderr == f"autotype: error: {tmp_path}/none.csv: no such file or directory\n"

    def test_closed_pipe_is_silent(self, survey, child_environment) -> None:
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

    def test_a_terminal_without_unicode(self, tmp_path, child_environment) -> None:
        (tmp_path / "a.csv").write_text("größe\nklein\n", encoding="utf-8")
        environment = {**child_environment, "PYTHONIOENCODING": "ascii"}
        child = run(["infer", tmp_path / "a.csv"], environment)
        assert (child.returncode, child.stderr) == (0, "")
        assert r"gr\xf6\xdfe" in child.stdout


class TestOptions:
    def test_defaults_are_those_of_the_function(self, survey, asked) -> None:
        assert main(["infer", str(survey)]) == 0
        ((frame, columns, options),) = asked
        assert frame.shape == (36, 2)
        assert columns is None
        assert options == {"max_levels": 20, "n_jobs": None, "random_state": 0, "progress": None}

    def test_each_is_handed_on(self, survey, asked) -> None:
        arguments = "--columns price,size --max-levels 5 --sample 100 --jobs -1 --seed 3 --quiet"
        assert main(["infer", str(survey), *arguments.split()]) == 0
        ((_, columns, options),) = asked
        assert columns == ["price", "size"]
        assert options == {
            "max_levels": 5,
            "max_rows": 100,
            "n_jobs": -1,
            "random_state": 3,
            "progress": False,
        }

    def test_quiet_prints_nothing(self, survey, asked, capsys) -> None:
        assert main(["infer", str(survey), "--quiet"]) == 0
        assert capsys.readouterr() == ("", "")

    def test_json_file_beside_the_table(self, survey, asked, capsys, tmp_path) -> None:
        assert main(["infer", str(survey), "--json", str(tmp_path / "types.json")]) == 0
        types = json.loads((tmp_path / "types.json").read_text())
        assert [column["name"] for column in types["columns"]] == ["size", "price"]
        assert "2 columns" in capsys.readouterr().out
        assert sorted(os.listdir(tmp_path)) == ["survey.csv", "types.json"]

    def test_json_on_standard_output_is_all_there_is(self, survey, asked, capsys) -> None:
        assert main(["infer", str(survey), "--json", "-"]) == 0
        assert json.loads(capsys.readouterr().out)["n_rows"] == 36

    def test_a_column_name_with_a_comma(self, tmp_path, asked) -> None:
        (tmp_path / "a.csv").write_text('"a,b",c\n1,2\n')
        assert main(["infer", str(tmp_path / "a.csv"), "--columns", '"a,b"']) == 0
        assert asked[0][1] == ["a,b"]

    def test_version(self, capsys) -> None:
        assert main(["--version"]) == 0
        assert capsys.readouterr().out == f"autotype {autotype.__version__}\n"

    @pytest.mark.parametrize("arguments", [["--help"], ["infer", "--help"]])
    def test_help_names_the_exit_codes(self, arguments, capsys) -> None:
        assert main(arguments) == 0
        assert "Exit code: 0 fine, 1 the data fails, 2 wrong use." in capsys.readouterr().out


class TestWrongUse:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "required: COMMAND"),
            (["guess"], "invalid choice: 'guess'"),
            (["infer"], "required: FILE"),
            (["infer", "FILE", "--colour"], "unrecognized arguments: --colour"),
            (["infer", "FILE", "--max-levels", "two"], "expected an integer, got 'two'"),
            (["infer", "FILE", "--max-levels", "2"], "expected an integer at least 3, got 2"),
            (["infer", "FILE", "--sample", "0"], "expected an integer at least 1, got 0"),
            (["infer", "FILE", "--jobs", "0"], "expected an integer positive, or -1, got 0"),
            (["infer", "FILE", "--jobs", "-2"], "expected an integer positive, or -1, got -2"),
            (["infer", "FILE", "--seed", "-1"], "expected an integer at least 0, got -1"),
            (["infer", "FILE", "--columns", "sise"], "no column 'sise' among its 2; did you mean"),
            (["infer", "FILE", "--json", "none/types.json"], "there is no folder"),
            (["infer", "FILE", "--json", "."], "is a folder, not a file"),
            (["infer", "none.csv"], "none.csv: no such file or directory"),
            (["infer", "FILE/a.csv"], "not a directory"),
            (["infer", "a.xlsx"], "a.xlsx: the name must end in one of"),
        ],
    )
    def test_exits_2_and_says_why(self, survey, asked, capsys, arguments, message) -> None:
        assert main([word.replace("FILE", str(survey)) for word in arguments]) == 2
        output, error = capsys.readouterr()
        assert output == ""
        assert message in error
        assert "Traceback" not in error
        assert asked == []

    def test_json_that_cannot_be_written(self, survey, asked, capsys, monkeypatch) -> None:
        def fail(*_, **__):
            raise OSError(28, "No space left on device", "types.json")

        monkeypatch.setattr(TypeReport, "to_json", fail)
        assert main(["infer", str(survey), "--json", "types.json"]) == 2
        assert capsys.readouterr().err == ("autotype: error: types.json: no space left on device\n")

    def test_parquet_without_pyarrow(self, tmp_path, capsys, monkeypatch) -> None:
        (tmp_path / "a.parquet").write_bytes(b"PAR1")
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        assert main(["infer", str(tmp_path / "a.parquet")]) == 2
        assert 'pip install "autotype[parquet]"' in capsys.readouterr().err


class TestDataFails:
    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.csv", b"", "a.csv: is empty"),
            ("a.csv", b"a,b\n1,2\n1,2,3\n", "a.csv: Expected 2 fields in line 3, saw 3"),
            ("a.csv", b"\0\1\2\3", "a.csv: not a text file"),
            ("a.csv.gz", b"a,b\n", "a.csv.gz: not a whole gzip file"),
            ("a.parquet", b"PAR1xxxxPAR", "a.parquet: not a whole Parquet file"),
        ],
    )
    def test_exits_1_and_says_why(self, tmp_path, capsys, name, content, message) -> None:
        (tmp_path / name).write_bytes(content)
        assert main(["infer", str(tmp_path / name)]) == 1
        output, error = capsys.readouterr()
        assert output == ""
        assert message in error
        assert error.count("\n") == 1

    def test_debug_shows_where(self, tmp_path, capsys) -> None:
        (tmp_path / "a.csv").write_text("")
        assert main(["infer", str(tmp_path / "a.csv"), "--debug"]) == 1
        assert "Traceback" in capsys.readouterr().err

    def test_the_unexpected_is_named(self, survey, capsys, monkeypatch) -> None:
        def fail(*_, **__):
            raise ZeroDivisionError("two\nlines")

        monkeypatch.setattr(autotype, "infer_types", fail)
        assert main(["infer", str(survey)]) == 1
        assert capsys.readouterr().err == (
            "autotype: error: unexpected ZeroDivisionError: two lines; --debug shows where\n"
        )

    def test_interruption_is_silent(self, survey, capsys, monkeypatch) -> None:
        def stop(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(autotype, "infer_types", stop)
        assert main(["infer", str(survey)]) == 130
        assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("quiet", "shown"), [([], True), (["--quiet"], False)])
def test_warnings_take_one_line(survey, capsys, monkeypatch, quiet, shown) -> None:
    def infer_types(frame, *_, **__):
        warnings.warn("it did\nnot converge", UserWarning, stacklevel=1)
        return TypeReport([])

    monkeypatch.setattr(autotype, "infer_types", infer_types)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert main(["infer", str(survey), *quiet]) == 0
    error = capsys.readouterr().err
    assert error == ("autotype: warning: it did not converge\n" if shown else "")

"""Where results go: nothing is overwritten that is read, nothing is lost with a closed pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import pandas as pd
import pytest

KNOWN = '{"size": ["S", "M", "L"]}'


@pytest.fixture
def types(call, survey, tmp_path):
    (tmp_path / "known.json").write_text(KNOWN)
    assert call("infer", "survey.csv", "--json", "types.json", "--quiet").returncode == 0
    return tmp_path / "types.json"


class TestInputsAreNotOverwritten:
    @pytest.mark.parametrize(
        ("arguments", "option", "read"),
        [
            ("infer survey.csv --json survey.csv", "--json", "FILE"),
            ("infer survey.csv --html ./survey.csv", "--html", "FILE"),
            ("infer survey.csv --schema soft.csv", "--schema", "FILE"),
            ("infer soft.csv --json survey.csv", "--json", "FILE"),
            ("infer survey.csv --json hard.csv", "--json", "FILE"),
            ("infer survey.csv --known known.json --json known.json", "--json", "--known"),
            ("infer survey.csv --codebook book.json --json ./book.json", "--json", "--codebook"),
            ("infer survey.csv --html own.toml", "--html", "--scales"),
            ("report types.json -o types.json", "--output", "FILE"),
            ("report survey.csv --known known.json -o known.json", "--output", "--known"),
            ("apply survey.csv --types types.json -o survey.csv", "--output", "FILE"),
            ("apply survey.csv --types soft.csv -o survey.csv", "--output", "FILE"),
        ],
    )
    def test_by_any_name(self, types, call, tmp_path, arguments, option, read) -> None:
        (tmp_path / "soft.csv").symlink_to(tmp_path / "survey.csv")
        os.link(tmp_path / "survey.csv", tmp_path / "hard.csv")
        (tmp_path / "pyproject.toml").write_text('[tool.autotype]\nscales = "own.toml"\n')
        (tmp_path / "own.toml").write_text('[scales.light]\nlevels = ["dim", "lit"]\n')
        (tmp_path / "book.json").write_text('{"fields": [{"name": "size"}]}')
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        child = call(*arguments.split())
        assert (child.returncode, child.stdout) == (2, "")
        assert f"error: {option} " in child.stderr
        assert child.stderr.endswith(f": would overwrite {read}, which is read\n")
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

    def test_types(self, types, call, tmp_path) -> None:
        types.rename(tmp_path / "types.csv")
        child = call("apply", "survey.csv", "--types", "types.csv", "-o", "types.csv")
        assert child.returncode == 2
        assert "would overwrite --types, which is read" in child.stderr

    def test_standard_input(self, survey, tmp_path, run) -> None:
        with survey.open() as file:
            child = run("infer", "-", "--json", "survey.csv", stdin=file)
        assert child.returncode == 2
        assert "--json survey.csv: would overwrite FILE, which is read" in child.stderr

    def test_two_outputs_are_not_one_file(self, survey, inferred, call, tmp_path) -> None:
        (tmp_path / "a.json").write_text("")
        os.link(tmp_path / "a.json", tmp_path / "b.json")
        child = call("infer", "survey.csv", "--json", "a.json", "--schema", "b.json")
        assert child.returncode == 2
        assert "--schema and --json both write to b.json" in child.stderr

    @pytest.mark.parametrize(
        "other", ["./t.json", "linked/t.json", "folder/../t.json", "soft.json"]
    )
    def test_two_outputs_are_not_one_new_file(self, survey, call, tmp_path, other) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "linked").symlink_to(tmp_path)
        (tmp_path / "soft.json").symlink_to("t.json")
        child = call("infer", "survey.csv", "--json", "t.json", "--schema", other)
        assert (child.returncode, child.stdout) == (2, "")
        assert f"--schema and --json both write to {other}" in child.stderr
        assert not (tmp_path / "t.json").exists()


class TestStreams:
    def test_files_are_written_though_the_reader_has_gone(self, survey, tmp_path, run) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        options = {"capture_output": False, "stdout": writing, "stderr": subprocess.PIPE}
        child = run("infer", "survey.csv", "--json", "-", "--html", "page.html", **options)
        os.close(writing)
        assert (child.returncode, child.stderr) == (0, "")
        assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")

    def test_a_failing_output_does_not_stop_the_others(self, survey, inferred, call, tmp_path):
        child = call("infer", "survey.csv", "--json", "/dev/full", "--html", "page.html")
        assert child.returncode == 2
        assert child.stderr == "autotype: error: /dev/full: no space left on device\n"
        assert (tmp_path / "page.html").exists()

    def test_a_named_pipe(self, survey, inferred, call, tmp_path) -> None:
        os.mkfifo(tmp_path / "pipe")
        read = []
        reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_text()))
        reader.start()
        child = call("infer", "survey.csv", "--json", "pipe", "--quiet")
        reader.join(timeout=60)
        assert (child.returncode, child.stderr) == (0, "")
        assert json.loads(read[0])["n_rows"] == 36
        assert sorted(os.listdir(tmp_path)) == ["pipe", "survey.csv"]

    def test_an_inherited_pipe(self, survey, tmp_path, run) -> None:
        reading, writing = os.pipe()
        child = run("infer", "survey.csv", "--json", f"/dev/fd/{writing}", pass_fds=[writing])
        os.close(writing)
        with open(reading) as file:
            assert json.loads(file.read())["n_rows"] == 36
        assert (child.returncode, child.stderr) == (0, "")
        assert "2 columns, 36 rows" in child.stdout

    @pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
    def test_names_of_standard_output(self, survey, inferred, call, name) -> None:
        child = call("infer", "survey.csv", "--json", name)
        assert (child.returncode, child.stderr) == (0, "")
        assert json.loads(child.stdout)["n_rows"] == 36

    def test_standard_output_twice(self, survey, inferred, call) -> None:
        child = call("infer", "survey.csv", "--json", "/dev/stdout", "--html", "-")
        assert child.returncode == 2
        assert "--html and --json both write to -" in child.stderr

    def test_a_file_read_from_a_named_pipe(self, tmp_path, inferred, call) -> None:
        os.mkfifo(tmp_path / "a.csv")
        writer = threading.Thread(target=lambda: (tmp_path / "a.csv").write_text("a,b\n1,2\n"))
        writer.start()
        child = call("infer", "a.csv")
        writer.join(timeout=60)
        assert (child.returncode, child.stderr) == (0, "")
        assert inferred[0][0].shape == (1, 2)


class TestNames:
    def test_as_long_as_a_name_can_be(self, survey, inferred, call, tmp_path) -> None:
        name = "n" * 250 + ".json"
        assert call("infer", "survey.csv", "--json", name).returncode == 0
        assert json.loads((tmp_path / name).read_text())["n_rows"] == 36

    def test_longer(self, survey, inferred, call) -> None:
        child = call("infer", "survey.csv", "--json", "n" * 300)
        assert child.returncode == 2
        assert "file name too long" in child.stderr
        assert inferred == []

    def test_empty(self, survey, inferred, call) -> None:
        child = call("infer", "survey.csv", "--json", "")
        assert child.returncode == 2
        assert "expected the name of a file, got ''" in child.stderr

    @pytest.mark.parametrize("ending", ["csv", "csv.gz", "jsonl", "parquet", "xlsx"])
    def test_bytes_that_are_no_utf8(self, types, call, tmp_path, ending) -> None:
        folder = os.fsdecode(b"\xff\xfe")
        (tmp_path / folder).mkdir()
        name = os.path.join(folder, os.fsdecode(b"\xe9.") + ending)
        child = call("apply", "survey.csv", "--types", "types.json", "-o", name)
        assert child.returncode == 0
        again = call("infer", name, "--json", name + ".json", "--html", name + ".html")
        assert (again.returncode, again.stderr) == (0, "")
        assert len(os.listdir(tmp_path / folder)) == 3


class TestFormulas:
    @pytest.fixture(autouse=True)
    def formulas(self, tmp_path, call):
        cells = [["=1+1", -1.5, "-5"], ["@SUM(A1)", 2.5, "+49 30"], ["x", 3.5, "\t=2"]]
        names = ["=size", "price", "text"]
        pd.DataFrame(cells * 3, columns=names).to_parquet(tmp_path / "a.parquet")
        known = {"=size": ["x", "=1+1", "@SUM(A1)"], "text": ["-5", "\t=2", "+49 30"]}
        (tmp_path / "known.json").write_text(json.dumps(known))
        arguments = ["--known", "known.json", "--json", "types.json", "--quiet"]
        assert call("infer", "a.parquet", *arguments).returncode == 0

    def apply(self, call, *arguments):
        return call("apply", "a.parquet", "--types", "types.json", *arguments)

    def test_stay_in_csv_unless_escaped(self, call, tmp_path) -> None:
        assert "apostrophe" not in self.apply(call, "-o", "b.csv").stderr
        assert (tmp_path / "b.csv").read_text().startswith("=size,price,text\n=1+1,-1.5,-5\n")
        child = self.apply(call, "-o", "c.csv", "--escape-formulas")
        assert child.returncode == 0
        assert "an apostrophe was put before strings of '=size', 'text'" in child.stderr
        assert (tmp_path / "c.csv").read_text().splitlines()[:4] == [
            "'=size,price,text",
            "'=1+1,-1.5,-5",
            "'@SUM(A1),2.5,'+49 30",
            "x,3.5,'\t=2",
        ]
        assert self.apply(call, "-o", "-", "--escape-formulas").stdout.startswith("'=size,")

    def test_are_texts_in_excel(self, call, tmp_path) -> None:
        import openpyxl

        child = self.apply(call, "-o", "b.xlsx")
        assert child.returncode == 0
        assert "b.xlsx: '=size', 'text' keep their values, but neither" in child.stderr
        rows = list(openpyxl.load_workbook(tmp_path / "b.xlsx").active.rows)
        assert [cell.data_type for cell in rows[1]] == ["s", "n", "s"]
        assert [cell.value for cell in rows[1]] == ["=1+1", -1.5, "-5"]
        assert [cell.quotePrefix for cell in rows[0]] == [True, False, False]
        assert rows[1][0].quotePrefix
        self.apply(call, "-o", "c.xlsx", "--no-escape-formulas")
        rows = list(openpyxl.load_workbook(tmp_path / "c.xlsx").active.rows)
        assert [cell.data_type for cell in rows[1]] == ["f", "n", "s"]
        assert rows[2][2].data_type == "s"

    def test_have_no_meaning_elsewhere(self, call) -> None:
        child = self.apply(call, "-o", "b.jsonl", "--escape-formulas")
        assert child.returncode == 2
        assert "--escape-formulas is for CSV and Excel, not for b.jsonl" in child.stderr


def test_ctrl_c_while_the_package_is_imported(tmp_path, child_environment, repository) -> None:
    (tmp_path / "pandas.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program += "from _autotype_command import main; sys.exit(main())"
    search = os.pathsep.join([str(tmp_path), child_environment["PYTHONPATH"]])
    child = subprocess.run(
        [sys.executable, "-c", program, "infer", "a.csv"],
        capture_output=True,
        text=True,
        env={**child_environment, "PYTHONPATH": search},
        timeout=120,
    )
    assert (child.returncode, child.stdout, child.stderr) == (130, "", "")


def test_ctrl_c_while_the_command_line_is_imported(monkeypatch, capsys) -> None:
    import autotype.cli

    class Interrupted:
        def find_spec(self, name, *_):
            if name == "autotype.cli.program":
                raise KeyboardInterrupt

    monkeypatch.delattr(autotype.cli, "program", raising=False)
    monkeypatch.delitem(sys.modules, "autotype.cli.program", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    assert autotype.cli.main(["infer", "a.csv"]) == 130
    assert capsys.readouterr() == ("", "")

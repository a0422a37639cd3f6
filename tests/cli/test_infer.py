from __future__ import annotations

import inspect
import json
import os

import pandas as pd
import pytest

import autotype
from autotype.cli import main

DEFAULTS = {
    name: parameter.default
    for name, parameter in inspect.signature(autotype.infer_types).parameters.items()
}
CSV = "size,price\n" + "S,1.5\nM,2.5\nL,3.5\n" * 12


class TestProcess:
    def test_prints_the_table(self, survey, run) -> None:
        child = run("infer", survey)
        assert (child.returncode, child.stderr) == (0, "")
        assert "S < M < L" in child.stdout
        assert "2 columns, 36 rows" in child.stdout

    def test_same_answer_from_any_format_and_from_stdin(self, survey, tmp_path, call, run) -> None:
        frame = pd.read_csv(survey)
        frame.to_parquet(tmp_path / "survey.parquet")
        frame.to_json(tmp_path / "survey.jsonl", orient="records", lines=True)
        frame.to_excel(tmp_path / "survey.xlsx", index=False)
        from_csv = call("infer", survey).stdout
        assert "36 rows" in from_csv
        for name in ("survey.parquet", "survey.jsonl", "survey.xlsx"):
            child = call("infer", name)
            assert (child.stdout, child.stderr) == (from_csv, "")
        assert run("infer", "-", input=CSV).stdout == from_csv

    def test_all_outputs_at_once(self, survey, tmp_path, call) -> None:
        child = call("infer", survey, "--json", "t.json", "--html", "r.html", "--schema", "s.yaml")
        assert (child.returncode, child.stderr) == (0, "")
        assert "S < M < L" in child.stdout
        types = autotype.TypeReport.from_json(tmp_path / "t.json")
        assert types["size"].order == ("S", "M", "L")
        assert (tmp_path / "r.html").read_text().startswith("<!doctype html>")
        schema = autotype.read_schema(tmp_path / "s.yaml")
        assert schema.columns["size"].dtype.categories == ("S", "M", "L")
        assert len(os.listdir(tmp_path)) == 4

    def test_what_looks_wrong_is_shown_and_written(self, tmp_path, call) -> None:
        text = "q,mass,plan\nResponse,kg,plan\n" + "Yes,1.5,Paid\nNo,2.25,NaN\nNo,3,Free\n" * 12
        (tmp_path / "survey.csv").write_text(text)
        child = call("infer", "survey.csv", "--json", "t.json", "--html", "r.html")
        assert (child.returncode, child.stderr) == (0, "")
        assert "header row: one row looks like a second header row ('q': 'Response'" in child.stdout
        assert "missing marker: 'plan' holds 'NaN'" in child.stdout
        types = autotype.TypeReport.from_json(tmp_path / "t.json")
        assert [warning.kind for warning in types.warnings] == ["header row", "missing marker"]
        assert [c.semantic_type for c in types.columns] == ["binary", "continuous", "binary"]
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert "looks like a second header row" in page
        child = call("infer", "survey.csv", "--missing", "NaN")
        assert "missing marker" not in child.stdout

    def test_the_remedy_for_signs_is_an_option_that_is_understood(self, tmp_path, call) -> None:
        (tmp_path / "signs.csv").write_text("plan\n" + "Paid\nFree\n-\n?\n" * 12)
        shown = call("infer", "signs.csv").stdout
        assert "missing marker: 'plan' holds '-', '?'" in shown
        assert "--missing='-,?'" in " ".join(shown.split())
        again = call("infer", "signs.csv", "--missing=-,?")
        assert again.returncode == 0
        assert "missing marker" not in again.stdout

    def test_what_only_the_file_knows_is_in_the_report(self, tmp_path, call) -> None:
        others = ("André", "José", "Günther") * 10
        names = [f"Zoë {k},Yes" for k in range(30)], [f"{name},No" for name in others]
        first, second = ("\n".join(part) + "\n" for part in names)
        content = b"name,answer\n" + first.encode() + second.encode("cp1252")
        (tmp_path / "survey.csv").write_bytes(content)
        child = call("infer", "survey.csv", "--json", "t.json")
        assert child.stderr.startswith("autotype: warning: survey.csv: some lines are UTF-8")
        types = autotype.TypeReport.from_json(tmp_path / "t.json")
        assert types.reading.doubts[0].startswith("some lines are UTF-8")
        assert "The file: some lines are UTF-8" in child.stdout
        call("infer", "survey.csv", "--folder", "out")
        summary = json.loads((tmp_path / "out" / "survey.json").read_text(encoding="utf-8"))
        assert summary["reading"]["doubts"] == list(types.reading.doubts)
        call("report", "survey.csv", "-o", "page.html")
        assert "some lines are UTF-8" in (tmp_path / "page.html").read_text(encoding="utf-8")

    def test_what_is_unusual_is_one_line(self, tmp_path, call) -> None:
        rows = "\n".join(f"{k},{k / 2}" for k in range(1, 9))
        text = f"Sales of nuts\n\nmonth,tons\n{rows}\n\nSource: own figures\n"
        (tmp_path / "a.csv").write_text(text)
        said = "header in line 3 after 1 title line; 1 footer line left out"
        child = call("infer", "a.csv", "--json", "t.json")
        assert child.stderr == f"autotype: warning: a.csv: {said}\n"
        assert f"The file: {said}." in child.stdout
        types = autotype.TypeReport.from_json(tmp_path / "t.json")
        assert (types.n_rows, types.reading.title, types.reading.footer) == (8, (1,), (13,))
        assert call("infer", "a.csv", "--header", "3", "--footer", "1").stderr == ""
        assert said in call("apply", "a.csv", "--types", "t.json", "-o", "b.csv").stderr

    @pytest.mark.parametrize(
        ("option", "start"),
        [("--json", "{"), ("--html", "<!doctype html>"), ("--schema", "# A schema of autotype")],
    )
    def test_one_output_on_standard_output(self, survey, call, option, start) -> None:
        child = call("infer", survey, option, "-")
        assert (child.returncode, child.stderr) == (0, "")
        assert child.stdout.startswith(start)
        assert not child.stdout.endswith("\n\n")

    def test_a_terminal_without_unicode(self, tmp_path, run, child_environment) -> None:
        (tmp_path / "a.csv").write_text("größe\nklein\n", encoding="utf-8")
        child = run("infer", "a.csv", env={**child_environment, "PYTHONIOENCODING": "ascii"})
        assert (child.returncode, child.stderr) == (0, "")
        assert r"gr\xf6\xdfe" in child.stdout

    def test_the_same_on_any_number_of_cores(self, survey, call, run) -> None:
        one, two = (
            command("infer", survey, "--jobs", n, "--json", "-")
            for command, n in ((call, 1), (run, 2))
        )
        assert one.stdout == two.stdout
        assert two.stderr == ""


class TestOptions:
    def test_defaults_are_those_of_the_function(self, survey, inferred) -> None:
        assert main(["infer", str(survey)]) == 0
        ((frame, columns, options),) = inferred
        assert frame.shape == (36, 2)
        assert columns is None
        assert options == {name: DEFAULTS[name] for name in options}
        assert options.keys() >= {"known", "max_levels", "n_jobs", "random_state", "progress"}

    @pytest.mark.parametrize(
        "names", ["--max-rows 100 --n-jobs -1 --random-state 3", "--sample 100 --jobs -1 --seed 3"]
    )
    def test_each_is_passed_on_also_by_its_former_name(self, survey, inferred, names) -> None:
        arguments = f"--columns price,size --max-levels 5 {names} --quiet"
        assert main(["infer", str(survey), *arguments.split()]) == 0
        ((_, columns, options),) = inferred
        assert columns == ["price", "size"]
        stated = {
            "max_levels": 5,
            "max_rows": 100,
            "n_jobs": -1,
            "random_state": 3,
            "progress": False,
        }
        assert options == {name: DEFAULTS[name] for name in options} | stated

    def test_quiet_prints_nothing(self, survey, inferred, capsys) -> None:
        assert main(["infer", str(survey), "--quiet"]) == 0
        assert capsys.readouterr() == ("", "")

    def test_json_file_beside_the_table(self, survey, inferred, capsys, tmp_path) -> None:
        assert main(["infer", str(survey), "--json", str(tmp_path / "types.json")]) == 0
        types = json.loads((tmp_path / "types.json").read_text())
        assert [column["name"] for column in types["columns"]] == ["size", "price"]
        assert "2 columns" in capsys.readouterr().out
        assert sorted(os.listdir(tmp_path)) == ["survey.csv", "types.json"]

    def test_a_column_name_with_a_comma(self, tmp_path, inferred) -> None:
        (tmp_path / "a.csv").write_text('"a,b",c\n1,2\n')
        assert main(["infer", str(tmp_path / "a.csv"), "--columns", '"a,b"']) == 0
        assert inferred[0][1] == ["a,b"]

    def test_how_the_file_is_read(self, tmp_path, inferred) -> None:
        (tmp_path / "a.csv").write_bytes("größe~n\nNone~1\n".encode("cp1252"))
        reading = ["--delimiter", "~", "--encoding", "cp1252", "--missing", "k.A.,None"]
        assert main(["infer", str(tmp_path / "a.csv"), *reading]) == 0
        frame = inferred[0][0]
        assert list(frame.columns) == ["größe", "n"]
        assert frame["größe"].isna().all()

    def test_a_tab_has_a_name(self, tmp_path, inferred) -> None:
        (tmp_path / "a.txt").write_text("a\tb\n1\t2\n")
        assert main(["infer", str(tmp_path / "a.txt"), "--delimiter", "tab"]) == 0
        assert inferred[0][0].shape == (1, 2)


class TestKnown:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("known.json", '{"size": ["L", "M", "S"], "price": "continuous"}'),
            ("known.toml", 'size = ["L", "M", "S"]\nprice = "continuous"\n'),
        ],
    )
    def test_wins_over_the_evidence(self, survey, tmp_path, call, name, text) -> None:
        (tmp_path / name).write_text(text)
        child = call("infer", survey, "--known", name)
        assert (child.returncode, child.stderr) == (0, "")
        assert "L < M < S" in child.stdout

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "is not JSON: Expecting property name"),
            ("size: [S, M, L]", "TOML needs the name .toml"),
            ("[1]", "expected column names with a type or levels each"),
            ("[" * 100_000, "is nested deeper than the 100 lists"),
            ('{"size": [["S"]]}', "'size' has [['S']], expected a type or a list of levels"),
            ('{"size": [null]}', "'size' has [None], expected a type or a list of levels"),
            ('{"size": "text", "size": "ordinal"}', "the key 'size' is repeated"),
            ('{"size": %s}' % ("9" * 5000), "Exceeds the limit (4300 digits)"),
            ('{"size": {"a": "%s"}}' % ("9" * 5000), "99999..., expected a type or a list"),
            ('{"size": 3}', "'size' has 3, expected a type or a list of levels"),
            ('{"sise": "text"}', "there is no column 'sise' among the 2; did you mean 'size'?"),
            ('{"size": "nominal"}', "known['size'] is 'nominal', not one of ordinal, "),
            ('{"size": ["S", "M"]}', "the order in known['size'] leaves out 'L'"),
            (None, "no such file or directory"),
        ],
    )
    def test_what_cannot_be_known(self, survey, tmp_path, capsys, text, message) -> None:
        path = tmp_path / "known.json"
        if text is not None:
            path.write_text(text)
        assert main(["infer", str(survey), "--known", str(path)]) == 2
        output, error = capsys.readouterr()
        assert output == ""
        assert error.startswith(f"autotype: error: --known {path}: ")
        assert message in error
        assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "can't decode byte 0xff"),
        (b"a." * 5000 + b"b = 1", "--known known.toml: "),
        (b"size = " + b"[" * 100_000, "is nested too deeply"),
        (b"size = 1979-05-27", "'size' has datetime.date(1979, 5, 27), expected a type"),
    ],
)
def test_hostile_toml(survey, inferred, call, tmp_path, content, message) -> None:
    (tmp_path / "known.toml").write_bytes(content)
    child = call("infer", "survey.csv", "--known", "known.toml")
    assert (child.returncode, child.stdout) == (2, "")
    assert message in child.stderr
    assert child.stderr.count("\n") == 1


def test_a_codebook_beside_the_file_is_used_and_said(call, tmp_path) -> None:
    (tmp_path / "survey.csv").write_text("mood,town\n" + "1,a\n2,b\n3,c\n" * 9)
    (tmp_path / "survey_codebook.csv").write_text(
        "variable,question,values\nmood,Mood?,1=bad; 2=so-so; 3=good\ntown,Town?,\n"
    )
    child = call("infer", "survey.csv", "--json", "types.json")
    assert "survey.csv: labels are read from survey_codebook.csv beside it" in child.stderr
    assert autotype.TypeReport.from_json(tmp_path / "types.json")["mood"].title == "Mood?"
    stated = call("infer", "survey.csv", "--codebook", "survey_codebook.csv")
    assert "beside" not in stated.stderr

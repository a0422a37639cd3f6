from __future__ import annotations

import json
import subprocess
import sys
from xml.etree import ElementTree

import pandas as pd
import pytest

CSV = "size,price\n" + "S,1.5\nM,2.5\nL,3.5\n" * 12


@pytest.fixture
def schema(survey, call, tmp_path):
    """A schema of the first day's batch."""
    assert call("infer", survey, "--schema", "schema.yaml", "--quiet").returncode == 0
    return tmp_path / "schema.yaml"


def test_the_batch_that_made_the_schema_fits(survey, schema, call) -> None:
    child = call("validate", "survey.csv", "--schema", "schema.yaml")
    assert (child.returncode, child.stderr) == (0, "")
    assert child.stdout == "survey.csv: 36 rows fit the schema schema.yaml\n"


def test_one_line_a_failure(schema, call, tmp_path) -> None:
    (tmp_path / "day2.csv").write_text("size\nM\nXXL\nS\nXXL\nnone\n")
    child = call("validate", "day2.csv", "--schema", "schema.yaml")
    assert (child.returncode, child.stderr) == (1, "")
    lines = child.stdout.splitlines()
    assert len(lines) == 2
    assert "column 'price' is missing" in child.stdout
    levels = next(line for line in lines if "'size'" in line)
    for expected in ("'XXL' at row 1 (2 rows)", "'none' at row 4", "'S' < 'M' < 'L'"):
        assert expected in levels


@pytest.mark.parametrize(
    ("spoilt", "code", "message"),
    [
        ("survey.csv", 1, "survey.csv: is empty"),
        (None, 2, "survey.csv: no such file"),
        ("schema.yaml", 2, "schema.yaml: not a schema of a data frame"),
    ],
)
def test_what_cannot_be_read_replaces_the_outcome_before(
    survey, schema, call, tmp_path, spoilt, code, message
) -> None:
    outputs = {"--json": "a.json", "--html": "a.html", "--junit": "a.xml", "--failed-rows": "a.csv"}
    arguments = [part for option in outputs.items() for part in option]
    assert call("validate", "survey.csv", "--schema", "schema.yaml", *arguments).returncode == 0
    if spoilt is None:
        survey.unlink()
    else:
        (tmp_path / spoilt).write_text("")
    child = call("validate", "survey.csv", "--schema", "schema.yaml", *arguments)
    assert (child.returncode, child.stdout) == (code, "")
    assert message in child.stderr
    plain = json.loads((tmp_path / "a.json").read_text())
    assert not plain["success"]
    assert plain["counts"] == {"passed": 0, "failed": 1, "tolerated": 0, "skipped": 0}
    assert plain["checks"][0]["check"] == "readable"
    suite = ElementTree.parse(tmp_path / "a.xml").getroot()[0]
    assert suite.attrib["failures"] == "1"
    assert message in suite[0][0].attrib["message"]
    for name in ("a.html", "a.csv"):
        assert message in (tmp_path / name).read_text()


def test_quiet_says_it_by_the_exit_code_alone(schema, call, tmp_path) -> None:
    (tmp_path / "day2.csv").write_text("size,price\nXXL,1\n")
    child = call("validate", "day2.csv", "--schema", "schema.yaml", "--quiet")
    assert (child.returncode, child.stdout, child.stderr) == (1, "", "")


def test_as_a_process(schema, run, tmp_path) -> None:
    assert run("validate", "-", "--schema", "schema.yaml", input=CSV).returncode == 0
    failing = run("validate", "-", "--schema", "schema.yaml", input="size,price\nXXL,1\n")
    assert (failing.returncode, failing.stderr) == (1, "")
    assert failing.stdout.startswith("column 'size' holds level 'XXL' at row 0, not among 'S' <")


def test_digits_stay_texts_where_the_schema_says_so(call, tmp_path) -> None:
    (tmp_path / "day1.csv").write_text("zip,n\n" + "01067,1\n10115,2\n20095,3\n" * 9)
    (tmp_path / "day2.csv").write_text("zip,n\n10115,1\n")
    assert call("infer", "day1.csv", "--schema", "schema.yaml").returncode == 0
    assert call("validate", "day2.csv", "--schema", "schema.yaml").returncode == 0


def test_none_is_a_level_unless_it_is_declared_missing(call, tmp_path) -> None:
    (tmp_path / "day1.csv").write_text("size,n\n" + "S,1\nM,2\nL,3\n,4\n" * 9)
    (tmp_path / "day2.csv").write_text("size,n\nS,1\nNone,2\n")
    assert call("infer", "day1.csv", "--schema", "schema.yaml").returncode == 0
    missing = call("validate", "day2.csv", "--schema", "schema.yaml")
    assert missing.returncode == 1
    assert "level 'None' at row 1" in missing.stdout
    fine = call("validate", "day2.csv", "--schema", "schema.yaml", "--missing", "None")
    assert (fine.returncode, fine.stderr) == (0, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "--schema none.yaml: no such file or directory"),
        (": [", "--schema none.yaml: not YAML: "),
        ("a: 1", "--schema none.yaml: not a schema of a data frame"),
    ],
)
def test_other_files_are_not_schemas(survey, call, tmp_path, text, message) -> None:
    if text is not None:
        (tmp_path / "none.yaml").write_text(text)
    child = call("validate", "survey.csv", "--schema", "none.yaml")
    assert (child.returncode, child.stdout) == (2, "")
    assert child.stderr.startswith(f"autotype: error: {message}")
    assert child.stderr.count("\n") == 1


class TestNumbers:
    """One bad cell does not make strings of a column of numbers."""

    @pytest.fixture(autouse=True)
    def day1(self, call, tmp_path):
        rows = "".join(f"{1 + j % 5},{j * 1.5},{j % 3}\n" for j in range(40))
        (tmp_path / "day1.csv").write_text(f"grade,price,n\n{rows}")
        (tmp_path / "known.json").write_text('{"grade": [1, 2, 3, 4, 5], "n": "count"}')
        made = call("infer", "day1.csv", "--known", "known.json", "--schema", "schema.yaml")
        assert made.returncode == 0

    def validate(self, call, tmp_path, text):
        (tmp_path / "day2.csv").write_text(text)
        return call("validate", "day2.csv", "--schema", "schema.yaml")

    def test_a_new_level_among_numbers(self, call, tmp_path) -> None:
        child = self.validate(call, tmp_path, "grade,price,n\n1,1.5,1\n5+,3,2\n2,1,1\n")
        assert child.returncode == 1
        assert child.stdout.startswith("column 'grade' holds level '5+' at row 1, not among 1 < 2")
        assert child.stdout.count("\n") == 1

    def test_a_cell_that_is_not_a_number(self, call, tmp_path) -> None:
        child = self.validate(call, tmp_path, "grade,price,n\n1,free,1\n2,3,x\n2,1,1\n")
        assert child.returncode == 1
        assert child.stdout.splitlines() == [
            "column 'price' holds 'free' at row 0, where numbers are expected; correct them",
            "column 'n' holds 'x' at row 1, where numbers are expected; correct them",
        ]

    def test_the_other_cells_are_validated(self, call, tmp_path) -> None:
        child = self.validate(call, tmp_path, "grade,price,n\n1,free,1\n2,-3,1\n")
        assert len(child.stdout.splitlines()) == 2
        assert "-3" in child.stdout

    def test_a_batch_of_too_few_rows_fails(self, call, tmp_path) -> None:
        child = self.validate(call, tmp_path, "grade,price,n\n")
        assert (child.returncode, child.stdout) == (
            1,
            "the batch has 0 rows, expected at least 1; check its source, or allow fewer "
            "(min-rows)\n",
        )
        arguments = ("validate", "day2.csv", "--schema", "schema.yaml", "--min-rows")
        child = call(*arguments, 0)
        assert (child.returncode, child.stdout) == (
            0,
            "day2.csv: 0 rows fit the schema schema.yaml\n",
        )
        (tmp_path / "day2.csv").write_text("grade,price,n\n1,1.5,1\n2,2.5,2\n")
        assert "2 rows, expected at least 3" in call(*arguments, 3).stdout
        assert call(*arguments, 2).returncode == 0


def test_a_column_called_self(call, tmp_path) -> None:
    pd.DataFrame({"self": [1.5, 2.5, 4.0] * 12}).to_parquet(tmp_path / "day1.parquet")
    pd.DataFrame({"self": ["2.5", "many"]}).to_parquet(tmp_path / "day2.parquet")
    assert call("infer", "day1.parquet", "--schema", "schema.yaml").returncode == 0
    child = call("validate", "day2.parquet", "--schema", "schema.yaml")
    assert (child.returncode, child.stderr) == (1, "")
    assert "column 'self' holds 'many' at row 1, where numbers are expected" in child.stdout


class TestOutputs:
    """Failures as files, and how many of them are tolerated."""

    DAY2 = "size,price,note\nM,1.5,=a\nXXL,2.5,b\nS,x,c\nXXL,3.0,\n"

    @pytest.fixture(autouse=True)
    def day2(self, schema, tmp_path):
        (tmp_path / "day2.csv").write_text(self.DAY2)

    def validate(self, call, *arguments):
        return call("validate", "day2.csv", "--schema", "schema.yaml", *arguments)

    def test_json_holds_every_check(self, call, tmp_path) -> None:
        assert self.validate(call, "--json", "out.json").returncode == 1
        outcome = json.loads((tmp_path / "out.json").read_text())
        assert {key: outcome[key] for key in ("file", "schema", "success", "n_rows")} == {
            "file": "day2.csv",
            "schema": "schema.yaml",
            "success": False,
            "n_rows": 4,
        }
        assert outcome["counts"] == {"passed": 8, "failed": 2, "tolerated": 0, "skipped": 0}
        failed = [check for check in outcome["checks"] if check["status"] == "failed"]
        assert [(check["column"], check["check"], check["n_failed"]) for check in failed] == [
            ("size", "is_ordinal", 2),
            ("price", "dtype", 1),
        ]
        assert failed[0]["share_failed"] == 0.5
        assert failed[0]["values"] == [{"value": "XXL", "n_rows": 2, "row": 1}]
        assert failed[0]["message"].startswith("column 'size' holds level 'XXL' at row 1 (2 rows)")
        first = outcome["checks"][0]
        assert (first["column"], first["check"], first["status"]) == (None, "min_rows", "passed")

    def test_standard_output_in_place_of_the_failures(self, call) -> None:
        child = self.validate(call, "--json", "-")
        assert child.returncode == 1
        assert json.loads(child.stdout)["n_rows"] == 4

    def test_checks_of_a_missing_column_are_skipped(self, call, tmp_path) -> None:
        (tmp_path / "day2.csv").write_text("size\nM\nS\n")
        assert self.validate(call, "--json", "a.json", "--junit", "a.xml").returncode == 1
        outcome = json.loads((tmp_path / "a.json").read_text())
        assert outcome["counts"]["skipped"] == 4
        suite = ElementTree.parse(tmp_path / "a.xml").getroot()[0]
        assert (suite.get("failures"), suite.get("skipped"), len(suite)) == ("1", "4", 10)

    def test_junit(self, call, tmp_path) -> None:
        self.validate(call, "--junit", "out.xml", "--max-failures", "1")
        suite = ElementTree.parse(tmp_path / "out.xml").getroot()[0]
        cases = {case.get("name"): case for case in suite}
        assert suite.attrib == {
            "name": "schema.yaml",
            "tests": "10",
            "failures": "1",
            "errors": "0",
            "skipped": "0",
        }
        assert cases["size: is_ordinal"].find("failure").get("type") == "is_ordinal"
        assert "XXL" in cases["size: is_ordinal"].find("failure").text
        assert cases["price: dtype"].find("system-out").text.startswith("tolerated: column 'price'")
        assert len(cases["size: present"]) == 0

    def test_junit_of_characters_that_xml_cannot_hold(self, call, tmp_path) -> None:
        (tmp_path / "day2.csv").write_text("size,price\nM,1\nX\x01<&L,2\n")
        self.validate(call, "--junit", "out.xml")
        failure = next(ElementTree.parse(tmp_path / "out.xml").getroot().iter("failure"))
        assert r"'X\x01<&L'" in failure.text

    def test_page(self, call, tmp_path) -> None:
        (tmp_path / "day2.csv").write_text("size,price\nM,1\n<b>L,2\n")
        assert self.validate(call, "--html", "out.html", "--quiet").returncode == 1
        page = (tmp_path / "out.html").read_text()
        assert "The data fail" in page
        assert "&lt;b&gt;L" in page
        assert "<b>L" not in page
        assert self.validate(call, "--html", "out.html", "--max-failures", "1").returncode == 0
        assert "The data fit" in (tmp_path / "out.html").read_text()

    def test_failed_rows(self, call, tmp_path) -> None:
        self.validate(call, "--failed-rows", "rows.csv")
        assert (tmp_path / "rows.csv").read_text().splitlines() == [
            "row,failed_checks,size,price,note",
            "1,size: is_ordinal,XXL,2.5,b",
            "2,price: dtype,S,x,c",
            "3,size: is_ordinal,XXL,3.0,",
        ]
        self.validate(call, "--failed-rows", "rows.parquet")
        rows = pd.read_parquet(tmp_path / "rows.parquet")
        assert rows["row"].tolist() == [1, 2, 3]
        (tmp_path / "day2.csv").write_text("size,price,row\nM,1.5,1\nS,2.5,2\n")
        self.validate(call, "--failed-rows", "rows.csv")
        assert (tmp_path / "rows.csv").read_text() == "row_,failed_checks,size,price,row\n"
        (tmp_path / "day2.csv").write_text("size,price,open\nXXL,1.50,TRUE\nS,2.50,FALSE\nS,y,\n")
        self.validate(call, "--failed-rows", "rows.csv")
        rows = (tmp_path / "rows.csv").read_text().splitlines()
        assert [row.rpartition("XXL,")[2] for row in rows[1:2]] == ["1.50,TRUE"]

    @pytest.mark.parametrize(
        ("limit", "code"), [("0", 1), ("1", 1), ("2", 0), ("49.9%", 1), ("50%", 0), ("100%", 0)]
    )
    def test_tolerated_failures(self, call, limit, code) -> None:
        assert self.validate(call, "--max-failures", limit).returncode == code

    def test_tolerated_failures_are_named(self, call) -> None:
        lines = self.validate(call, "--max-failures", "2").stdout.splitlines()
        assert lines[0] == (
            "day2.csv: 4 rows fit the schema schema.yaml, with 2 tolerated failures"
        )
        assert lines[1].startswith("tolerated (2 of 4 rows): column 'size' holds level 'XXL'")
        assert lines[2].startswith("tolerated (1 of 4 rows): column 'price' holds 'x' at row 2")

    def test_a_missing_column_is_not_tolerated(self, call, tmp_path) -> None:
        (tmp_path / "day2.csv").write_text("size\nM\nS\n")
        assert self.validate(call, "--max-failures", "100%").returncode == 1

    @pytest.mark.parametrize("limit", ["x", "-1", "1.5", "101%", "%"])
    def test_limits_that_are_none(self, call, limit) -> None:
        child = self.validate(call, f"--max-failures={limit}")
        assert child.returncode == 2
        assert "argument --max-failures: expected a" in child.stderr

    def test_outputs_that_cannot_be_written(self, call) -> None:
        child = self.validate(call, "--failed-rows", "rows.doc")
        assert child.returncode == 2
        assert "--failed-rows rows.doc: the name must end in one of .csv" in child.stderr
        child = self.validate(call, "--json", "schema.yaml")
        assert child.returncode == 2
        assert "--json schema.yaml: would overwrite --schema, which is read" in child.stderr

    def test_a_reader_that_closes_its_pipe_does_not_change_the_exit_code(
        self, child_environment, tmp_path
    ) -> None:
        command = [sys.executable, "-m", "autotype", "validate", "day2.csv", "--schema"]
        child = subprocess.Popen(
            [*command, "schema.yaml"],
            cwd=tmp_path,
            env=child_environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        child.stdout.close()
        assert child.wait(timeout=120) == 1
        assert child.stderr.read() == b""
        child.stderr.close()


def test_texts_of_dates_and_amounts(call, tmp_path) -> None:
    days = [f"{j % 28 + 1}/{j % 12 + 1}/2020" for j in range(40)]
    day1 = pd.DataFrame({"day": days, "price": [f"${j}.50" for j in range(40)]})
    day1.to_csv(tmp_path / "day1.csv", index=False)
    assert call("infer", "day1.csv", "--schema", "schema.yaml", "--quiet").returncode == 0
    (tmp_path / "day2.csv").write_text("day,price\n31/12/2020,5\n31/31/2020,7\n")
    child = call("validate", "day2.csv", "--schema", "schema.yaml")
    assert (child.returncode, child.stderr) == (1, "")
    assert child.stdout == (
        "column 'day' holds '31/31/2020' at row 1: must be dates or times that exist; correct "
        "them\n"
    )


def test_shares_and_strays_are_options_of_the_schema(call, tmp_path) -> None:
    (tmp_path / "day1.csv").write_text("size,n\n" + "S,1\nM,2\nL,3\n" * 300)
    (tmp_path / "day2.csv").write_text("size,n\n" + "S,1\nS,2\nL,3\nM,1\n" * 300)
    made = call("infer", "day1.csv", "--schema", "s.yaml", "--share-tolerance", "5%")
    assert (made.returncode, made.stderr) == (0, "")
    child = call("validate", "day2.csv", "--schema", "s.yaml")
    assert child.returncode == 1
    assert child.stdout.startswith(
        "column 'size' has other proportions than before: level 'S' 50% instead of 33%"
    )
    child = call("infer", "day1.csv", "--share-tolerance", "5%")
    assert child.returncode == 2
    assert "--share-tolerance and --max-strays are for --schema" in child.stderr
    child = call("infer", "day1.csv", "--schema", "s.yaml", "--max-strays", "2")
    assert "expected a share such as 1% or 0.01, got '2'" in child.stderr


def test_a_broken_installation_is_not_a_failure_of_the_data(
    tmp_path, child_environment, repository
) -> None:
    (tmp_path / "pandas.py").write_text("raise ImportError('no pandas')\n")
    arguments = ["infer", "a.csv"]
    search = f"{tmp_path}:{child_environment['PYTHONPATH']}"
    child = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, _autotype_command as c; sys.exit(c.main())",
            *arguments,
        ],
        capture_output=True,
        text=True,
        env={**child_environment, "PYTHONPATH": search},
        timeout=120,
        check=False,
    )
    assert (child.returncode, child.stdout) == (3, "")
    assert child.stderr == "autotype: error: the installation is broken: no pandas\n"

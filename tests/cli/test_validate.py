from __future__ import annotations

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
    """One bad cell does not make texts of a column of numbers."""

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

    def test_an_empty_batch_fits(self, call, tmp_path) -> None:
        child = self.validate(call, tmp_path, "grade,price,n\n")
        assert (child.returncode, child.stdout) == (
            0,
            "day2.csv: 0 rows fit the schema schema.yaml\n",
        )


def test_a_column_called_self(call, tmp_path) -> None:
    pd.DataFrame({"self": [1.5, 2.5, 4.0] * 12}).to_parquet(tmp_path / "day1.parquet")
    pd.DataFrame({"self": ["2.5", "many"]}).to_parquet(tmp_path / "day2.parquet")
    assert call("infer", "day1.parquet", "--schema", "schema.yaml").returncode == 0
    child = call("validate", "day2.parquet", "--schema", "schema.yaml")
    assert (child.returncode, child.stderr) == (1, "")
    assert "column 'self' holds 'many' at row 1, where numbers are expected" in child.stdout

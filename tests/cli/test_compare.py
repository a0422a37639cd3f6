from __future__ import annotations

import json

import pytest

import autotype
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType


def report(low: int, high: int, *, more: tuple[ColumnType, ...] = ()) -> TypeReport:
    mood = ColumnType(
        "mood", "ordinal", 0.9, order=("low", "high"), levels={"low": low, "high": high}
    )
    return TypeReport([mood, *more], n_rows=low + high)


@pytest.fixture(autouse=True)
def reports(tmp_path):
    report(80, 20).to_json(tmp_path / "old.json")
    report(20, 80, more=(ColumnType("n", "count"),)).to_json(tmp_path / "new.json")


def test_two_reports(call) -> None:
    child = call("compare", "old.json", "new.json")
    assert (child.returncode, child.stderr) == (1, "")
    assert child.stdout.splitlines()[0] == "2 of 2 columns changed:"
    assert "- 'n': It is new (count)." in child.stdout
    same = call("compare", "old.json", "old.json")
    assert (same.returncode, same.stdout) == (0, "nothing changed in 1 column\n")
    assert call("compare", "old.json", "new.json", "--quiet").stdout == ""


def test_some_columns_and_other_limits(call) -> None:
    child = call("compare", "old.json", "new.json", "--columns", "mood")
    assert child.stdout.startswith(
        "1 of 1 column changed:\n- 'mood': The proportions of its levels"
    )
    child = call("compare", "old.json", "new.json", "--columns", "mood", "--min-distance", "70%")
    assert child.returncode == 0
    assert call("compare", "old.json", "new.json", "--columns", "mood", "--alpha", "1e-30").stdout


def test_a_table(call, tmp_path) -> None:
    rows = "low,1.5\nhigh,2.5\nmid,3.5\n" * 20
    (tmp_path / "day1.csv").write_text(f"mood,price\n{rows}")
    (tmp_path / "day2.csv").write_text(f"mood,price\n{rows.replace('high', 'low')}none,1.5\n")
    assert call("infer", "day1.csv", "--json", "types.json", "--quiet").returncode == 0
    assert call("compare", "types.json", "day1.csv").returncode == 0
    child = call("compare", "types.json", "day2.csv")
    assert (child.returncode, child.stderr) == (1, "")
    assert "level 'high' is gone" in child.stdout


def test_known_types_of_a_table(call, inferred, tmp_path) -> None:
    (tmp_path / "day2.csv").write_text("mood\nlow\n")
    (tmp_path / "known.toml").write_text('mood = ["low", "high"]\n')
    assert call("compare", "old.json", "day2.csv", "--known", "known.toml").returncode == 1
    assert inferred[0][2]["known"] == {"mood": ["low", "high"]}


def test_json_and_page(call, tmp_path) -> None:
    child = call("compare", "old.json", "new.json", "--json", "a.json", "--html", "a.html")
    assert child.returncode == 1
    comparison = json.loads((tmp_path / "a.json").read_text())
    assert [column["changes"] for column in comparison["columns"]] == [["shares"], ["new"]]
    assert "new.json compared with old.json" in (tmp_path / "a.html").read_text()
    child = call("compare", "old.json", "new.json", "--json", "-")
    assert json.loads(child.stdout) == comparison
    assert call("compare", "old.json", "new.json", "--html", "-").stdout.startswith("<!doctype")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("none.json", "new.json"), "types none.json: no such file or directory"),
        (("old.json", "none.csv"), "none.csv: no such file or directory"),
        (("-", "-"), "OLD and NEW are both standard input (-); name a file for one of them"),
        (("old.json", "new.json", "--alpha", "0"), "--alpha: expected a share between 0 and 1"),
        (
            ("old.json", "new.json", "--known", "known.toml"),
            "--known needs a data file: both OLD and NEW are types",
        ),
        (("old.json", "new.json", "--json", "old.json"), "would overwrite OLD, which is read"),
    ],
)
def test_wrong_use(call, arguments, message) -> None:
    child = call("compare", *arguments)
    assert (child.returncode, child.stdout) == (2, "")
    assert message in child.stderr


def test_our_own_failure_is_not_drift(call, monkeypatch) -> None:
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(autotype.TypeReport, "compare", fail)
    assert call("compare", "old.json", "new.json").returncode == 3

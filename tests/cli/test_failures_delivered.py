"""Reports of an earlier day do not stand where today's file cannot be read."""

import json
import re
import sys

import pytest

from autotype.errors import UnreadableTypesError
from autotype.type_report import TypeReport

OLD = "of yesterday"


@pytest.fixture
def old(tmp_path):
    """Write each output of yesterday, and a file of today without a table."""
    for name in ("a.json", "a.html", "s.yaml", "k.toml"):
        (tmp_path / name).write_text(OLD)
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "folder.csv").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "code"),
    [("empty.csv", 1), ("absent.csv", 2), ("folder.csv", 2), ("absent[1].csv", 2)],
)
def test_infer(old, call, name, code) -> None:
    outputs = {"--json": "a.json", "--html": "a.html", "--schema": "s.yaml"}
    arguments = [part for option in outputs.items() for part in option]
    child = call("infer", name, *arguments, "--write-known", "k.toml")
    assert (child.returncode, child.stdout) == (code, "")
    error = json.loads((old / "a.json").read_text())["error"]
    assert error.startswith(f"{name}: ")
    assert error in child.stderr
    page = (old / "a.html").read_text()
    assert error in page
    assert "There is no report" in page
    # What was stated or decided holds until it is replaced.
    assert [(old / kept).read_text() for kept in ("s.yaml", "k.toml")] == [OLD, OLD]
    with pytest.raises(
        UnreadableTypesError, match=f"states that there is none: {re.escape(name)}: "
    ):
        TypeReport.from_json(old / "a.json")
    child = call("apply", "empty.csv", "--types", "a.json", "-o", "a.csv")
    assert (child.returncode, "states that there is none" in child.stderr) == (2, True)


@pytest.mark.parametrize("order", [("empty.csv", "good.csv"), ("good.csv", "empty.csv")])
def test_compare(old, call, order) -> None:
    (old / "good.csv").write_text("a,b\n" + "1,x\n2,y\n" * 9)
    child = call("compare", *order, "--json", "a.json", "--html", "a.html")
    assert (child.returncode, child.stdout) == (1, "")
    assert "empty.csv: " in json.loads((old / "a.json").read_text())["error"]
    assert "empty.csv: is empty" in (old / "a.html").read_text()


@pytest.mark.parametrize(
    ("name", "code", "why"), [("empty.csv", 1, "is empty"), ("folder.csv", 2, "is a folder")]
)
def test_report(old, call, name, code, why) -> None:
    assert call("report", name, "-o", "a.html").returncode == code
    assert f"{name}: {why}" in (old / "a.html").read_text()


@pytest.mark.parametrize("command", [("infer", "--json"), ("report", "-o")])
def test_a_failure_overwrites_no_file_that_is_named(old, call, command) -> None:
    name, option = command
    child = call(name, "empty.csv", "k.toml", option, "./k.toml")
    assert (child.returncode, (old / "k.toml").read_text()) == (2, OLD)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes")
@pytest.mark.parametrize("holds", [None, "a,b\n1,x\n"])
def test_names_of_files_that_are_no_text(old, call, holds) -> None:
    data, shown = "d\udcff\u202e.csv", "d\\udcff"
    (old / "good.csv").write_text("a,b\n" + "1,x\n2,y\n" * 9)
    call("infer", "good.csv", "--schema", "s.yaml")
    (old / "s.yaml").rename(old / "s\udcfe.yaml")
    if holds is not None:
        (old / data).write_text(holds)
    outputs = ("--json", "a.json", "--html", "a.html", "--failed-rows", "rows.csv")
    child = call("validate", data, "--schema", "s\udcfe.yaml", *outputs)
    assert child.returncode == (2 if holds is None else 0)
    assert f"{shown}\\u202e.csv: " in child.stdout + child.stderr
    assert json.loads((old / "a.json").read_text())["file"].startswith(shown)
    assert shown in (old / "a.html").read_text()


def test_a_folder(old, call) -> None:
    (old / "empty.csv").write_text("a,b\n" + "1,x\n2,y\n" * 9)
    assert call("infer", "empty.csv", "--folder", "out").returncode == 0
    (old / "empty.csv").write_text("")
    assert call("infer", "empty.csv", "--folder", "out").returncode == 1
    assert "is empty" in json.loads((old / "out" / "empty.json").read_text())["error"]
    assert "is empty" in (old / "out" / "empty.html").read_text()


def test_wrong_options_replace_nothing(old, call) -> None:
    child = call("infer", "empty.csv", "--json", "a.json", "--share-tolerance", "5%")
    assert child.returncode == 2
    assert (old / "a.json").read_text() == OLD


def test_an_output_that_cannot_be_made_keeps_no_other_from_being_written(old, call) -> None:
    (old / "twice.csv").write_text("a,a,b\n" + "1,x,u\n2,y,v\n" * 9)
    (old / "known.toml").write_text('"b" = "categorical"\n')
    child = call("infer", "twice.csv", "--json", "a.json", "--html", "absent/a.html")
    assert (child.returncode, (old / "a.json").read_text()) == (2, OLD)
    child = call("infer", "twice.csv", "--json", "a.json")
    assert child.returncode == 0
    assert json.loads((old / "a.json").read_text())["columns"]

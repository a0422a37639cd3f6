from __future__ import annotations

import sys

import pytest

from autotype.cli import main


def test_of_types_and_of_a_table(survey, call, tmp_path) -> None:
    assert call("infer", survey, "--json", "types.json", "--html", "one.html").returncode == 0
    child = call("report", "types.json", "-o", "two.html")
    assert (child.returncode, child.stdout, child.stderr) == (0, "two.html: 2 columns\n", "")
    assert call("report", "survey.csv", "-o", "three.html", "--quiet").stdout == ""
    pages = [(tmp_path / f"{name}.html").read_text() for name in ("one", "two", "three")]
    tables = (str(survey), "types.json", "survey.csv")
    pages = [page.replace(table, "T") for page, table in zip(pages, tables, strict=True)]
    assert pages[0] == pages[1] == pages[2]


def test_on_standard_output(survey, inferred, capsys) -> None:
    assert main(["report", str(survey), "--output", "-", "--columns", "size"]) == 0
    assert capsys.readouterr().out.startswith("<!doctype html>")
    assert inferred[0][1] == ["size"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["survey.csv"], "required: -o/--output"),
        (["none.json", "-o", "-"], "none.json: no such file or directory"),
        (["none.json", "-o", "-", "--columns", "a"], "need a data file, not types"),
        (["types.json", "-o", "-"], "types.json: "),
    ],
)
def test_wrong_use(survey, call, tmp_path, arguments, message) -> None:
    (tmp_path / "types.json").write_text('{"format_version": "many"}')
    child = call("report", *arguments)
    assert (child.returncode, child.stdout) == (2, "")
    assert message in child.stderr
    assert child.stderr.count("\n") == 1


@pytest.mark.parametrize(("command", "option"), [("report", "-o"), ("infer", "--html")])
def test_without_jinja(survey, inferred, capsys, monkeypatch, tmp_path, command, option) -> None:
    from autotype.report import html

    html.load_templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert main([command, str(survey), option, str(tmp_path / "r.html")]) == 2
    assert 'pip install "autotype-ordinal[report]"' in capsys.readouterr().err
    assert inferred == []  # an error before the work
    assert not (tmp_path / "r.html").exists()

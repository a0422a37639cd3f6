"""A user's scales on the command line: --scales, and the file that pyproject.toml names."""

from __future__ import annotations

import json

import pytest

TABLE = "q,x\n" + "grum,1.5\nblorn,2.5\nflizz,0.5\n" * 12
SCALES = '[scales.zorp]\nlevels = ["flizz", "grum", "blorn"]\n'
PROJECT = '[tool.autotype]\nscales = "vocabulary/scales.toml"\n'


@pytest.fixture
def table(tmp_path):
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "vocabulary" / "scales.toml").write_text(SCALES)
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path


def order(table):
    columns = json.loads((table / "types.json").read_text())["columns"]
    return columns[0]["order"]


def test_scales_are_an_option(table, call):
    file = table / "vocabulary" / "scales.toml"
    child = call("infer", "t.csv", "--scales", file, "--json", "types.json")
    assert (child.returncode, child.stderr) == (0, "")
    assert order(table) == ["flizz", "grum", "blorn"]


def test_the_project_names_them(table, call):
    (table / "pyproject.toml").write_text(PROJECT)
    assert call("infer", "t.csv", "--json", "types.json").returncode == 0
    assert order(table) == ["flizz", "grum", "blorn"]
    other = table / "other.toml"
    other.write_text(SCALES.replace('["flizz", "grum"', '["grum", "flizz"'))
    assert call("infer", "t.csv", "--scales", other, "--json", "types.json").returncode == 0
    assert order(table) == ["grum", "flizz", "blorn"]


def test_a_project_without_them_changes_nothing(table, call):
    (table / "pyproject.toml").write_text("[tool.other]\nscales = 3\n")
    assert call("infer", "t.csv", "--json", "types.json").returncode == 0
    assert order(table) is None


def test_a_job_is_done_again_when_they_change(table, call):
    file = table / "vocabulary" / "scales.toml"
    arguments = ("infer", "t.csv", "--folder", "out", "--scales", file)
    assert call(*arguments).returncode == 0
    assert "unchanged" in call(*arguments).stdout
    file.write_text(SCALES.replace("zorp", "zarp"))
    assert "unchanged" not in call(*arguments).stdout


@pytest.mark.parametrize(
    ("project", "scales", "message"),
    [
        ("", "[scale.a]\n", "--scales s.toml: has the key 'scale'"),
        ("", None, "--scales s.toml: no such file"),
        ("[tool.autotype]\nscales = 3\n", "", "scales is 3, expected the path of a file"),
        ("[tool", "", "error: [tool.autotype] of pyproject.toml: is not TOML: Expected"),
        (PROJECT.replace("scales.toml", "none.toml"), "", "[tool.autotype] scales"),
    ],
)
def test_wrong_use(table, call, project, scales, message):
    (table / "pyproject.toml").write_text(project)
    if scales:
        (table / "s.toml").write_text(scales)
    child = call("infer", "t.csv", *(() if scales == "" else ("--scales", "s.toml")))
    assert child.returncode == 2
    assert message in child.stderr

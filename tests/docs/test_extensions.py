"""What the site generates: the command line, the JSON Schema, the contents, the gallery."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason='the site needs pip install ".[docs]"')

ROOT = Path(__file__).resolve().parents[2]


def load(name: str):
    path = ROOT / "docs" / "extensions" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"docs_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_commands_and_their_options() -> None:
    command_line = load("command_line")
    commands = command_line.commands(command_line.make_parser())
    assert list(commands) == ["infer", "validate", "compare", "apply", "report", "review", "doctor"]
    groups = dict(command_line.options(commands["infer"]))
    assert dict(groups["inference"])["--max-levels N"].endswith("(default: 20)")
    assert "%" not in "".join(m for g in groups.values() for _, m in g).replace("5%", "")


def test_objects_of_the_json_schema() -> None:
    schema = load("json_schema")
    path = ROOT / "autotype" / "types" / "codec" / "type_report.schema.json"
    objects = dict(schema.objects(json.loads(path.read_text(encoding="utf-8")), "report"))
    assert {"report", "column", "column.levels[]", "column.evidence"} <= set(objects)
    fields = {name: kind for name, kind, _ in schema.fields(objects["report"])}
    assert fields["columns"] == "array of column"
    assert fields["warnings"] == "array of warning (optional)"


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        ({"$ref": "#/$defs/count"}, "count"),
        ({"const": 1}, "1"),
        ({"enum": ["a", None]}, '"a", null'),
        ({"type": ["number", "null"]}, "number or null"),
        ({}, "any"),
    ],
)
def test_kinds_of_fields(field, kind) -> None:
    assert load("json_schema").kind(field) == kind


def test_every_page_has_one_place_in_the_contents() -> None:
    navigation = load("navigation")
    sections = navigation.sections(ROOT)
    placed = [page for pages in sections.values() for page in pages]
    nested = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs" / "reference").glob("*.md")}
    pages = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md")}
    assert len(placed) == len(set(placed))
    assert pages - nested - {"docs/index.md"} <= set(placed)
    assert set(navigation.TITLES) <= set(placed)


def test_a_new_page_is_found(tmp_path) -> None:
    (tmp_path / "docs" / "papers").mkdir(parents=True)
    for name in ["docs/index.md", "docs/papers/one.md", "docs/stray.md", "README.md"]:
        (tmp_path / name).touch()
    found = load("navigation").sections(tmp_path)
    assert found == {
        "Start": ["README.md"],
        "Papers": ["docs/papers/one.md"],
        "Project": ["docs/stray.md"],
    }


def test_what_a_page_loads_from_elsewhere_is_seen() -> None:
    loaded = load("offline").loaded
    assert loaded('<script async src="https://a.org/x.js">') == ["https://a.org/x.js"]
    assert loaded("<link rel='stylesheet' href='//a.org/x.css'>") == ["//a.org/x.css"]
    assert loaded('<a href="https://a.org"><img src="local.png"><script src="x.js">') == []


def test_links_to_folders_become_their_text(tmp_path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "page.md").touch()
    page = "[`data`](data) and [page](page.md)\n\n```python\nx[data](data)\n```\n[data](data/)\n"
    found = load("folder_links").without_folders(page, tmp_path)
    assert found == page.replace("[`data`](data) and", "`data` and").replace(
        "[data](data/)", "data"
    )


def test_an_example_that_fails_or_warns_is_an_error(tmp_path) -> None:
    gallery = load("gallery")
    (tmp_path / "good.py").write_text("open('a.png', 'wb').write(b'PNG')\nprint('done')\n")
    assert gallery.run_script(tmp_path / "good.py") == ("done\n", {"a.png": b"PNG"})
    (tmp_path / "bad.py").write_text("import warnings\nwarnings.warn('careful')\n")
    with pytest.raises(RuntimeError, match=r"bad\.py exits with 1: [\s\S]*careful"):
        gallery.run_script(tmp_path / "bad.py")
    assert not (tmp_path / "a.png").exists()


def test_the_gallery_shows_every_example_that_draws() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    drawing = [p.name for p in (ROOT / "examples").glob("*.py") if "savefig" in p.read_text()]
    assert [n for n in drawing if f"```{{example}} ../examples/{n}\n" not in page] == []

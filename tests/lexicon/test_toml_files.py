"""The files of the vocabulary."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from autotype.lexicon import toml_files
from autotype.lexicon.languages import Language, build_index, language
from autotype.lexicon.toml_files import read_built, read_toml, toml_stems


def test_files_are_read_once():
    assert read_toml("languages/en") is read_toml("languages/en")
    assert read_toml("spelling")["spelling"]["grey"] == "gray"


def test_stems_of_files_are_sorted():
    stems = toml_stems("languages")
    assert stems == tuple(sorted(stems))
    assert {"de", "en", "ja"} <= set(stems)


class NamedResource(type(Path())):
    """A folder that finds only what has a name, as the resources of an editable install do."""

    def joinpath(self, *names: str) -> Path:
        return super().joinpath(*(name or "no such name" for name in names))


NOT_BUILT = ("template", "shared_scales")  # the latter is part of the languages


@pytest.fixture
def unread():
    """The functions as if nothing had been read, during a test and after it."""
    functions = (read_toml, toml_stems, toml_files._built_tables)
    for function in functions:
        function.cache_clear()
    yield
    for function in functions:
        function.cache_clear()


def test_the_folder_of_an_editable_install(monkeypatch, unread) -> None:
    package = NamedResource(toml_files.__file__).parent
    monkeypatch.setattr(toml_files.resources, "files", lambda _: package)
    assert "de" in toml_stems("languages")


@pytest.fixture
def source(repository) -> Path:
    """The TOML files, which an installed package does not hold."""
    return repository / "autotype" / "lexicon" / "words"


@pytest.fixture
def built(tmp_path, repository, source) -> Path:
    """A folder with the vocabulary as the build writes it."""
    folder = tmp_path / "words"
    folder.mkdir()
    script = repository / "build_backend" / "vocabulary_tables.py"
    made = [folder / "vocabulary.json", tmp_path / "vocabulary.d"]
    # Isolated and without site packages: a build has the standard library only.
    subprocess.run([sys.executable, "-IBS", script, source.parents[1], *made], check=True)
    return folder


def test_the_build_parses_the_toml_files(built, source, monkeypatch, unread) -> None:
    monkeypatch.setattr(toml_files.resources, "files", lambda _: built.parent)
    files = [file for file in source.rglob("*.toml") if file.stem not in NOT_BUILT]
    shared = tomllib.loads((source / "shared_scales.toml").read_text(encoding="utf-8"))
    assert len(files) > 40
    for file in files:
        stem = file.relative_to(source).with_suffix("").as_posix()
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        of_build = read_toml(stem)
        kinds = (("scale", False), ("names", True)) if file.parent != source else ()
        for kind, are_names in kinds:
            n_own = len(table.get(kind, ()))
            names = [entry["name"] for entry in of_build.get(kind, ())[n_own:]]
            topics = [
                name
                for name, topic in shared.items()
                if file.stem in topic and topic.get("names", False) is are_names
            ]
            assert [name.replace(" ", "_") for name in names] == topics
            if names:
                of_build = {**of_build, kind: of_build[kind][:n_own]}
        # As strings, in which 1 is not 1.0 and the order of the keys counts.
        assert repr(of_build) == repr(table), stem
    languages = sorted(file.stem for file in source.glob("languages/*.toml"))
    assert toml_stems("languages") == tuple(languages)


def test_the_build_holds_the_index_of_languages(built) -> None:
    stems, *tables = (built / "vocabulary.json").read_text(encoding="utf-8").split("\n")
    for stem in ("index", "index of names"):
        assert json.loads(tables[json.loads(stems).index(stem)]) == build_index(stem)


def test_the_build_holds_the_scales_of_english(built, monkeypatch, unread) -> None:
    scales = language("en").scales
    monkeypatch.setattr(toml_files.resources, "files", lambda _: built.parent)
    for function in (read_toml, toml_files._built_tables):
        function.cache_clear()
    assert Language("en", {"scale": []}).scales == scales


def test_a_changed_or_new_file_is_parsed_again(built, source) -> None:
    target, _, sources = (built.parent / "vocabulary.d").read_text(encoding="utf-8").partition(": ")
    assert target == (built / "vocabulary.json").as_posix()
    expected = {*source.rglob("*.toml"), source, source / "languages"} - {source / "template.toml"}
    modules = ("languages", "presence", "repeated_texts", "tokens", "toml_files", "vocabulary")
    expected |= {source.parent / f"{module}.py" for module in (*modules, "__init__")}
    assert {Path(name) for name in sources.split()} == expected


def test_the_source_needs_no_build(tmp_path, monkeypatch, unread) -> None:
    folder = tmp_path / "words"
    (folder / "languages").mkdir(parents=True)
    (folder / "languages" / "xx.toml").write_text('name = "X"\n', encoding="utf-8")
    monkeypatch.setattr(toml_files.resources, "files", lambda _: tmp_path)
    assert read_toml("languages/xx") == {"name": "X"}
    assert toml_stems("languages") == ("xx",)
    assert read_built("index") is None


@pytest.mark.parametrize("name", ["words", "languages"])
def test_lines_of_the_files_fit_a_screen(source, name) -> None:
    folder = source if name == "words" else source / name
    long = [
        f"{file.name}:{number} has {len(line)} characters"
        for file in sorted(folder.glob("*.toml"))
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > 100
    ]
    assert long == []

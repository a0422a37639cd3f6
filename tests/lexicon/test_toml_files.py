"""The files of the vocabulary."""

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from autotype.lexicon import languages, toml_files
from autotype.lexicon.languages import LISTED, STORED_OF_LANGUAGE, Language
from autotype.lexicon.toml_files import STORED, Lines, read_built, read_lines, read_toml, toml_stems


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


def forget() -> None:
    """Forget what has been read."""
    for function in (read_toml, toml_stems, toml_files._built_places, languages.language):
        function.cache_clear()


@pytest.fixture
def unread():
    """The functions as if nothing had been read, during a test and after it."""
    forget()
    yield
    forget()


@pytest.fixture
def folder(monkeypatch, unread):
    """A function that sets the folder of the vocabulary."""

    def set_folder(folder: Path) -> None:
        monkeypatch.setattr(toml_files.resources, "files", lambda _: folder.parent)
        forget()

    return set_folder


def test_the_folder_of_an_editable_install(monkeypatch, unread) -> None:
    package = NamedResource(toml_files.__file__).parent
    monkeypatch.setattr(toml_files.resources, "files", lambda _: package)
    assert "de" in toml_stems("languages")


@pytest.fixture(scope="module")
def source(repository) -> Path:
    """The TOML files, which an installed package does not hold."""
    return repository / "autotype" / "lexicon" / "words"


@pytest.fixture(scope="module")
def built(tmp_path_factory, repository, source) -> Path:
    """A folder with the vocabulary as the build writes it."""
    folder = tmp_path_factory.mktemp("package") / "words"
    folder.mkdir()
    script = repository / "build_backend" / "vocabulary_tables.py"
    made = [folder / "vocabulary.txt", folder.parent / "vocabulary.d"]
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
        if file.parent != source:
            of_build |= read_toml(f"lists/{file.stem}")
            table = {key: table[key] for key in sorted(table, key=LISTED.__contains__)}
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


@pytest.mark.parametrize("code", ["en", "de", "ja", "tl"])
def test_the_build_holds_what_is_computed_of_a_language(code, built, source, folder) -> None:
    folder(source)
    tables = languages.build_language(code)
    computed = Language(code, tables)
    computed.load()
    for name in STORED_OF_LANGUAGE:
        getattr(computed, name)
    folder(built)
    stored = Language(code)
    assert {**stored.table, **stored.lists} == tables
    assert not set(LISTED).intersection(stored.table)
    for name in STORED_OF_LANGUAGE:
        own, expected = getattr(stored, name), getattr(computed, name)
        if name in ("scales", "name_lists"):
            own, expected = tuple(own), tuple(expected)
        assert own == expected, name
    phrases = ["Very good", "sehr gut", "don't know", "とても良い", "hindi alam"]
    assert list(map(stored.split, phrases)) == list(map(computed.split, phrases))


@pytest.mark.parametrize("stem", STORED)
def test_the_build_holds_the_tables_that_are_computed(stem, built, source, folder) -> None:
    folder(source)
    expected = inspect.unwrap(STORED[stem])()
    folder(built)
    assert dict(Lines(read_lines(stem))) == expected


def test_lines_are_a_mapping() -> None:
    lines = Lines(["\t0", "a\t[1,2]", "a b\t3", "ab\tnull"])
    assert list(lines) == ["", "a", "a b", "ab"]
    assert [lines[key] for key in lines] == [0, [1, 2], 3, None]
    assert lines.get("b", 5) == lines.get("zz", 5) == 5
    assert "a" in lines
    assert "a\t" not in lines
    assert "" not in Lines([])
    assert lines.keys() >= {"a b", "ab"}
    with pytest.raises(KeyError, match="b"):
        lines["b"]


def test_a_changed_or_new_file_is_parsed_again(built, source) -> None:
    target, _, sources = (built.parent / "vocabulary.d").read_text(encoding="utf-8").partition(": ")
    assert target == (built / "vocabulary.txt").as_posix()
    expected = {*source.rglob("*.toml"), source, source / "languages"} - {source / "template.toml"}
    modules = ("languages", "presence", "repeated_texts", "tokens", "toml_files", "vocabulary")
    expected |= {source.parent / f"{module}.py" for module in (*modules, "__init__")}
    labels = source.parents[1] / "inference" / "labels"
    expected |= {labels / f"{module}.py" for module in ("column_name", "topics", "__init__")}
    expected.add(labels.parent / "__init__.py")
    assert {Path(name) for name in sources.split()} == expected


def test_the_source_needs_no_build(tmp_path, monkeypatch, unread) -> None:
    folder = tmp_path / "words"
    (folder / "languages").mkdir(parents=True)
    (folder / "languages" / "xx.toml").write_text('name = "X"\n', encoding="utf-8")
    monkeypatch.setattr(toml_files.resources, "files", lambda _: tmp_path)
    assert read_toml("languages/xx") == {"name": "X"}
    assert toml_stems("languages") == ("xx",)
    assert read_built("languages/xx") is None


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

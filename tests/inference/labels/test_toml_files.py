"""The files of the vocabulary."""

from pathlib import Path

from autotype.inference.labels import toml_files
from autotype.inference.labels.toml_files import read_toml, toml_stems


def test_files_are_read_once():
    assert read_toml("languages/en") is read_toml("languages/en")
    assert read_toml("spelling")["spelling"]["grey"] == "gray"


def test_stems_of_files_are_sorted():
    stems = toml_stems("scales_en")
    assert stems == tuple(sorted(stems))
    assert all(stem.startswith("scales_en") for stem in stems)
    assert {"de", "en", "ja"} <= set(toml_stems("", "languages"))


class NamedResource(type(Path())):
    """A folder that finds only what has a name, as the resources of an editable install do."""

    def joinpath(self, *names: str) -> Path:
        return super().joinpath(*(name or "no such name" for name in names))


def test_the_folder_of_an_editable_install(monkeypatch) -> None:
    package = NamedResource(toml_files.__file__).parent
    monkeypatch.setattr(toml_files.resources, "files", lambda _: package)
    assert "numbers" in toml_stems.__wrapped__("")

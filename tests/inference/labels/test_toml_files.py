"""The files of the vocabulary."""

from autotype.inference.labels.toml_files import read_toml, toml_stems


def test_files_are_read_once():
    assert read_toml("languages/en") is read_toml("languages/en")
    assert read_toml("spelling")["spelling"]["grey"] == "gray"


def test_stems_of_files_are_sorted():
    stems = toml_stems("scales_en")
    assert stems == tuple(sorted(stems))
    assert all(stem.startswith("scales_en") for stem in stems)
    assert {"de", "en", "ja"} <= set(toml_stems("", "languages"))

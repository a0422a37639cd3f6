"""A large labelled file is typed piece by piece, as it is when it is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.cli import main
from autotype.tables.labelled import large_files
from autotype.tables.table_file import open_file, read_file

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("pyarrow")

N = 400
RNG = np.random.default_rng(5)
OPINION = RNG.normal(size=N)
FRAME = pd.DataFrame(
    {
        "trust": np.clip(np.round(OPINION + 3), 1, 5),
        "late": [np.nan] * 300 + [1.0, 2.0] * 50,  # whole, and empty in the first blocks
        "share": [1.0] * 350 + [0.5] * 50,  # not whole, but in the first blocks
        "town": ["Köln", "", "Wien", "Bern"] * 100,
        "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(range(N), "D"),
    }
)
LABELS = {"trust": dict(enumerate(("none", "little", "some", "much", "full"), 1))}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "_CELLS_AT_ONCE", 500)


def collected(table: Any) -> pd.DataFrame:
    frame = table.frame
    return frame.df() if hasattr(frame, "df") else frame.collect().to_pandas()


@pytest.mark.parametrize("name", ["a.sav", "a.zsav", "a.dta"])
def test_small_and_large_are_one(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    write = pyreadstat.write_dta if name.endswith("dta") else pyreadstat.write_sav
    write(FRAME, path, column_labels={"trust": "Trust?"}, variable_value_labels=LABELS)
    small, large = read_file(path), open_file(path, large=0)
    assert not isinstance(large.frame, pd.DataFrame)
    n_bytes = 8 * FRAME.size
    sizes = (n_bytes, n_bytes + 1)
    is_small = [isinstance(open_file(path, large=n).frame, pd.DataFrame) for n in sizes]
    assert is_small == [False, True]
    assert (large.codebook, large.reading) == (small.codebook, small.reading)
    held = collected(large)
    for column in ("trust", "late", "share", "town"):
        one, other = small.frame[column], held[column]
        assert one.isna().tolist() == other.isna().tolist()
        assert one.dropna().tolist() == other.dropna().tolist()
    types = [autotype.infer_types(table) for table in (small, large)]
    for column in FRAME.columns:
        one, other = (each[column] for each in types)
        assert (one.semantic_type, one.order, one.labels, one.title, one.levels) == (
            other.semantic_type,
            other.order,
            other.labels,
            other.title,
            other.levels,
        )


def test_tags_of_any_block_make_strings(tmp_path: Path) -> None:
    path = str(tmp_path / "a.dta")
    frame = pd.DataFrame({"q": [1, 2, 3] * 200 + ["a"] * 30 + [None] * 20})
    labels = {"q": {1: "bad", 2: "so-so", 3: "good", "a": "refused"}}
    pyreadstat.write_dta(
        frame, path, missing_user_values={"q": ["a"]}, variable_value_labels=labels
    )
    large = open_file(path, large=0)
    assert set(collected(large)["q"].dropna()) == {"1", "2", "3", ".a"}
    column = autotype.infer_types(large)["q"]
    assert (column.order, column.off_scale) == (("1", "2", "3"), (".a",))
    assert column.labels[".a"] == "refused"


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "a.sav")
    pyreadstat.write_sav(FRAME, path, variable_value_labels=LABELS)
    assert main(["infer", path, "--quiet", "--json", str(tmp_path / "small.json")]) == 0
    options = ["--large", "1K", "--json", str(tmp_path / "large.json")]
    assert main(["infer", path, "--quiet", *options]) == 0
    small, large = (
        autotype.TypeReport.from_json(tmp_path / f"{name}.json") for name in ("small", "large")
    )
    assert small["trust"].order == large["trust"].order == (1, 2, 3, 4, 5)


def test_strings_in_another_encoding_are_loaded(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(FRAME, str(path))
    path.write_bytes(path.read_bytes().replace("Köln".encode(), b"K\xf6ln "))
    assert isinstance(open_file(str(path), large=0).frame, pd.DataFrame)


def test_durations_are_read_whole(tmp_path: Path) -> None:
    frame = pd.DataFrame({"late": [60.0, 90_000.0] * 20, "n": range(40)})
    path = str(tmp_path / "a.sav")
    pyreadstat.write_sav(frame, path, variable_format={"late": "DTIME12"})
    table = open_file(path, large=0)
    assert table.frame["late"].tolist()[:2] == [pd.Timedelta(60, "s"), pd.Timedelta(90_000, "s")]

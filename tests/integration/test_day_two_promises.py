"""The second day: many tables, many columns and many corrections, without a loop and only once."""

from __future__ import annotations

import shlex
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.cli import main

WATER = ("frozen", "icy", "cold", "mild", "warm")


def lakes(seed: int, *columns: str) -> pd.DataFrame:
    """Measurements on one day, with a scale in each of some columns."""
    random = np.random.default_rng(seed)
    depth = random.uniform(0, 30, 120).round(1)
    rank = np.clip((5 - depth / 6 + random.normal(0, 0.4, 120)).astype(int), 0, 4)
    scales = {name: np.take(WATER, rank) for name in columns}
    return pd.DataFrame({"site": [f"L{seed}{k:03}" for k in range(120)], "depth": depth} | scales)


@pytest.fixture
def days(tmp_path: Path, monkeypatch) -> Path:
    """Two days of tables in subfolders, in two formats."""
    for day in (1, 2):
        for part, name in (("", "north.csv"), ("", "south.parquet"), ("alps/high", "east.csv")):
            folder = tmp_path / f"day{day}" / part
            folder.mkdir(parents=True, exist_ok=True)
            frame = lakes(day, "surface", "bottom")
            if name.endswith(".csv"):
                frame.to_csv(folder / name, index=False)
            else:
                pytest.importorskip("pyarrow")
                frame.to_parquet(folder / name, index=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(command: str) -> int:
    return main(shlex.split(command))


def test_a_data_engineer_checks_all_tables_in_one_command_a_day(days, capsys) -> None:
    assert run("infer 'day1/**' --folder types --schema schemas --quiet") == 0
    assert {path.stem for path in Path("schemas").iterdir()} == {"north", "south", "east"}
    capsys.readouterr()
    assert run("validate 'day2/**' --schema schemas --junit checks.xml") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "3 tables: all fit"
    suites = ElementTree.parse("checks.xml").getroot()
    of_tables = {suite[0].get("classname") for suite in suites}
    assert of_tables == {"day2/north.csv", "day2/south.parquet", "day2/alps/high/east.csv"}
    table = Path("day2/alps/high/east.csv")
    table.write_text(table.read_text().replace("icy", "slush"))
    assert run("validate 'day2/**' --schema schemas") == 1
    assert capsys.readouterr().out.splitlines()[-1] == "3 tables: 1 failed"
    assert run("compare types 'day2/**'") == 1
    assert "Level 'slush' is new" in capsys.readouterr().out


def test_a_scale_is_corrected_once_for_its_columns_and_for_other_tables(days) -> None:
    names = [f"reading_{k:02}" for k in range(30)]
    words = dict(zip(WATER, ("vim", "tosk", "rael", "quem", "sild"), strict=True))
    first = lakes(1, *names).replace(words)
    types = autotype.infer_types(first, label_text=False)
    (scale,) = types.scales
    corrected = types.revise({scale: list(words.values())})
    assert {corrected[name].order for name in names} == {tuple(words.values())}
    corrected.to_scales("scales.toml")
    lakes(2, "another_name").replace(words).to_csv("later.csv", index=False)
    assert run("infer later.csv --scales scales.toml --json later.json --quiet") == 0
    later = autotype.TypeReport.from_json("later.json")
    assert (later["another_name"].order, later["another_name"].provenance) == (
        tuple(words.values()),
        "scales",
    )


def test_an_analyst_has_levels_in_their_order_on_any_plot() -> None:
    frame = lakes(1, "surface").assign(bottom="?")
    frame.loc[::2, "bottom"] = frame["surface"]
    known = {"surface": list(WATER), "bottom": {"order": list(WATER), "off_scale": ["?"]}}
    orders = autotype.infer_types(frame, known=known).category_orders()
    assert orders == {"surface": [*WATER], "bottom": [*WATER, "?"]}


def test_two_hundred_columns_are_a_page_of_text() -> None:
    names = [f"q{k:03}_water" for k in range(200)]
    counts = dict.fromkeys(WATER, 9)
    columns = [autotype.ColumnType(n, "ordinal", 0.99, levels=counts, order=WATER) for n in names]
    lines = str(autotype.TypeReport(columns, n_rows=45)).splitlines()
    assert len(lines) < 10
    assert lines[2].startswith("q000_water …")
    assert "(200)" in lines[2]

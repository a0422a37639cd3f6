"""A report says which rows it saw, wherever it is shown or written."""

from __future__ import annotations

import json
import pickle
from importlib import resources

import jsonschema
import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import UnreadableTypesError
from autotype.report.html import as_page
from autotype.report.notebook import as_html
from autotype.report.text import as_text

FRAME = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 300})
SAMPLED = TypeReport(
    [ColumnType("size", "text")], n_rows=1200, sample="1,000 of 1,200 rows <were> drawn."
)
WHOLE = TypeReport([ColumnType("size", "text")], n_rows=1200)


def test_rows_that_were_sampled_are_named() -> None:
    report = autotype.infer_types(FRAME)
    assert report.sample == (
        "1,000 of 1,200 rows were drawn by a hash of their content (seed 0), and more of the "
        "levels rare among them."
    )
    assert autotype.infer_types(FRAME, max_rows=1200).sample == ""


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_more_rows_of_a_large_frame_are_sampled(monkeypatch, library: str) -> None:
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    frame = pd.concat([FRAME] * 250, ignore_index=True)
    if library == "polars":
        frame = pytest.importorskip("polars").from_pandas(frame).lazy()
    assert autotype.infer_types(frame).sample.startswith("2,400 of 300,000 rows")
    assert autotype.infer_types(frame, max_rows=500).sample.startswith("500 of 300,000 rows")


def test_rows_drawn_by_an_engine_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pl = pytest.importorskip("polars")
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    report = autotype.infer_types(pl.from_pandas(FRAME).lazy(), random_state=3)
    assert report.sample.startswith("1,000 of 1,200 rows were drawn by polars by their number (see")
    assert report.sample.endswith("Numbers of distinct values above 200 are estimates.")


def test_every_display_shows_the_sample() -> None:
    *_, summary, sample = as_text(SAMPLED).splitlines()
    assert summary == "1 column, 1,200 rows: 1 text"
    assert sample == SAMPLED.sample
    assert "1,000 of 1,200 rows &lt;were&gt; drawn." in as_html(SAMPLED)
    assert "1,000 of 1,200 rows &lt;were&gt; drawn." in as_page(SAMPLED)
    for shown in (as_text(WHOLE), as_html(WHOLE), as_page(WHOLE)):
        assert "drawn" not in shown


def test_a_long_sample_is_folded() -> None:
    report = TypeReport([ColumnType("size", "text")], n_rows=9, sample="many words " * 30)
    assert max(map(len, as_text(report, width=60).splitlines())) <= 60


def test_files_and_pickles_keep_the_sample() -> None:
    schema = json.loads(
        resources.files("autotype")
        .joinpath("types", "codec", "type_report.schema.json")
        .read_text("utf-8")
    )
    jsonschema.validate(SAMPLED.to_dict(), schema)
    assert SAMPLED.to_dict()["sample"] == SAMPLED.sample
    assert "sample" not in WHOLE.to_dict()
    for report in (SAMPLED, WHOLE):
        assert TypeReport.from_json(report.to_json()).sample == report.sample
        assert pickle.loads(pickle.dumps(report)) == report
    assert SAMPLED != WHOLE
    damaged = SAMPLED.to_dict() | {"sample": 3}
    with pytest.raises(UnreadableTypesError, match="sample: 3 is not a string"):
        TypeReport.from_json(json.dumps(damaged))

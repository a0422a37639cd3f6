"""Files of R: data frames with factors, dates, and the labels of haven and foreign."""

from __future__ import annotations

import datetime
import io
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autotype.errors import UnreadableTableError
from autotype.tables.content import Content
from autotype.tables.labelled.r_files import read_r_file as read_opened
from autotype.tables.table import Limits, ReadOptions
from autotype.types.codebook import CodebookEntry

rdata = pytest.importorskip("rdata")

LIMITS = Limits("survey", 10**6)


def read_r_file(source: str | bytes, limits: Limits, **options: Any) -> Any:
    """Read the file of a path, or content."""
    content = source if isinstance(source, bytes) else Path(source).read_bytes()
    table = read_opened(Content("r", lambda: io.BytesIO(content)), limits, ReadOptions(**options))
    return table.frame, table.codebook, table.reading


@dataclass
class Vector:
    """A vector of R with attributes, as rdata writes none."""

    values: Any
    attributes: dict[str, Any] = field(default_factory=dict)


def construct(vector: Vector, converter: Any) -> Any:
    written = converter.convert_to_r_object(vector.values)
    if not vector.attributes:
        return written
    written.attributes = converter.convert_to_r_attributes(vector.attributes)
    written.info.attributes = True
    written.info.object = "class" in vector.attributes
    return written


def named(values: list[Any], names: list[str]) -> Vector:
    return Vector(np.array(values), {"names": np.array(names)})


def data_frame(**columns: Any) -> Vector:
    n_rows = len(next(iter(columns.values())).values)
    attributes = {
        "names": np.array(list(columns)),
        "class": np.array(["tbl_df", "data.frame"]),
        "row.names": np.arange(1, n_rows + 1),
    }
    return Vector(list(columns.values()), attributes)


def write(path: Path, data: Any) -> str:
    writer = rdata.write_rda if isinstance(data, dict) else rdata.write_rds
    writer(str(path), data, constructor_dict={Vector: construct})
    return str(path)


def tagged(letter: str) -> float:
    return struct.unpack("<d", struct.pack("<II", 1954, 0x7FF00000 | ord(letter)))[0]


FRAME = data_frame(
    mood=Vector(
        np.array([1.0, 2.0, np.nan, tagged("a")]),
        {
            "label": np.array(["How do you feel?"]),
            "labels": named([1.0, 2.0, tagged("a"), 9.0], ["bad", "good", "refused", "none"]),
            "na_values": np.array([9.0]),
            "na_range": np.array([-np.inf, -1.0]),
            "class": np.array(["haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"]),
        },
    ),
    size=Vector(
        np.array([2, 1, 3, 1], dtype=np.int32),
        {"levels": np.array(["S", "M", "L"]), "class": np.array(["ordered", "factor"])},
    ),
    colour=Vector(
        np.array([2, 1, -(2**31), 1], dtype=np.int32),
        {"levels": np.array(["red", "blue"]), "class": np.array(["factor"])},
    ),
    day=Vector(np.array([0.0, 1.0, np.nan, 19000.0]), {"class": np.array(["Date"])}),
    time=Vector(
        np.array([0.0, 90.0, 1.0, 2.0]),
        {"units": np.array(["mins"]), "class": np.array(["difftime"])},
    ),
    n=Vector(np.array([1, 2, -(2**31), 4], dtype=np.int32)),
    town=Vector(np.array(["Köln", None, "", "Bern"], dtype=object)),
    weight=Vector(np.array([0.5, 1.0, np.nan, 2.0])),
)


def test_a_data_frame(tmp_path: Path) -> None:
    path = write(tmp_path / "a.rds", FRAME)
    frame, book, reading = read_r_file(path, LIMITS)
    assert frame["mood"].iloc[[0, 1, 3]].tolist() == [1, 2, ".a"]
    assert pd.isna(frame["mood"].iloc[2])
    assert book.columns["mood"] == CodebookEntry(
        "How do you feel?",
        values={1.0: "bad", 2.0: "good", ".a": "refused", 9.0: "none"},
        missing=(9.0, ".a"),
        missing_ranges=((-np.inf, -1.0),),
    )
    assert frame["size"].tolist() == ["M", "S", "L", "S"]
    assert frame["size"].cat.categories.tolist() == ["S", "M", "L"]
    assert frame["size"].cat.ordered
    assert not frame["colour"].cat.ordered
    assert frame["colour"].isna().tolist() == [False, False, True, False]
    assert frame["day"].dropna().dt.date.tolist() == [
        datetime.date(1970, 1, 1),
        datetime.date(1970, 1, 2),
        datetime.date(2022, 1, 8),
    ]
    assert frame["time"].iloc[1] == datetime.timedelta(minutes=90)
    assert frame["n"].tolist() == [1, 2, pd.NA, 4]
    assert frame["town"].iloc[[0, 2, 3]].tolist() == ["Köln", "", "Bern"]
    assert frame["weight"].dtype == np.float64
    assert (reading.format, reading.sheets, reading.doubts) == ("r", (), ())


def test_a_difference_of_times_without_units_is_in_seconds(tmp_path: Path) -> None:
    data = data_frame(t=Vector(np.array([90.0]), {"class": np.array(["difftime"])}))
    frame, _, _ = read_r_file(write(tmp_path / "a.rds", data), LIMITS)
    assert frame["t"].tolist() == [datetime.timedelta(seconds=90)]


@pytest.mark.parametrize(
    ("units", "seconds"),
    [("secs", 90), ("mins", 5400), ("hours", 324_000), ("days", 7_776_000), ("weeks", 54_432_000)],
)
def test_a_difference_of_times_in_units(tmp_path: Path, units: str, seconds: int) -> None:
    attributes = {"units": np.array([units]), "class": np.array(["difftime"])}
    data = data_frame(t=Vector(np.array([90.0]), attributes))
    frame, _, _ = read_r_file(write(tmp_path / "a.rds", data), LIMITS)
    assert frame["t"].tolist() == [datetime.timedelta(seconds=seconds)]


def test_several_data_frames(tmp_path: Path) -> None:
    small = data_frame(a=Vector(np.array([1.0, 2.0])))
    path = write(tmp_path / "a.rda", {"small": small, "note": Vector(np.array([1])), "all": FRAME})
    frame, _, reading = read_r_file(path, LIMITS)
    assert len(frame.columns) == 8
    assert (reading.sheet, reading.sheets) == ("all", ("small", "all"))
    assert reading.doubts == ("of 2 data frames 'all' was read; sheet= (--sheet) reads 'small'",)
    frame, _, reading = read_r_file(path, LIMITS, sheet="small", n_rows=1)
    assert frame["a"].tolist() == [1]
    assert reading.doubts == ()


def test_the_titles_of_foreign(tmp_path: Path) -> None:
    labelled = Vector(np.array([1.0, 2.0]), {"value.labels": named(["1", "2"], ["bad", "good"])})
    frame = data_frame(mood=labelled)
    frame.attributes["variable.labels"] = np.array(["How do you feel?"])
    _, book, _ = read_r_file(write(tmp_path / "a.rds", frame), LIMITS)
    entry = book.columns["mood"]
    assert entry.label == "How do you feel?"
    assert entry.texts([1.0, 2.0]) == {1.0: "bad", 2.0: "good"}


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"", b"RDX3\nX\n\x00"])
def test_other_content_is_an_error(content: bytes) -> None:
    with pytest.raises(UnreadableTableError, match="survey: not a readable file of R"):
        read_r_file(content, LIMITS)


def test_a_file_without_a_data_frame_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.rds", Vector(np.array([1.0])))
    with pytest.raises(UnreadableTableError, match="holds no data frame"):
        read_r_file(path, LIMITS)


def test_limits(tmp_path: Path) -> None:
    with pytest.raises(UnreadableTableError, match="beyond the limit"):
        read_r_file(write(tmp_path / "a.rds", FRAME), Limits("a", 10**6, max_columns=2))


def test_columns_that_hold_columns(tmp_path: Path) -> None:
    named = {"dim": np.array([2, 2]), "dimnames": [None, np.array(["low", "high"])]}
    inner = data_frame(town=Vector(np.array(["Wien", "Bern"])))
    data = data_frame(
        id=Vector(np.array([1, 2])),
        scaled=Vector(np.array([[0.5], [1.5]])),
        pair=Vector(np.array([[1, 3], [2, 4]])),
        ends=Vector(np.array([[1.5, 3.0], [2.0, 4.0]]), named),
        home=inner,
    )
    frame, _, _ = read_r_file(write(tmp_path / "a.rds", data), LIMITS)
    assert frame.to_dict("list") == {
        "id": [1, 2],
        "scaled": [0.5, 1.5],
        "pair.1": [1, 2],
        "pair.2": [3, 4],
        "ends.low": [1.5, 2.0],
        "ends.high": [3, 4],
        "home.town": ["Wien", "Bern"],
    }


def test_moments_in_parts_and_integers_of_64_bits(tmp_path: Path) -> None:
    parts = {
        "sec": [1.5, 0.0], "min": [2, 0], "hour": [3, 0], "mday": [4, 1], "mon": [0, 11],
        "year": [120, 99],
    }  # fmt: skip
    moments = Vector(
        [Vector(np.array(v)) for v in parts.values()],
        {"names": np.array(list(parts)), "class": np.array(["POSIXlt", "POSIXt"])},
    )
    large = np.array([2**60 + 1, np.iinfo(np.int64).min]).view(float)
    data = data_frame(
        n=Vector(large, {"class": np.array(["integer64"])}),
        cells=Vector([np.array([1]), np.array([2])]),
        at=moments,
    )
    frame, _, _ = read_r_file(write(tmp_path / "a.rds", data), LIMITS)
    assert frame["at"].tolist() == [
        pd.Timestamp("2020-01-04 03:02:01.5"),
        pd.Timestamp("1999-12-01"),
    ]
    assert frame["n"].tolist() == [2**60 + 1, pd.NA]
    assert frame["cells"].tolist() == [1, 2]


def test_lists_of_data_frames_and_of_vectors(tmp_path: Path) -> None:
    first = data_frame(a=Vector(np.array([1, 2])))
    second = data_frame(a=Vector(np.array([1, 2, 3])))
    both = Vector([first, second], {"names": np.array(["one", "two"])})
    frame, _, reading = read_r_file(write(tmp_path / "a.rda", {"waves": both}), LIMITS)
    assert (len(frame), reading.sheets) == (3, ("waves$one", "waves$two"))
    columns = Vector(
        [Vector(np.array([1, 2])), Vector(np.array(["x", "y"]))],
        {"names": np.array(["q", "r"]), "variable.labels": np.array(["Mood?", "Town?"])},
    )
    frame, book, _ = read_r_file(write(tmp_path / "b.rds", columns), LIMITS)
    assert frame.to_dict("list") == {"q": [1, 2], "r": ["x", "y"]}
    assert book.columns["r"].label == "Town?"
    uneven = Vector(
        [Vector(np.array([1, 2])), Vector(np.array([1]))], {"names": np.array(["q", "r"])}
    )
    with pytest.raises(UnreadableTableError, match="holds no data frame"):
        read_r_file(write(tmp_path / "c.rds", uneven), LIMITS)


def test_labels_of_what_is_missing_without_a_tag_are_dropped(tmp_path: Path) -> None:
    labels = named([1.0, np.nan], ["low", "lost"])
    data = data_frame(q=Vector(np.array([1.0, 2.0]), {"labels": labels}))
    _, book, _ = read_r_file(write(tmp_path / "a.rds", data), LIMITS)
    assert book.columns["q"].values == {1: "low"}

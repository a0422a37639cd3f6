from __future__ import annotations

import json
import math

import answers
import baselines
import labelled_frames
import numpy as np
import own
import pandas as pd
import pytest
import run
from answers import Answer
from labelled_frames import LabelledFrame

SIMPLE = ["pandas-dtypes", "alphabetical", "canonical-axis"]


@pytest.fixture
def filled(own_labels):
    labelled_frames.fill(own_labels)
    return own_labels


def frame_of(data: pd.DataFrame, *names: str) -> LabelledFrame:
    labels = pd.DataFrame({"column": names or list(data.columns)})
    return LabelledFrame("f", data, labels)


def test_a_run_prints_measures_groups_and_cost(filled, capsys) -> None:
    assert run.main(["--labels", str(filled), "--tools", *SIMPLE, "autotype"]) == 0
    printed = capsys.readouterr().out
    assert "2 columns of 1 frames in 1 families" in printed
    for part in ("95% intervals", "not arguable: 2 columns", "once: 2 columns", "CPU seconds"):
        assert part in printed
    assert "`autotype-held-out` is" in printed
    assert "(in-sample)" not in printed


def test_a_tool_that_was_fitted_to_the_columns_is_marked(filled, capsys) -> None:
    filled.write_text(filled.read_text().replace(",no\n", ",yes\n"))
    run.main(["--labels", str(filled), "--tools", "autotype", "pandas-dtypes"])
    printed = capsys.readouterr().out
    assert printed.count("autotype (in-sample)") == 6
    assert "pandas-dtypes (in-sample)" not in printed
    assert "not fitted to" not in printed


def test_why_a_tool_failed_is_printed(filled, capsys, monkeypatch) -> None:
    def fail(frame):
        raise ImportError("no imagehash")

    monkeypatch.setattr(baselines, "pandas_dtypes", fail)
    run.main(["--labels", str(filled), "--tools", "pandas-dtypes", "alphabetical"])
    printed = capsys.readouterr().out
    assert "pandas-dtypes failed on 1 of the frames: ImportError: no imagehash" in printed
    assert "alphabetical failed" not in printed


def test_answers_are_kept(filled, tmp_path, capsys, monkeypatch) -> None:
    arguments = ["--labels", str(filled), "--tools", *SIMPLE, "--answers", str(tmp_path / "kept")]
    run.main(arguments)
    first = capsys.readouterr().out
    monkeypatch.setattr(run, "score_frame", None)  # not asked again
    run.main(arguments)
    assert capsys.readouterr().out == first
    table = pd.read_csv(tmp_path / "kept" / "alphabetical.csv")
    assert table["column"].tolist() == ["pain", "ward"]


def test_a_tool_that_is_not_installed_is_left_out(filled, capsys, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    run.main(["--labels", str(filled), "--tools", "woodwork"])
    assert 'woodwork is left out: pip install woodwork "pandas<3"' in capsys.readouterr().out


def test_few_families_cannot_be_held_out(filled, capsys) -> None:
    run.main(["--labels", str(filled), "--tools", "autotype-held-out"])
    assert "autotype-held-out is left out: 1 families, it needs 20" in capsys.readouterr().out


def test_a_tool_that_fails_has_answered_nothing(filled) -> None:
    (frame,) = labelled_frames.labelled_frames(filled)

    def fails(frame):
        raise ValueError("odd")

    rows = run.score_frame(fails, frame, whole=False)
    assert [row["error"] for row in rows] == ["ValueError: odd"] * 2
    assert [row["said"] for row in rows] == ["", ""]


def test_quick_takes_some_frames(filled, capsys, monkeypatch) -> None:
    monkeypatch.setattr(run, "QUICK", 0)
    with pytest.raises(SystemExit, match="no frame can be read"):
        run.main(["--labels", str(filled), "--quick"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--judge-url", "http://x"], "a judge needs --judge-url and --judge-model"),
        (["--tools", "judge"], "the judge needs --judge-url and --judge-model"),
        (["--quick", "--answers", "x"], "not with --quick or --only"),
    ],
)
def test_wrong_use(arguments, message, capsys) -> None:
    with pytest.raises(SystemExit):
        run.main(arguments)
    assert message in capsys.readouterr().err


def test_check(own_labels, capsys) -> None:
    assert run.main(["--check", str(own_labels)]) == 1
    assert "checksum" in capsys.readouterr().out
    assert run.main(["--check", str(own_labels), "--fill"]) == 0
    assert "nothing is wrong" in capsys.readouterr().out


def test_labels_that_cannot_be_read(own_labels) -> None:
    own_labels.with_name("clinic.csv").unlink()
    with pytest.raises(SystemExit, match=r"a frame cannot be read: .*clinic\.csv is missing"):
        run.main(["--check", str(own_labels), "--fill"])
    own_labels.write_text("frame,column\n")
    with pytest.raises(SystemExit, match=r"labels\.csv holds no field 'family'"):
        run.main(["--labels", str(own_labels)])


def test_export_writes_what_the_fits_read(filled, tmp_path) -> None:
    import labelled_columns

    run.main(["--labels", str(filled), "--export", str(tmp_path / "data")])
    labels = labelled_columns.read_labels_table(tmp_path / "data", ("public",))
    assert labels["coding"].tolist() == ["text", "number"]
    assert json.loads(labels["order"][0]) == ["none", "mild", "severe"]
    frame = labelled_columns.read_frame(tmp_path / "data", "public", labels["file"][0])
    assert frame["pain"].tolist() == ["none", "mild", "severe", "mild", "?"] * 6


def test_the_reliability_diagram(filled, tmp_path) -> None:
    path = tmp_path / "plot.png"
    run.main(["--labels", str(filled), "--tools", "autotype", "--plot", str(path)])
    assert path.read_bytes().startswith(b"\x89PNG")


def test_numbers_are_ordered_and_texts_categories() -> None:
    frame = frame_of(
        pd.DataFrame(
            {
                "n": [10, 9, 2],
                "t": ["b", "a", "c"],
                "o": pd.Categorical(["lo", "hi", "lo"], ["lo", "hi"], ordered=True),
            }
        )
    )
    assert baselines.pandas_dtypes(frame) == {
        "n": Answer("ordinal", 1.0, ("2", "9", "10")),
        "t": Answer("categorical", 0.0, None),
        "o": Answer("ordinal", 1.0, ("lo", "hi")),
    }
    assert baselines.alphabetical(frame)["t"] == Answer(None, 0.5, ("a", "b", "c"))


def test_a_type_of_text_decides_nothing() -> None:
    assert answers.answer_of("text", pd.Series(["a"])) == Answer("text", 0.5, None)


def test_the_first_canonical_axis_follows_the_scale() -> None:
    rng = np.random.default_rng(0)
    rank = rng.integers(0, 4, 200)
    data = pd.DataFrame(
        {
            "y": np.array(["x", "c", "k", "a"])[rank],
            "z": rank + 0.3 * rng.standard_normal(200),
            "noise": rng.standard_normal(200),
            "group": rng.choice(["u", "v"], 200),
        }
    )
    found = baselines.canonical_axis(frame_of(data, "y"))["y"].order
    assert found in (("x", "c", "k", "a"), ("a", "k", "c", "x"))
    assert baselines.canonical_axis(frame_of(data[["y"]], "y"))["y"].order is None


class Judge:
    """Answers with P = 0.9 and the levels as they come, or not at all."""

    def judge_all(self, columns):
        for name, levels in columns:
            yield None if name == "unread" else (0.9, list(levels))

    def __call__(self, name, levels):
        return next(iter(self.judge_all([(name, levels)])))


def test_a_judge() -> None:
    frame = frame_of(pd.DataFrame({"a": ["x", "y", "z"] * 5, "unread": ["u", "v", "w"] * 5}))
    found = own.judge_alone(Judge())(frame)
    assert found == {"a": Answer("ordinal", 0.9, ("x", "y", "z")), "unread": Answer(None)}
    beside = own.with_judge(Judge())(frame)["a"]
    assert beside.probability > own.labels_and_data(frame)["a"].probability


def test_a_run_with_a_judge(filled, capsys, monkeypatch) -> None:
    asked = []

    def judge(url, model):
        asked.append((url, model))
        return Judge()

    monkeypatch.setattr("autotype.judges.OpenAICompatible", judge)
    server = ["--judge-url", "http://localhost:1/v1", "--judge-model", "m"]
    run.main(["--labels", str(filled), "--tools", "judge", "autotype-judge", *server])
    assert asked == [("http://localhost:1/v1", "m")] * 2
    printed = capsys.readouterr().out
    assert "\njudge" in printed
    assert "\nautotype-judge" in printed


def test_labels_only_read_no_other_column() -> None:
    rank = np.tile([0, 1, 2], 40)
    data = pd.DataFrame({"a": np.array(["qa", "qb", "qc"])[rank], "z": rank + 0.1})
    frame = frame_of(data, "a")
    assert own.labels_only(frame)["a"].said == "undetermined"
    assert not math.isnan(own.labels_and_data(frame)["a"].probability)

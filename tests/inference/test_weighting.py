"""Weights of rows: weighted proportions beside counts, by every library."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import UnknownColumnError, WeightsError
from autotype.inference.frames import as_pandas as opening
from autotype.types.codebook import CodebookEntry
from tests.inference.frames.engines import EAGER, LAZY

N = 200


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "mood": rng.choice(["bad", "fair", "good"], N),
            "score": rng.integers(1, 4, N),
            "w": rng.uniform(0.2, 3.0, N),
        }
    )


def _expected(frame: pd.DataFrame, name: str) -> dict:
    held = frame[frame[name].notna() & frame["w"].notna()]
    return (held.groupby(name)["w"].sum() / held["w"].sum()).to_dict()


def test_proportions_are_weighted_and_counts_are_not(frame) -> None:
    frame.loc[:9, "mood"] = None
    report = autotype.infer_types(frame, weights="w")
    plain = autotype.infer_types(frame)
    assert report.weights == "w"
    assert report["mood"].levels == plain["mood"].levels
    assert report["mood"].weighted_shares == pytest.approx(_expected(frame, "mood"))
    w = frame["w"][10:]
    assert report["mood"].n_effective == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert plain["mood"].weighted_shares == {}
    assert report["mood"].probability == plain["mood"].probability


@pytest.mark.parametrize("is_loaded", [True, False])
@pytest.mark.parametrize("convert", [*EAGER, *LAZY])
def test_every_library_weighs_alike(frame, convert, is_loaded, monkeypatch) -> None:
    if not is_loaded:
        monkeypatch.setattr(opening, "MAX_LOADED_CELLS", 10)
    frame["mood"] = frame["mood"].astype(object)
    frame.loc[:9, "mood"] = None
    frame.loc[5:14, "w"] = None
    other = convert(frame)
    report = autotype.infer_types(other, weights="w")
    for name in ("mood", "score"):
        assert report[name].weighted_shares == pytest.approx(_expected(frame, name))
    (warning,) = [w for w in report.warnings if w.kind == "weights"]
    assert "10 rows without a weight in 'w'" in str(warning)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["1", "x", "2"], "expected numbers in column 'w', got '1'"),
        ([True, False, True], "expected numbers in column 'w', got 'True'"),
        ([1.0, -0.5, 1.0], "got -0.5"),
        ([1.0, np.inf, 1.0], "got inf"),
        ([0.0, 0.0, 0.0], "no number in column 'w' is above 0"),
        ([None, None, None], "expected numbers in column 'w', got no values"),
    ],
)
def test_what_is_no_weight(cells, said) -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L"], "w": cells})
    with pytest.raises(WeightsError, match=said):
        autotype.infer_types(frame, weights="w")


def test_an_unknown_column(frame) -> None:
    with pytest.raises(UnknownColumnError, match="weights names 'weight'"):
        autotype.infer_types(frame, weights="weight")


def test_json_and_arrow_keep_them(frame) -> None:
    report = autotype.infer_types(frame, weights="w")
    again = autotype.TypeReport.from_json(report.to_json())
    assert again == report
    assert again != autotype.infer_types(frame)
    table = report.to_arrow(frame)
    stored = autotype.TypeReport.from_arrow(table)["mood"]
    assert stored.weighted_shares == report["mood"].weighted_shares
    assert stored.n_effective == report["mood"].n_effective
    assert report.without_values()["w"].weighted_shares == {}


def test_drift_is_that_of_weighted_proportions() -> None:
    mood = ["bad", "good"] * 400
    before = pd.DataFrame({"mood": mood, "w": [1.0, 3.0] * 400})
    after = pd.DataFrame({"mood": mood, "w": [3.0, 1.0] * 400})
    first, second = (autotype.infer_types(frame, weights="w") for frame in (before, after))
    compared = first.compare(second)["mood"]
    assert "shares" in compared.changes
    assert compared.distance == pytest.approx(0.5, abs=0.01)
    assert not autotype.infer_types(before).compare(autotype.infer_types(after))["mood"].changes


def test_page_and_plot_show_weighted_proportions(frame) -> None:
    report = autotype.infer_types(frame, weights="w")
    page = report.to_html()
    assert '<th scope="col" class="number">Weighted</th>' in page
    assert "Weighted</th>" not in autotype.infer_types(frame).to_html()
    column = report["mood"]
    ax = autotype.plots.plot_column(column, kind="counts")
    assert sorted(bar.get_width() for bar in ax.patches) == pytest.approx(
        sorted(column.weighted_shares.values())
    )
    assert "weighted proportion" in ax.get_xlabel()


@pytest.mark.parametrize(
    ("name", "label", "is_named"),
    [
        ("pspwght", "", True),
        ("V120", "Post-stratification weight", True),
        ("weight", "", True),
        ("rating", "", False),
    ],
)
def test_a_column_of_weights_is_suggested(frame, name, label, is_named) -> None:
    frame = frame.rename(columns={"w": name})
    book = autotype.Codebook({name: CodebookEntry(label=label)})
    found = autotype.infer_types(frame, codebook=book).warnings
    assert [w.column for w in found] == [name] * is_named
    if is_named:
        assert f"pass weights={name!r} (--weights)" in str(found[0])


def test_the_weight_of_a_body_is_none(frame) -> None:
    frame["weight"] = frame.pop("w") * 40
    assert not autotype.infer_types(frame).warnings

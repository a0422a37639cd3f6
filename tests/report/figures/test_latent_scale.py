from __future__ import annotations

import numpy as np
import pytest

from autotype.report.figures.latent_scale import latent_scale

EVIDENCE = {
    "data_order": ["S", "M", "L"],
    "thresholds": [-1.0, 2.0],
    "level_means": [-2.0, 0.0, 3.0],
    "level_sds": [0.5, 1.0, 0.2],
}


def test_bands_tile_the_picture() -> None:
    scale = latent_scale(EVIDENCE, ["S", "M", "L"])
    ends = [round(level["band"] + level["band_width"], 1) for level in scale.levels]
    assert [level["band"] for level in scale.levels] == [0.0, *scale.ticks]
    assert ends == [*scale.ticks, 100.0]


def test_curves_lie_inside_and_centres_in_their_middle() -> None:
    for level in latent_scale(EVIDENCE, None).levels:
        assert level["curve"] >= 0
        assert level["curve"] + level["curve_width"] <= 100.1
        assert level["centre"] == pytest.approx(level["curve"] + level["curve_width"] / 2, abs=0.11)


def test_a_scale_that_runs_against_the_order_is_turned_round() -> None:
    turned = latent_scale(EVIDENCE, ["L", "M", "S"])
    assert turned.order == ["L", "M", "S"]
    assert turned.thresholds == [-2.0, 1.0]
    assert turned.at("L")["words"] == "−3.00 ± 0.20"
    straight = latent_scale(EVIDENCE, ["S", "M", "L"])
    assert turned.at("L")["centre"] == pytest.approx(100 - straight.at("L")["centre"], abs=0.11)


def test_an_order_that_differs_in_few_pairs_is_not_turned() -> None:
    assert latent_scale(EVIDENCE, ["M", "S", "L"]).order == ["S", "M", "L"]


def test_a_level_that_the_model_has_not_seen() -> None:
    assert latent_scale(EVIDENCE, ["S", "M", "L"]).at("XL") is None


@pytest.mark.parametrize(
    "broken",
    [
        {"data_order": None},
        {"data_order": ["S", "M"]},
        {"thresholds": None},
        {"thresholds": [1.0]},
        {"level_means": ["-inf", 0.0, 1.0]},
        {"level_sds": [1.0, None, 1.0]},
    ],
)
def test_no_scale_without_its_numbers(broken) -> None:
    assert latent_scale(EVIDENCE | broken, None) is None


def test_levels_in_one_point() -> None:
    flat = {"thresholds": [0.0, 0.0], "level_means": [0.0] * 3, "level_sds": [0.0] * 3}
    scale = latent_scale(EVIDENCE | flat, None)
    assert scale.ticks == [50.0, 50.0]
    assert all(level["curve_width"] > 0 for level in scale.levels)


def test_levels_of_numpy_beside_tuples_and_lists_of_a_dictionary() -> None:
    # A number of NumPy compares with a tuple cell by cell, and with some it cannot.
    order = [np.int64(3), ("a", (1, 2)), ["a", [1, 2]]]
    scale = latent_scale(EVIDENCE | {"data_order": order}, order[::-1])
    assert scale.order == order[::-1]
    assert [scale.at(level)["mean"] for level in order] == [-m for m in EVIDENCE["level_means"]]

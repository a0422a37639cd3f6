"""A user's own scales outrank all evidence, and say which levels they lack."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.types.codebook import Codebook

ZORP = {"scales": {"zorp": {"levels": ["grum", "blorn", "flizz", "snarp"]}}}
SEVERITY = {
    "scales": {
        "severity": {
            "levels": ["S4", "S3", "S2", "S1"],
            "synonyms": {"S1": ["Sev 1", "critical"]},
            "off_scale": ["tbd"],
            "columns": ["severity", "sev_*"],
        }
    }
}


def column(*levels, n=120, name="q", **others):
    rng = np.random.default_rng(0)
    return pd.DataFrame({name: rng.permutation(np.resize(levels, n)), **others})


def typed(frame, scales, **options):
    return autotype.infer_types(frame, scales=scales, **options)


def test_a_column_of_known_levels_has_the_order_with_certainty():
    found = typed(column("flizz", "grum", "Blorn "), ZORP)["q"]
    assert (found.semantic_type, found.probability, found.order_probability) == ("ordinal", 1, 1)
    assert found.order == ("grum", "Blorn ", "flizz", "snarp")
    assert found.levels["snarp"] == 0
    assert found.provenance == "scales"
    assert found.reasons[0] == 'Its levels are those of the scale "zorp" of scales.'


def test_two_levels_of_a_scale_are_ordinal():
    assert typed(column("flizz", "grum"), ZORP)["q"].order[0] == "grum"


def test_labels_and_the_lexicon_are_outranked():
    upside_down = {"scales": {"mine": {"levels": ["high", "medium", "low"]}}}
    assert typed(column("low", "medium", "high"), upside_down)["q"].order[0] == "high"
    colours = {"sets": {"sizes": ["S", "M", "L"]}}
    found = typed(column("S", "M", "L"), colours)["q"]
    assert (found.semantic_type, found.provenance) == ("categorical", "scales")


def test_synonyms_are_one_level_and_off_scale_levels_none():
    found = typed(column("S2", "Sev 1", "critical", "tbd", name="Sev_2024"), SEVERITY)["Sev_2024"]
    assert found.order == ("S4", "S3", "S2", "Sev 1", "critical")
    assert found.ties == (("Sev 1", "critical"),)
    assert found.off_scale == ("tbd",)


def test_a_scale_with_columns_is_for_these_only():
    levels = ("S1", "S2", "S3", "S4")
    assert typed(column(*levels, name="other"), SEVERITY)["other"].provenance == "inferred"
    assert typed(column(*levels, name="severity"), SEVERITY)["severity"].order[0] == "S4"


def test_phrases_of_any_language_and_marks_are_off_the_scale():
    frame = column("grum", "blorn", "flizz", "don't know", "weiß nicht", "n/a")
    found = typed(frame, ZORP)["q"]
    assert found.order == ("grum", "blorn", "flizz", "snarp")
    assert set(found.off_scale) == {"don't know", "weiß nicht", "n/a"}


def test_an_unknown_level_is_named_and_only_its_place_is_open():
    report = typed(column("grum", "blorn", "flizz", "quux"), ZORP)
    found = report["q"]
    assert found.semantic_type == "ordinal"
    assert found.probability > 0.99
    assert found.order is None
    assert set(found.partial_order) == {("grum", "blorn"), ("grum", "flizz"), ("blorn", "flizz")}
    (warning,) = report.warnings
    assert str(warning) == (
        "'q' holds 'quux', which the scale \"zorp\" lacks; "
        "add it to the levels, synonyms or off_scale of that scale"
    )
    assert "which lacks 'quux'" in found.explain()


def test_data_place_an_unknown_level():
    rng = np.random.default_rng(1)
    rank = rng.integers(0, 4, 400)
    frame = pd.DataFrame(
        {
            "q": np.array(["grum", "quux", "blorn", "flizz"])[rank],
            "a": rank + 0.3 * rng.normal(size=400),
            "b": -2.0 * rank + 0.5 * rng.normal(size=400),
        }
    )
    assert typed(frame, ZORP)["q"].best_order == ("grum", "quux", "blorn", "flizz")


def test_few_levels_in_common_are_a_coincidence():
    assert typed(column("grum", "blorn", "kix", "lox", "mux"), ZORP)["q"].provenance == "inferred"
    numbers = {"scales": {"rating": {"levels": [0, 1, 2, 3]}}}
    assert typed(column(0, 1), numbers)["q"].semantic_type == "binary"
    assert typed(column(0, 1, 2), numbers)["q"].order == (0, 1, 2, 3)
    assert typed(column("0", "1", "2"), numbers)["q"].order == ("0", "1", "2", "3")


def test_columns_of_one_scale_are_listed_together():
    frame = column("grum", "blorn", n=60).assign(r=["flizz", "snarp", "grum"] * 20)
    report = typed(frame, ZORP)
    (scale,) = report.scales
    assert scale.columns == ("q", "r")
    assert report["q"].order == report["r"].order
    cast = autotype.apply_types(frame, report)
    assert cast["q"].dtype == cast["r"].dtype


def test_ids_and_missing_values():
    vocabulary = {"columns": {"ids": ["*_nr"], "missing": ["tbc", -5]}}
    frame = column("low", "medium", "high", "TBC", n=60, name="mood")
    frame = frame.assign(order_nr=[1, 2, 3] * 20, kg=["1.5", "2.5", "tbc"] * 20, n=[0, 7, -5] * 20)
    report = typed(frame, vocabulary)
    assert report["order_nr"].semantic_type == "identifier"
    assert report["kg"].missing_markers == ("tbc",)
    assert report["mood"].off_scale == ("TBC",)
    assert not [w for w in report.warnings if w.kind == "missing marker"]


def test_who_wins():
    frame = column("grum", "blorn", "flizz")
    order = ["flizz", "blorn", "grum"]
    assert typed(frame, ZORP, known={"q": order})["q"].order == tuple(order)
    assert typed(frame, ZORP, known={"q": "categorical"})["q"].provenance == "known"
    assert typed(frame, ZORP, known={"q": "ordinal"})["q"].order[:2] == ("grum", "blorn")
    dtype = pd.CategoricalDtype(order, ordered=True)
    assert typed(frame.astype({"q": dtype}), ZORP)["q"].order[0] == "grum"  # it has no mark
    marked = autotype.apply_types(frame, autotype.infer_types(frame, known={"q": order}))
    assert typed(marked, ZORP)["q"].order == tuple(order)


def test_labels_of_a_codebook_are_compared():
    from autotype.types.codebook import CodebookEntry

    labels = {1: "snarp", 2: "grum", 3: "blorn"}
    book = Codebook({"q": CodebookEntry(values=labels)})
    assert typed(column(1, 2, 3), ZORP, codebook=book)["q"].order[:2] == (2, 3)


@pytest.mark.parametrize("label_text", [True, False])
def test_they_count_where_labels_do_not(label_text):
    found = typed(column("grum", "blorn", "flizz"), ZORP, label_text=label_text)["q"]
    assert found.order == ("grum", "blorn", "flizz", "snarp")


def test_what_was_corrected_once_is_known_of_the_next_table(tmp_path):
    path = tmp_path / "scales.toml"
    first = autotype.infer_types(column("grum", "blorn", "flizz", name="a"))
    first.revise(a=["flizz", "grum", "blorn"]).to_scales(path)
    found = column("blorn", "flizz", name="b").ordinal.infer_types(scales=path)["b"]
    assert found.order == ("flizz", "grum", "blorn")

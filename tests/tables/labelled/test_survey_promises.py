"""What is promised of labelled columns, from the file or codebook to report, plot and encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import autotype
import autotype.plots
from autotype import Codebook
from autotype.types.codebook import CodebookEntry
from autotype.types.column_type import ColumnType

N_ROWS = 240
SIDES = {1: "positive", 2: "negative", 3: "neither positive nor negative"}
UNREAD = {1: "flurbish", 2: "grimble", 3: "plonk", 4: "quux"}
LONG = {
    8: "I would prefer not to say",
    9: "Don't know (do not read out)",
}


def codes(*values: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).choice(values, N_ROWS)


def typed(values: np.ndarray, entry: CodebookEntry) -> ColumnType:
    frame = pd.DataFrame({"q": values, "id": [f"p{k:04d}" for k in range(N_ROWS)]})
    return autotype.infer_types(frame, codebook=Codebook({"q": entry}))["q"]


def test_labels_win_over_codes_that_they_clearly_contradict() -> None:
    column = typed(codes(1, 2, 3), CodebookEntry(values=SIDES))
    assert column.order == (2, 3, 1)
    assert "against the order of the codes" in column.explain()


def test_codes_order_levels_whose_labels_are_not_read() -> None:
    column = typed(codes(1, 2, 3, 4), CodebookEntry(values=UNREAD))
    assert column.best_order == (1, 2, 3, 4)


@pytest.mark.parametrize("declared", [(), (9,)])
def test_long_forms_are_off_the_scale_whether_or_not_declared(declared: tuple) -> None:
    values = {1: "never", 2: "sometimes", 3: "often", **LONG}
    column = typed(codes(1, 2, 3, 8, 9), CodebookEntry(values=values, missing=declared))
    assert (column.order, set(column.off_scale)) == ((1, 2, 3), {8, 9})


@pytest.mark.parametrize("middle", [{}, {3: "in between"}])
def test_a_scale_labelled_at_its_ends_is_the_run_of_its_codes(middle: dict[int, str]) -> None:
    values = {1: "cramped", **middle, 5: "roomy", 99: "no answer"}
    column = typed(codes(1, 2, 3, 4, 5, 99), CodebookEntry(values=values))
    assert (column.semantic_type, column.order) == ("ordinal", (1, 2, 3, 4, 5))
    assert column.off_scale == (99,)


def test_the_question_text_is_read_as_the_name_of_the_column() -> None:
    rated = typed(codes(1, 2, 3, 4, 5), CodebookEntry("How satisfied are you with it (1-5)?"))
    assert rated.semantic_type == "ordinal"
    asked = CodebookEntry("Who decides how the money is used?", values=UNREAD)
    assert typed(codes(1, 2, 3, 4), asked).semantic_type == "categorical"


def test_the_stored_measure_is_a_weak_hint() -> None:
    found = {
        measure: typed(codes(1, 2, 3, 4), CodebookEntry(values=UNREAD, measure=measure))
        for measure in ("scale", "", "nominal")
    }
    nominal, unknown, scale = (found[key].probability for key in ("nominal", "", "scale"))
    assert nominal < unknown < scale < nominal + 0.2
    assert "measure 'nominal', which counts a little" in found["nominal"].explain()


def test_plots_have_labels_beside_codes() -> None:
    pytest.importorskip("matplotlib")
    frame = pd.DataFrame({"q": codes(1, 2, 3, 9), "r": codes(1, 2, 3, 9, seed=1)})
    values = {1: "disagree", 2: "neither", 3: "agree", 9: "refused"}
    book = Codebook({name: CodebookEntry("Is it fair?", values=values) for name in frame})
    types = autotype.infer_types(frame, codebook=book)
    axes = autotype.plot(frame, "q", types=types, kind="counts")
    ticks = " ".join(label.get_text() for label in axes.get_yticklabels())
    assert all(word in ticks for word in values.values())
    assert axes.get_title(loc="left").startswith("Is it fair?")
    legend = autotype.plots.plot_likert(types).get_legend()
    assert [text.get_text() for text in legend.get_texts()][-1] == '3 "agree"'


def test_choices_of_one_question_are_indicators_with_a_group() -> None:
    frame = pd.DataFrame({f"Q5_{k}": codes(0, 1, seed=k) for k in range(1, 10)})
    draw = np.random.default_rng(9)
    ways = [draw.permutation(["bus", "bike", "train"])[: 1 + k % 3] for k in range(N_ROWS)]
    frame["ways"] = list(map("; ".join, ways))
    types = autotype.infer_types(frame)
    names = [f"Q5_{k}" for k in range(1, 10)]
    assert {(types[name].semantic_type, types[name].group) for name in names} == {("binary", "Q5")}
    assert types["ways"].format == "list"
    encoded = types.make_encoder().set_output(transform="pandas").fit_transform(frame)
    assert [name for name in encoded if str(name).startswith("Q5_")] == names
    assert encoded[names].equals(frame[names].astype(float))
    assert sum(str(name).startswith("ways") for name in encoded) == 3


def test_what_pandas_leaves_in_the_frame_is_found_by_itself(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "a.sav"
    values = {1.0: "never", 2.0: "sometimes", 3.0: "always"}
    pyreadstat.write_sav(
        pd.DataFrame({"q": codes(1, 2, 3).astype(float)}),
        str(path),
        column_labels=["How often?"],
        variable_value_labels={"q": values},
    )
    frame = pd.read_spss(path, convert_categoricals=False)
    if "column_names_to_labels" not in frame.attrs:
        pytest.skip("this pandas keeps nothing")
    column = autotype.infer_types(frame)["q"]
    assert (column.title, column.order) == ("How often?", (1.0, 2.0, 3.0))


def test_a_codebook_that_does_not_fit_is_reported_and_what_fits_is_used() -> None:
    frame = pd.DataFrame({"q": codes(1, 2, 3, 4)})
    entry = CodebookEntry(values={1: "never", 2: "sometimes", 3: "always"})
    book = Codebook({"q": entry, "gone": CodebookEntry("x")}, doubts=("line 7: not understood",))
    types = autotype.infer_types(frame, codebook=book)
    said = [str(w) for w in types.warnings if w.kind == "codebook"]
    assert len(said) == 3
    assert "line 7" in said[0]
    assert "'gone'" in said[1]
    assert "column 'q': values without an entry in the codebook: 4" in said[2]
    assert types["q"].labels == entry.values

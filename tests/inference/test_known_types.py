from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.errors import KnownTypesError, UnknownColumnError
from autotype.inference.known_types import read_known, type_from_known
from autotype.inference.sampling.sample import sample_frame
from autotype.types.column_type import ColumnType
from autotype.types.decisions.revise import as_statements

GRADES = ["F", "A", "C", "A", None]
FRAME = pd.DataFrame(
    {
        "grade": GRADES,
        "typed": pd.Categorical(GRADES, categories=["F", "D", "C", "A"], ordered=True),
        "loose": pd.Categorical(GRADES),
        "many": range(5),
        "amount": [0.5, 1.5, 2.5, 3.5, 4.5],
    }
)


def types(known: dict | None, frame: pd.DataFrame = FRAME) -> dict[str, ColumnType]:
    sample = sample_frame(frame, max_rows=100, max_levels=4, seed=0)
    read_known(sample, as_statements(known or {}, sample.names, option="known"))
    return {c.name: type_from_known(c) for c in sample.columns if c.decision is not None}


def test_an_ordered_dtype_is_kept_and_is_the_reason() -> None:
    found = types(None)
    assert list(found) == ["typed"]
    column = found["typed"]
    assert column.semantic_type == "ordinal"
    assert column.order == column.best_order == ("F", "D", "C", "A")
    assert column.direction_known
    assert column.probability == 1.0
    assert column.levels == {"F": 1, "D": 0, "C": 1, "A": 2}
    assert column.n_levels == 3
    assert "dtype" in column.reason


def test_an_order_is_taken_as_given() -> None:
    column = types({"grade": ["F", "D", "C", "B", "A"]})["grade"]
    assert column.order == ("F", "D", "C", "B", "A")
    assert list(column.levels.items()) == [("F", 1), ("D", 0), ("C", 1), ("B", 0), ("A", 2)]
    assert column.n_rows_used == 4
    assert column.reason == "Stated by the user (known=)."


def test_the_user_wins_over_the_dtype() -> None:
    assert types({"typed": ["A", "C", "F"]})["typed"].order == ("A", "C", "F")
    column = types({"typed": "categorical"})["typed"]
    assert column.semantic_type == "categorical"
    assert column.order is None
    assert math.isnan(column.probability)


def test_ordinal_without_levels_is_enough_for_an_ordered_dtype() -> None:
    column = types({"typed": "ordinal"})["typed"]
    assert column.order == ("F", "D", "C", "A")
    assert column.reason == "Stated by the user (known=)."


def test_all_columns_of_a_repeated_name() -> None:
    frame = pd.DataFrame([["a", "b"], ["b", "a"]], columns=["x", "x"])
    sample = sample_frame(frame, max_rows=10, max_levels=4, seed=0)
    read_known(sample, {"x": "categorical"})
    assert [c.decision.semantic_type for c in sample.columns] == ["categorical"] * 2


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"grade": "ordinary"}, r"known\['grade'\] is 'ordinary', not one of ordinal, categorical"),
        ({"grade": "ordinal"}, r"known\['grade'\] is ordinal without an order"),
        ({"loose": "ordinal"}, r"known\['loose'\] is ordinal without an order"),
        ({"grade": ["F", "A"]}, r"known\['grade'\] leaves out 'C'; name every level"),
        ({"grade": ["F", "A", "C", "A"]}, r"known\['grade'\] names level 'A' twice"),
        ({"grade": ["F", ["A"], "C"]}, r"known\['grade'\] names \['A'\], which no column can hold"),
        ({"grade": [("F", [])]}, r"known\['grade'\] names \('F', \[\]\), which no column can hold"),
        ({"many": [0, 1]}, r"known\['many'\] leaves out 2, 3, 4; name every level"),
        ({"amount": [0.5, 1.5]}, r"known\['amount'\] cannot be used: .* 5 levels; raise max"),
        ({"grade": ["F", None, "A", "C"]}, "names None, which no column can hold"),
        ({"grade": ["F", math.nan, "A", "C"]}, "names nan, which no column can hold"),
        ({"many": [*range(5), 10**5000]}, "names the integer of 16610 bits, which no column can"),
        ({"grade": {"F", "A", "C"}}, r"known\['grade'\] is \{.*, not a list of levels"),
        ({"grade": {"order": {"A": 3, "C": 2, "F": 1}}}, "is {'A': 3.*, not a list of levels"),
        ({"grade": b"FCA"}, "is b'FCA', not a list of levels"),
        ({"grade": {"order": [], "off_scale": ["F", "A", "C"]}}, "without a level on the scale"),
        ({"grade": []}, "without a level on the scale"),
        ({"grade": {"type": "text", "partial_order": [["F", "A"]]}}, "which only ordinal columns"),
        ({"grade": {"type": "text", "order_probability": 0.5}}, "which only ordinal columns have"),
        ({"grade": {"type": "text", "probability": 10**400}}, "where a probability is expected"),
        ({"grade": "x" * 10**5}, r"known\['grade'\] is 'x{59}\.\.\., not one of"),
        ({"grade": ["y" * 10**5]}, r"it names 'y{59}\.\.\., which the column does not hold"),
    ],
)
def test_statements_that_do_not_fit(known: dict, message: str) -> None:
    with pytest.raises(KnownTypesError, match=message):
        types(known)


def test_stated_levels_become_those_of_the_column() -> None:
    frame = pd.DataFrame({"n": [1, 2, 3], "b": [True, False, True]})
    found = types({"n": np.array([1.0, 2.0, 3.0]), "b": [0, 1]}, frame)
    assert found["n"].order == (1, 2, 3)
    assert list(map(type, found["n"].order)) == [int] * 3
    assert found["b"].order == (False, True)
    assert list(map(type, found["b"].order)) == [bool] * 2
    assert type(types({"n": np.str_("count")}, frame)["n"].semantic_type) is str


@pytest.mark.parametrize("dtype", [object, float, "Int64", "datetime64[ns]", "category"])
@pytest.mark.parametrize("n_rows", [0, 9])
def test_a_batch_without_a_value_has_the_stated_order(dtype, n_rows) -> None:
    frame = pd.DataFrame({"x": pd.Series([None] * n_rows, dtype=dtype)})
    column = types({"x": ["S", "M", "L"]}, frame)["x"]
    assert column.order == ("S", "M", "L")
    assert column.levels == {"S": 0, "M": 0, "L": 0}


@pytest.mark.parametrize("text", ['grade = ["F"]', 'grade = "x"', 'grade = {note = "?"}'])
def test_what_is_wrong_with_a_statement_of_a_file_names_the_file(tmp_path, text) -> None:
    (tmp_path / "k.toml").write_text(text, encoding="utf-8")
    with pytest.raises(KnownTypesError, match=r"k\.toml: .*known\['grade'\]"):
        autotype.infer_types(FRAME, known=tmp_path / "k.toml")
    (tmp_path / "k.toml").write_text('grade = ["F"]', encoding="utf-8")
    with pytest.raises(KnownTypesError, match=r"k\.toml: .*the revision of 'grade'"):
        autotype.infer_types(FRAME).revise(tmp_path / "k.toml")


def test_a_statement_of_the_wrong_kind() -> None:
    with pytest.raises(TypeError, match=r"known\['grade'\] is 5, neither a type nor a list"):
        types({"grade": 5})


def test_unknown_column() -> None:
    with pytest.raises(UnknownColumnError, match=r"known names 'grades'.* did you mean 'grade'\?"):
        types({"grades": "categorical"})


def test_an_order_for_cells_that_cannot_be_compared() -> None:
    frame = pd.DataFrame({"c": [["F"], ["A"]]})
    with pytest.raises(ValueError, match=r"known\['c'\] cannot be used"):
        types({"c": ["F", "A"]}, frame)


def test_what_is_no_mapping_is_refused() -> None:
    with pytest.raises(TypeError, match=r"known must map column names .* got \['grade'\] \(list\)"):
        types(["grade"])


COLOURS = ["blue", "green", "red", "yellow"]


def ordered(levels: list[str], categories: list[str]) -> pd.Categorical:
    return pd.Categorical(levels * 10, categories=categories, ordered=True)


def warned(types: autotype.TypeReport) -> list[object]:
    return [w.column for w in types.warnings if w.kind == "ordered dtype"]


def test_an_ordered_dtype_of_names_in_alphabetical_order_is_doubted() -> None:
    frame = pd.DataFrame(
        {"colour": ordered(COLOURS, COLOURS), "code": ordered(list("abxy"), list("abxy"))}
    )
    types = autotype.infer_types(frame)
    assert types["colour"].provenance == "inferred"
    assert types["colour"].semantic_type != "ordinal"
    assert types["code"].provenance == "dtype"
    assert warned(types) == ["colour"]
    reversed_ = pd.DataFrame({"colour": ordered(COLOURS, COLOURS[::-1])})
    assert autotype.infer_types(reversed_)["colour"].provenance == "dtype"
    assert autotype.infer_types(frame, label_text=False)["colour"].provenance == "dtype"


def test_where_all_categoricals_are_ordered_those_without_a_scale_are_doubted() -> None:
    towns = ["Oslo", "Rome", "Bern", "Kyiv"]
    frame = pd.DataFrame(
        {
            "town": ordered(towns, towns),
            "mood": ordered(["bad", "fair", "good", "bad"], ["bad", "fair", "good"]),
            "colour": ordered(COLOURS, COLOURS[::-1]),
        }
    )
    types = autotype.infer_types(frame)
    assert types["mood"].provenance == "dtype"
    assert warned(types) == ["town", "colour"]
    frame["plain"] = pd.Categorical(["u", "v"] * 20)
    assert warned(autotype.infer_types(frame)) == []


def test_a_dtype_that_is_doubted_gives_the_first_guess_of_the_order() -> None:
    parts = ["zib", "wol", "kam", "tup"]
    frame = pd.DataFrame({f"q{k}": ordered(parts, parts) for k in range(3)})
    types = autotype.infer_types(frame)
    assert types["q0"].semantic_type != "ordinal"
    assert types["q0"].best_order == tuple(parts)
    assert "stand in this order in the file" in types["q0"].explain()


def test_refusals_at_an_end_of_a_dtype_that_a_reader_made_are_off_the_scale() -> None:
    mood = ["bad", "fair", "good", "refused", "don't know"]
    frame = pd.DataFrame({f"q{k}": ordered(mood[:4], mood) for k in range(3)})
    types = autotype.infer_types(frame)
    assert types["q1"].order == ("bad", "fair", "good")
    assert types["q1"].off_scale == ("refused", "don't know")
    frame["plain"] = pd.Categorical(["u", "v"] * 20)  # not all are ordered: as a user made them
    assert autotype.infer_types(frame)["q1"].order == tuple(mood)


def test_what_apply_types_made_and_what_is_known_is_not_doubted(tmp_path) -> None:
    frame = pd.DataFrame({"colour": COLOURS * 10})
    types = autotype.infer_types(frame, known={"colour": COLOURS})
    typed = autotype.apply_types(frame, types)
    autotype.write_table(typed, tmp_path / "a.parquet", types)
    for held in (typed, types.to_arrow(frame), autotype.read_table(tmp_path / "a.parquet")):
        assert autotype.infer_types(held)["colour"].provenance == "dtype"
    typed.attrs = {}
    stated = autotype.infer_types(typed, known={"colour": COLOURS[::-1]})
    assert (stated["colour"].order, warned(stated)) == (tuple(COLOURS[::-1]), [])

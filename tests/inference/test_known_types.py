from __future__ import annotations

import math

import pandas as pd
import pytest

from autotype.errors import KnownTypesError, UnknownColumnError
from autotype.inference.known_types import read_known, type_from_known
from autotype.inference.sampling.sample import sample_frame
from autotype.types.column_type import ColumnType

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
    read_known(sample, known)
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
    ],
)
def test_statements_that_do_not_fit(known: dict, message: str) -> None:
    with pytest.raises(KnownTypesError, match=message):
        types(known)


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

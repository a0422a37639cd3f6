"""A batch is cast to the dtypes of a schema where nothing is lost."""

from __future__ import annotations

import pandas as pd
import pytest

import autotype
from autotype import ColumnType, TypeReport
from autotype.schema.batches.pandas_batch import cast_batch, plain_values

FRAME = pd.DataFrame({"size": ["S", "M", "L", "M"], "town": ["Ulm", "Rom", "Ulm", "Rom"]})
TYPES = TypeReport(
    [
        ColumnType("size", "ordinal", order=("S", "M", "L"), direction_known=True),
        ColumnType("town", "categorical", levels={"Ulm": 2, "Rom": 2}),
    ]
)


def test_new_levels_stand_below_an_order_and_behind_levels_without_one() -> None:
    schema = autotype.to_schema(FRAME, TYPES)
    cast = cast_batch(FRAME.replace({"M": "XL", "Rom": "Bonn"}), schema)
    assert cast["size"].cat.categories.tolist() == ["XL", "S", "M", "L"]
    assert cast["town"].cat.categories.tolist() == ["Ulm", "Rom", "Bonn"]


@pytest.mark.parametrize(("cells", "dtype"), [([1, 2, 1], "int64"), ([1, None, 2], "Int64")])
def test_categories_of_integers_become_integers(cells: list, dtype: str) -> None:
    numbers = pd.Series(pd.Categorical(pd.array(cells, dtype="Int64"), categories=[1, 2]))
    plain = plain_values(numbers)
    assert plain.dtype == dtype
    assert plain.isna().tolist() == [cell is None for cell in cells]

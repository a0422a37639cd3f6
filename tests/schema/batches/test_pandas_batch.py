"""A batch is cast to the dtypes of a schema where nothing is lost."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from decimal import Decimal

import pandas as pd
import pyarrow as pa
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


@pytest.mark.parametrize("dtype", [object, "boolean", "bool[pyarrow]"])
@pytest.mark.parametrize("day1", [object, "boolean"])
def test_booleans_beside_missing_values_fit_in_any_dtype(day1: object, dtype: object) -> None:
    cells = [True, None, False, True] * 10
    frame = pd.DataFrame({"paid": pd.Series(cells, dtype=day1)})
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    schema.validate(frame)  # pandera alone takes the frame that the schema is of
    batch = pd.DataFrame({"paid": pd.Series(cells, dtype=dtype)})
    checked = autotype.validate(batch, schema)["paid"]
    assert checked.convert_dtypes().tolist() == pd.array(cells).tolist()
    for fewer in (batch.dropna(), batch[batch["paid"].isna()], batch[:0]):
        assert autotype.validate(fewer, schema)["paid"].dtype == frame["paid"].dtype


@pytest.mark.parametrize(
    "cells", [range(40), [k / 8 for k in range(-9, 31)], pd.date_range("2024", periods=40)]
)
def test_objects_of_one_kind_are_cast(cells: Sequence) -> None:
    frame = pd.DataFrame({"value": cells})
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    checked = autotype.validate(frame.astype(object), schema)
    assert checked["value"].dtype.kind == frame["value"].dtype.kind


def test_objects_of_several_kinds_are_not_cast() -> None:
    frame = pd.DataFrame({"paid": [True, False] * 10})
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    with pytest.raises(autotype.errors.BatchError, match="has the dtype object, expected bool"):
        autotype.validate(pd.DataFrame({"paid": [True, 0] * 10}), schema)


DAYS = [datetime.date(2024, 1, 1) + datetime.timedelta(days=3 * k) for k in range(40)]
OBJECTS = {
    "count": [k * k for k in range(40)],
    "date": DAYS,
    "moment": [datetime.datetime(2024, 1, 1, k % 24, 5, 7) for k in range(40)],
    "zoned": [datetime.datetime(2024, 1, 1 + k % 28, tzinfo=datetime.UTC) for k in range(40)],
    "time": [datetime.time(k % 24, 5) for k in range(40)],
    "duration": [datetime.timedelta(hours=k) for k in range(40)],
    "price": [Decimal(k) / 100 for k in range(40)],
    "bytes": [bytes([65 + k % 26, k]) for k in range(40)],
}


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("cells", OBJECTS.values(), ids=OBJECTS)
def test_objects_of_python_and_other_dtypes_fit_each_other(cells: list, missing: bool) -> None:
    cells = [None if missing and k % 11 == 3 else cell for k, cell in enumerate(cells)]
    table = pa.table({"cell": cells})
    frames = [
        pd.DataFrame({"cell": pd.Series(cells, dtype=object)}),
        pd.DataFrame({"cell": cells}).convert_dtypes(),
        table.to_pandas(types_mapper=pd.ArrowDtype),
        table,
    ]
    for frame in frames:
        schema = autotype.to_schema(frame, autotype.infer_types(frame))
        for batch in frames:
            autotype.validate(batch, schema)


@pytest.mark.parametrize(
    "batch", [range(40), [True, False] * 20, pd.timedelta_range("1h", periods=40)]
)
def test_objects_of_dates_are_none_of_another_kind(batch: Sequence) -> None:
    frame = pd.DataFrame({"day": pd.Series(DAYS, dtype=object)})
    schema = autotype.to_schema(frame, autotype.infer_types(frame))
    with pytest.raises(autotype.errors.BatchError, match="expected object"):
        autotype.validate(pd.DataFrame({"day": batch}), schema)


def test_a_time_of_day_is_not_cut_off() -> None:
    day = pd.DataFrame({"day": pd.Series(DAYS, dtype=pd.ArrowDtype(pa.date32()))})
    schema = autotype.to_schema(day, autotype.infer_types(day))
    moments = pd.DataFrame({"day": pd.to_datetime(DAYS)})
    autotype.validate(moments, schema)
    with pytest.raises(autotype.errors.BatchError, match="expected date32"):
        autotype.validate(moments + pd.Timedelta(hours=5), schema)

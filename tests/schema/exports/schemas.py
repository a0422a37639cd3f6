"""A table, its schema, and batches that fit it or not, for the round trips through other tools."""

import pandas as pd

import autotype
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

DAY_1 = pd.DataFrame(
    {
        "size": ["S", "M", 'it\'s "L"', None] * 10,
        "grade": [3, 1, 2, 2] * 10,
        "town": ["Ulm", "Rom", "no", "1"] * 10,
        "price": [0.5, 1.5, 2.5, None] * 10,
        "id": [f"k{j}" for j in range(40)],
        "ok": [True, False, True, True] * 10,
    }
)
TYPES = TypeReport(
    [
        ColumnType("size", "ordinal", order=("S", "M", 'it\'s "L"')),
        ColumnType("grade", "ordinal", order=(3, 2, 1)),
        ColumnType("town", "categorical", levels=dict.fromkeys(["Ulm", "Rom", "no", "1"], 10)),
        ColumnType("price", "continuous"),
        ColumnType("id", "identifier"),
        ColumnType("ok", "binary"),
    ]
)
SCHEMA = autotype.to_schema(DAY_1, TYPES, name="shop")
REPORT = TypeReport.from_schema(SCHEMA)
# Changes of a batch that fail the schema, by column.
FAILING = {
    "size": "XXL",
    "grade": 4,
    "town": "Bern",
    "price": 1e6,
    "id": "k1",
}


def changed(name: str, value: object) -> pd.DataFrame:
    """Return the batch with the value in its first row."""
    batch = DAY_1.copy()
    batch[name] = batch[name].astype(object).where(batch.index > 0, value)
    return batch.infer_objects()

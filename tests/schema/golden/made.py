"""Rewrite the golden file of made frames, their schemas, and batches that differ from them.

    python -m tests.schema.golden.made && git diff tests/schema/golden

Each line holds what the schema of a frame requires, and what is said of a later batch.
"""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from random import Random
from typing import Any

import pandas as pd

import autotype
from autotype import ColumnType, TypeReport
from autotype.schema.outcome import check_outcome, find_renamed
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml
from tests.schema.golden.renew import plain, problems, requires

MADE = Path(__file__).resolve().parent / "made.json"
N_MADE = 160
N_ROWS = 30
CELLS: dict[str, list[Any]] = {
    "whole": [0, 1, 2, 5, 100],
    "signed": [-5, 0, 3, 9],
    "bytes": [-128, 0, 127],
    "huge": [2**62, 2**63 - 1, 0],
    "numbers": [0.5, 1.5, -2.25],
    "positive": [0.25, 3.0, 8.5],
    "infinite": [float("inf"), 1.0, 2.0],
    "words": ["a", "b", "c"],
    "codes": ["k1", "k2", "k3", "k4"],
    "amounts": ["$1.50", "$20", "€7", "$1,000"],
    "units": ["1 m", "2 km", "3 cm", "4 mm", "5 in"],
    "dates": ["1/2/2020", "13/2/2020", "3/12/2021"],
    "days": [datetime.date(2024, 1, 1), datetime.date(2024, 6, 1)],
    "moments": [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-03-01 12:30")],
    "answers": [True, False],
    "lists": [[1], [2, 3]],
}
DTYPES = ["int8", "uint8", "int64", "uint64", "float32", "float64", "Int64", "UInt16", "Float64"]
DTYPES += ["boolean", "object", "category", "int64[pyarrow]", "uint64[pyarrow]", "double[pyarrow]"]
NAMES = ["size", "price", "town", "sizes", "note"]
ODD = [None, "new", 7, -200, 1e9, 2.5, "$999", "8 kg", "31/31/2020", "", True]


def column(name: str, values: pd.Series, random: Random) -> ColumnType:
    """Return a type of a column, which may not be what its values are."""
    kinds = ["ordinal", "categorical", "binary", "count", "continuous", "identifier", "text"]
    kind = random.choice([*kinds, "datetime", "constant", "continuous", "count", "datetime"])
    levels = list(dict.fromkeys(v for v in values.tolist() if pd.api.types.is_hashable(v)))
    levels = [level for level in levels if not pd.isna(level)]
    more: dict[str, Any] = {}
    if kind in ("ordinal", "categorical", "binary", "constant"):
        more["levels"] = {level: int((values == level).sum()) for level in levels}
    if kind == "ordinal":
        off = random.choice([0, 0, 1]) if len(levels) > 2 else 0
        more |= {"order": tuple(levels[off:]), "off_scale": tuple(levels[:off])}
        kind = kind if len(levels) > 1 else "constant"
        more = more if kind == "ordinal" else {"levels": more["levels"]}
    return ColumnType(name, kind, **more)


def values(random: Random) -> pd.Series:
    """Return the cells of a column, in some dtype that holds them."""
    pool = CELLS[random.choice(sorted(CELLS))]
    pool = random.sample(pool, random.randint(1, len(pool)))
    cells = random.choices(
        pool, weights=[9, *[1] * (len(pool) - 1)] if random.random() < 0.3 else None, k=N_ROWS
    )
    if random.random() < 0.2:
        cells[random.randrange(N_ROWS)] = None
    found = pd.Series(cells, dtype=object)
    if random.random() < 0.2:
        return found
    found = found.infer_objects()
    try:
        return found.astype(random.choice(DTYPES)) if random.random() < 0.6 else found
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return found


def later(frame: pd.DataFrame, random: Random) -> pd.DataFrame:
    """Return a batch with changes."""
    at = [random.randrange(N_ROWS) for _ in range(random.choice([0, 1, 3, 30, 120]))]
    batch = frame.iloc[at].reset_index(drop=True)
    for name in frame.columns:
        change = random.choice(
            ["none", "none", "cells", "cells", "one", "object", "drop", "rename", "order"]
        )
        if change == "cells" and len(batch):
            cells = batch[name].astype(object).tolist()
            for _ in range(random.choice([1, 1, 2, 6])):
                cells[random.randrange(len(cells))] = random.choice(ODD)
            batch[name] = pd.Series(cells, dtype=object)
            batch[name] = batch[name].infer_objects()
        elif change == "one" and len(batch):
            batch[name] = batch[name].iloc[[0] * len(batch)].reset_index(drop=True)
        elif change == "object":
            batch[name] = batch[name].astype(object)
        elif change == "drop":
            batch = batch.drop(columns=name)
        elif change == "rename":
            batch = batch.rename(columns={name: random.choice([f"{name}s", "other", name.upper()])})
        elif change == "order" and isinstance(batch[name].dtype, pd.CategoricalDtype):
            batch[name] = batch[name].cat.reorder_categories(batch[name].cat.categories[::-1])
    return batch


def said(work: Any, *arguments: Any) -> Any:
    """Return what a call returns, or its error."""
    try:
        return work(*arguments)
    except (ValueError, TypeError) as problem:
        return f"{type(problem).__name__}: {problem}"


def outcome(batch: pd.DataFrame, schema: Any, random: Random) -> Any:
    """Return the outcome of a batch that was read from a file."""
    most = random.choice([(0.0, False), (1.0, False), (2.0, False), (0.1, True)])
    found = check_outcome(
        batch,
        schema,
        min_rows=random.choice([0, 1, 30, 31]),
        max_failures=most,
        strict=random.random() < 0.3,
    )
    checks = [
        f"{c.column} {c.check} {c.status} {c.rows} {c.message}"
        for c in found.results
        if c.status != "passed"
    ]
    return [found.n_rows, len(found.results), *checks, *found.notes, found.failed_rows()]


def made(seed: int) -> Any:
    """Return what the schema of a frame requires, and what is said of a later batch."""
    random = Random(f"schema {seed}")
    names = random.sample(NAMES, random.choice([1, 2, 2, 3]))
    frame = pd.DataFrame({name: values(random) for name in names})
    types = TypeReport([column(name, frame[name], random) for name in names], n_rows=N_ROWS)
    options: dict[str, Any] = {
        "margin": random.choice([None, 0.0, 0.5, 1.0]),
        "share_tolerance": random.choice([None, None, 0.05]),
        "max_strays": random.choice([None, None, 0.0, 0.1]),
        "strict": random.random() < 0.2,
        "coerce": random.random() < 0.2,
    }
    batch = later(frame, random)
    schema = said(lambda: autotype.to_schema(frame, types, **options))
    if isinstance(schema, str):
        return schema
    rules = {name: requires(rule) for name, rule in schema.columns.items()}
    again = said(lambda: schema_from_yaml(schema_to_yaml(schema)))
    if not isinstance(again, str):
        assert {name: requires(rule) for name, rule in again.columns.items()} == rules
    renamed = said(lambda: find_renamed(batch, schema))
    about = [said(problems, batch, schema), said(outcome, batch, schema, random)]
    return [rules, again if isinstance(again, str) else "", renamed, *about]


def found() -> list[str]:
    """Return all that the golden file holds."""
    return [json.dumps(plain(made(seed))) for seed in range(N_MADE)]


if __name__ == "__main__":
    MADE.write_text("[\n" + ",\n".join(map(json.dumps, found())) + "\n]\n", "utf-8")

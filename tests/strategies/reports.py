"""Reports and schemas that were damaged on the way: valid ones, mutated as trees and as strings."""

from __future__ import annotations

import copy
import datetime
import decimal
import itertools
import json
import math
import random as random_module
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import yaml

import autotype
from autotype.schema.yaml_io import schema_to_yaml
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType

# What a damaged field may hold.
_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    2**63,
    10**400,
    1.5,
    1e308,
    math.nan,
    math.inf,
    "",
    "text",
    "NaN",
    "\ud800",
    "\x00",
    [],
    [[]],
    [None],
    ["a", "a"],
    {},
    {"a": 1},
    {"type": "tuple", "value": [1, 2]},
    {"type": "tuple", "value": 5},
    {"type": "mapping", "value": [[[], 1]]},
    {"type": "decimal", "value": "sNaN"},
    {"type": "float", "value": "nan"},
    {"type": "missing", "value": "NA"},
    {"type": "period", "value": ["2024", "?"]},
    {"type": "timestamp", "value": ["2024-01-01", "Mars/Base", "ns"]},
    {"type": "colour", "value": "red"},
    {"type": [], "value": {}},
]
_DEEP = (40, 99, 120, 300)


def mutated_reports(random: random_module.Random) -> Iterator[str]:
    """Yield JSON strings without end, each a report with one to three mutations.

    Parameters
    ----------
    random : random.Random
        The same state yields the same strings.
    """
    trees = [json.loads(report.to_json()) for report in _reports()]
    while True:
        text = json.dumps(_mutated(random.choice(trees), random))
        if random.random() < 0.2:
            text = random.choice(_TEXT_MUTATIONS)(text, random)
        yield text if text.lstrip().startswith("{") else "{" + text


def mutated_schemas(random: random_module.Random) -> Iterator[str]:
    """Yield YAML strings without end, each a schema with one to three mutations.

    Parameters
    ----------
    random : random.Random
        The same state yields the same strings.
    """
    texts = list(map(schema_to_yaml, _schemas()))
    trees = [yaml.safe_load(text) for text in texts]
    while True:
        if random.random() < 0.5:
            mutated = _mutated(random.choice(trees), random, deepest=99)
            text = yaml.safe_dump(mutated, sort_keys=False, allow_unicode=random.random() < 0.5)
        else:
            text = random.choice(texts)
            for _ in range(random.randint(1, 3)):
                text = random.choice(_YAML_MUTATIONS)(text, random)
        yield text


def _frame() -> pd.DataFrame:
    days = [datetime.date(2024, 1, 1 + j % 3) for j in range(24)]
    return pd.DataFrame(
        {
            "mood": ["low", "mid", "high", "don't know"] * 6,
            "price": [j / 7 for j in range(24)],
            "day": pd.Series(days, dtype=object),
            ("A", ("u", 1)): pd.Series([decimal.Decimal(j % 4) / 2 for j in range(24)]),
            7: pd.Series([("x", j % 3) for j in range(24)], dtype=object),
            "town": pd.Categorical(["Ulm", "Rom", "Bern"] * 8),
        }
    )


def _reports() -> list[TypeReport]:
    levels = ["S", 2, 2.5, None, (1, ("a",)), uuid.UUID(int=3), pd.Timestamp("2024-01-01"), b"x"]
    rich = ColumnType(
        ("size", math.nan),
        "ordinal",
        0.75,
        order=tuple(levels[:6]),
        best_order=tuple(levels[:6]),
        order_probability=0.5,
        levels=dict.fromkeys(levels, 3),
        n_levels=len(levels),
        off_scale=tuple(levels[6:]),
        ties=(("S", 2), (2.5, None)),
        alternatives=(((2, "S"), 0.25), (("S",), math.nan)),
        evidence={
            "thresholds": [0.5, 1.5],
            "top_predictors": [("price", 0.5), (("a", 1), 0.25)],
            "log_rows": math.nan,
            "label_rule": "scale",
            "n_predictors": 3,
        },
        reasons=("Because.", "Since."),
    )
    names = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)], names=["x", None])
    return [
        autotype.infer_types(_frame()),
        TypeReport([rich, ColumnType("plain", "text")], n_rows=24),
        TypeReport([ColumnType(name, "count") for name in names], names=names, n_rows=3),
    ]


def _schemas() -> list[Any]:
    frame = _frame()
    types = autotype.infer_types(frame)
    return [
        autotype.to_schema(frame, types, name="shop"),
        autotype.to_schema(frame[["mood", "price"]], types, strict=True, coerce=True),
    ]


def _mutated(tree: Any, random: random_module.Random, *, deepest: int = 300) -> Any:
    """Return a copy of a tree with one to three changes, each at a random place."""
    tree = copy.deepcopy(tree)
    for _ in range(random.randint(1, 3)):
        places = list(_places(tree))
        if not places:
            break
        holder, key = random.choice(places)
        kind = random.choice(["delete", "replace", "copy", "nest", "repeat", "rename"])
        if kind == "delete":
            del holder[key]
        elif kind == "replace":
            holder[key] = copy.deepcopy(random.choice(_VALUES))
        elif kind == "copy":
            other, its_key = random.choice(places)
            if its_key in (other if isinstance(other, dict) else range(len(other))):
                holder[key] = copy.deepcopy(other[its_key])
        elif kind == "nest":
            depth = random.choice([depth for depth in _DEEP if depth <= deepest])
            for _ in range(depth):
                holder[key] = [holder[key]]
            if depth > 99:  # too deep for the next mutation's copy
                return tree
        elif kind == "repeat" and isinstance(holder[key], list):
            holder[key] = holder[key] * 2
        elif kind == "rename" and isinstance(holder, dict):
            holder[random.choice(["type", "value", "name", "levels", "\ud800"])] = holder.pop(key)
    return tree


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or dictionary in a tree with each of its keys."""
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        keys = holder if isinstance(holder, dict) else range(len(holder))
        for key in list(keys):
            yield holder, key
            if isinstance(holder[key], (dict, list)):
                waiting.append(holder[key])


def _cut(text: str, random: random_module.Random) -> str:
    return text[: random.randrange(1, len(text))]


def _change_character(text: str, random: random_module.Random) -> str:
    at = random.randrange(1, len(text))
    return text[:at] + random.choice('{}[]:,"\\0-\x00\ud800é&*!?|>%@`\t') + text[at + 1 :]


def _double_a_part(text: str, random: random_module.Random) -> str:
    first, last = sorted(random.randrange(1, len(text) + 1) for _ in range(2))
    return text[:last] + text[first:last] + text[last:]


def _insert(*parts: str) -> Callable[[str, random_module.Random], str]:
    def insert(text: str, random: random_module.Random) -> str:
        marks = [at for at, character in enumerate(text) if character == ":"] or [0]
        at = random.choice(marks)
        end = next((k for k in range(at + 1, len(text)) if text[k] in ",}\n"), len(text))
        return f"{text[: at + 1]} {random.choice(parts)}{text[end:]}"

    return insert


def _duplicate_a_line(text: str, random: random_module.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    return "".join([*lines[:at], lines[at], *lines[at:]])


def _bomb(text: str, random: random_module.Random) -> str:
    """Put aliases of aliases in front: ten to the n-th values in n lines."""
    lines = ["b0: &b0 [x, x]"]
    for n in range(1, random.randint(3, 30)):
        lines.append(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 10)}]")
    return "\n".join([*lines, text])


_TEXT_MUTATIONS = [
    _cut,
    _change_character,
    _double_a_part,
    _insert("NaN", "-Infinity", "1e999", "9" * 5_000, '"\\ud800"', "[" * 50_000),
    lambda text, random: text.replace('"name"', '"levels"', 1),
    lambda text, random: text.replace('"n_rows"', '"n_rows": 1, "n_rows"', 1),
]
_YAML_MUTATIONS = [
    _cut,
    _change_character,
    _double_a_part,
    _duplicate_a_line,
    _bomb,
    _insert(
        "&a [*a]",
        "!!python/object/apply:os.getcwd []",
        "!!binary ?",
        "!!omap 1",
        "2024-99-99",
        "0x",
        "1:99:99",
        "9" * 5_000,
        ".nan",
        "{<<: 1}",
        "[" * 2_000,
        "nonsense[pyarrow]",
        "datetime64[parsec]",
        "*missing",
    ),
]


def first(count: int, texts: Iterator[str]) -> list[str]:
    """Return the first strings of an endless iterator."""
    return list(itertools.islice(texts, count))

"""The report of one fixed frame: any change fails here and must be intended."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def load_renew():
    path = Path(__file__).with_name("golden") / "renew.py"
    spec = importlib.util.spec_from_file_location("golden_renew", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


renew = load_renew()


@pytest.fixture(scope="module")
def report():
    return renew.make_report()


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All values inside dictionaries and lists, with where they stand."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        yield path, f"{type(value).__name__} of {len(value)}"
        for key, item in items:
            yield from leaves(item, f"{path}/{key}")
    else:
        yield path, value


def test_json(report) -> None:
    """Strings and structure are the same; numbers agree to a hundredth of their size."""
    found = dict(leaves(renew.without_version(json.loads(report.to_json()))))
    golden = dict(leaves(json.loads(renew.JSON_FILE.read_text(encoding="utf-8"))))
    assert list(found) == list(golden)
    for path, expected in golden.items():
        if isinstance(expected, float):
            assert found[path] == pytest.approx(expected, rel=1e-2, abs=1e-3), path
        else:
            assert found[path] == expected, path


def test_text(report) -> None:
    assert f"{report}\n" == renew.TEXT_FILE.read_text(encoding="utf-8")


def test_no_probability_of_the_table_is_at_the_edge_of_its_rounding(report) -> None:
    """The text table would otherwise change with the libraries that compute the probabilities."""
    for column in report.columns:
        if column.probability == column.probability:
            assert abs(column.probability * 100 % 1 - 0.5) > 0.02, column.name

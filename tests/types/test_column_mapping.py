from __future__ import annotations

import math

import pytest

from autotype.errors import UnknownColumnError
from autotype.type_report import TypeReport
from autotype.types.column_mapping import ColumnMapping, check_report, match_by_name
from autotype.types.column_type import ColumnType

FIRST, SECOND, OTHER = (
    ColumnType("a", "text"),
    ColumnType("a", "count"),
    ColumnType(math.nan, "binary"),
)


def test_a_repeated_name_is_its_first_column() -> None:
    mapping = ColumnMapping([FIRST, SECOND])
    assert mapping["a"] is FIRST
    assert mapping.columns == (FIRST, SECOND)
    assert (list(mapping), len(mapping)) == (["a"], 1)


def test_an_unknown_name_gets_a_hint() -> None:
    mapping = ColumnMapping([ColumnType("size", "ordinal")])
    with pytest.raises(UnknownColumnError, match="no column 'sise'; did you mean 'size'"):
        mapping["sise"]


def test_names_match_in_turn_and_nan_matches_nan() -> None:
    matches, unmatched = match_by_name(["a", "b", float("nan")], [FIRST, SECOND, OTHER])
    assert matches == [FIRST, None, OTHER]
    assert unmatched == [SECOND]
    matches, unmatched = match_by_name(["a", "a", "a"], [FIRST, SECOND])
    assert matches == [FIRST, SECOND, None]
    assert unmatched == []


@pytest.mark.parametrize("value", [None, {}, {"a": FIRST}, [FIRST]])
def test_only_a_mapping_of_types_is_a_report(value) -> None:
    with pytest.raises(TypeError, match=r"expected a TypeReport, got .*infer_types\(\) returns"):
        check_report(value)


def test_a_comparison_is_not_a_report() -> None:
    report = TypeReport([FIRST])
    check_report(report)
    with pytest.raises(TypeError, match="got TypeComparison"):
        check_report(report.compare(report))

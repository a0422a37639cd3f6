"""Columns that share levels, and what these mean, are one block."""

from autotype import ColumnType
from autotype.report.blocks import blocks_of


def _coded(name: str, *labels: str) -> ColumnType:
    codes = range(1, 1 + len(labels))
    texts = dict(zip(codes, labels, strict=True))
    return ColumnType(name, "categorical", levels=dict.fromkeys(codes, 9), labels=texts)


def test_codes_with_other_labels_are_another_block() -> None:
    columns = [_coded("q1", "north", "south"), _coded("q2", "bus", "train")]
    columns.append(_coded("q7", "north", "south"))
    assert [block.names for block in blocks_of(columns)] == [["q1", "q7"], ["q2"]]


def test_codes_without_labels_need_names_alike() -> None:
    columns = [ColumnType(n, "categorical", levels={1: 9, 2: 9}) for n in ("q1", "q2", "zone")]
    assert [block.names for block in blocks_of(columns)] == [["q1", "q2"], ["zone"]]


def test_numbers_inside_of_names_make_a_run() -> None:
    names = [f"w{wave}_q{k:02}_mood" for wave in (1, 2) for k in range(4)] + [
        "2019",
        "2020",
        "2021",
    ]
    (waves, years) = blocks_of([ColumnType(name, "continuous") for name in names])
    assert (waves.names, years.names) == (["w1_q00_mood … w2_q03_mood"], ["2019 … 2021"])

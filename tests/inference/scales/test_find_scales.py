"""Which columns share a scale."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.scales.find_scales import find_scales
from autotype.types.codebook import Codebook, CodebookEntry
from tests.reference.scales import reference_scales

AGREE = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


def columns(**levels) -> list[Column]:
    found = []
    for position, (name, counts) in enumerate(levels.items()):
        counts = counts if isinstance(counts, dict) else dict.fromkeys(counts, 20)
        rows = sum(counts.values())
        column = Column(name, position, rows, n_distinct=len(counts), levels=counts)
        column.values = pd.Series(list(counts))
        found.append(column)
    return found


def names(found: list[Column]) -> list[list]:
    scales = find_scales(found, [()] * len(found))
    return [[column.name for column in scale.columns] for scale in scales]


@pytest.mark.parametrize(
    "other",
    [
        AGREE,
        AGREE[1:],
        AGREE[:-1],
        [level.upper() for level in AGREE],
        [*AGREE, "n/a"],
        [*AGREE, "no opinion"],
        [level.replace(" ", "\xa0 ") for level in AGREE],
    ],
)
def test_sets_that_differ_by_little_are_one_scale(other) -> None:
    assert names(columns(a=AGREE, b=other)) == [["a", "b"]]


@pytest.mark.parametrize(
    "other",
    [
        ("agree", "disagree"),  # two levels of a column of another name
        ("red", "green", "blue"),
        ("agree", "red", "blue", "green"),
        ("disagree", "neutral", "agree", "red", "blue"),
    ],
)
def test_other_sets_are_none(other) -> None:
    assert names(columns(a=AGREE, gap=("x1", "y1", "z1"), b=other)) == []


def test_numbers_need_three_columns_with_names_alike() -> None:
    five = range(1, 6)
    assert names(columns(q1=five, q2=five)) == []
    assert names(columns(q1=five, q2=five, q3=range(1, 5), age=five)) == [["q1", "q2", "q3"]]
    grid = {"rate [food]": five, "rate [price]": five, "rate [staff]": five}
    assert names(columns(**grid)) == [list(grid)]


def test_a_range_that_goes_further_is_another_scale() -> None:
    five = {f"q{k}": range(1, 6) for k in range(3)}
    ten = {f"q{k}": range(11) for k in range(3, 6)}
    assert names(columns(**five, **ten)) == [["q0", "q1", "q2"], ["q3", "q4", "q5"]]


@pytest.mark.parametrize(("count", "are_one"), [(1, True), (60, False)])
def test_several_levels_of_its_own_part_a_column_unless_they_are_rare(count, are_one) -> None:
    own = {**dict.fromkeys(AGREE, 20), "see page 2": count, "yes please": count, "ok ok": count}
    found = names(columns(a=AGREE, far=("x1", "y1", "z1"), b=own))
    assert found == ([["a", "b"]] if are_one else [])


@pytest.mark.parametrize("seed", range(20))
def test_the_index_finds_what_all_pairs_find(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pools = [list(AGREE), ["never", "rarely", "often", "always"], list(range(1, 8)), list("abcdef")]
    frame = {}
    for k in range(40):
        pool = pools[rng.integers(len(pools))]
        some = rng.permutation(len(pool))[: rng.integers(2, len(pool) + 1)]
        values = np.array(pool, dtype=object)[rng.choice(some, 60)]
        frame[f"{rng.choice(['q', 'item_', 'x'])}{k}"] = values
    found = sample_frame(pd.DataFrame(frame), max_rows=99, max_levels=20, seed=0).columns
    expected = reference_scales(found)
    assert names(found) == expected


def test_items_that_offer_other_answers_off_the_scale_are_one_scale() -> None:
    texts = {1: "nie", 2: "selten", 3: "manchmal", 4: "oft", 8: "trifft nicht zu", 9: "weiß nicht"}
    codes = [1, 2, 3, 4] * 20
    coded = {f"F2_{k:02d}": [*codes, *[9 if k % 2 else 8] * 10] for k in range(1, 9)}
    codebook = Codebook(dict.fromkeys(coded, CodebookEntry(values=texts)))
    (scale,) = autotype.infer_types(pd.DataFrame(coded), codebook=codebook).scales
    assert scale.columns == tuple(coded)
    assert len(scale.order) == 4

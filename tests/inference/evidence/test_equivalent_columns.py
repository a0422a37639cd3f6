"""Columns in bijection are found, do not predict each other, and lend each other their labels."""

import numpy as np
import pandas as pd
import pyarrow as pa

import autotype
from autotype.inference.evidence.equivalent_columns import find_equivalents, read_with_equivalents
from autotype.inference.sampling.sample import sample_frame

RNG = np.random.default_rng(3)
CODES = RNG.integers(0, 4, 200)
WORDS = np.array(["none", "mild", "moderate", "severe"], dtype=object)[CODES]


def equivalents_of(frame: pd.DataFrame):
    return find_equivalents(sample_frame(frame, max_rows=1000, max_levels=20, seed=0), 0)


def labels_of(frame: pd.DataFrame):
    column = sample_frame(frame, max_rows=1000, max_levels=20, seed=0).columns[0]
    return read_with_equivalents(column, equivalents_of(frame))


def test_a_bijection_is_equivalent_with_its_translation():
    frame = pd.DataFrame({"code": CODES, "word": WORDS, "x": RNG.integers(0, 4, 200)})
    ((equivalent, translation),) = equivalents_of(frame)
    assert equivalent.name == "word"
    assert translation == {"none": 0, "mild": 1, "moderate": 2, "severe": 3}


def test_one_exception_is_enough_for_no_bijection():
    words = WORDS.copy()
    words[0] = "mild" if words[0] != "mild" else "none"
    assert equivalents_of(pd.DataFrame({"code": CODES, "word": words})) == []


def test_few_rows_or_a_single_row_for_a_level_are_no_support():
    assert equivalents_of(pd.DataFrame({"code": CODES[:20], "word": WORDS[:20]})) == []
    codes = np.append(np.repeat([0, 1], 30), 2)
    assert equivalents_of(pd.DataFrame({"code": codes, "word": codes.astype(str)})) == []


def test_missing_values_do_not_hide_a_bijection():
    words = pd.Series(WORDS, dtype=object).mask(np.arange(200) % 5 == 0)
    assert len(equivalents_of(pd.DataFrame({"code": CODES, "word": words}))) == 1


def test_codes_take_the_words_of_an_equivalent_column():
    shuffled = np.array([30, 10, 40, 20])[CODES]
    frame = pd.DataFrame({"code": shuffled, "word": WORDS})
    labels = labels_of(frame)
    assert labels.rule.name == "scale"
    assert labels.order == (30, 10, 40, 20)
    assert "'word'" in labels.detail
    assert autotype.infer_types(frame)["code"].order == (30, 10, 40, 20)


def test_words_take_the_order_of_their_codes():
    names = np.array(["zib", "wol", "kam", "tup"], dtype=object)[CODES]
    labels = labels_of(pd.DataFrame({"n": names, "c": CODES}))
    assert labels.order == ("zib", "wol", "kam", "tup")


def test_the_first_rows_exclude_no_equivalent_column():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 900)
    columns = {"code": codes}
    for k in range(60):
        other = (
            codes + rng.integers(0, 3, 900) * (rng.random(900) < rng.choice([0, 0.002, 0.5]))
        ) % 3
        columns[f"c{k}"] = pd.Series(np.array(list("xyz"))[other], dtype=object).mask(
            pd.Series(rng.random(900) < rng.choice([0.0, 0.3, 0.9]))
        )
    frame = pd.DataFrame(columns)
    expected = [
        name
        for name in list(frame)[1:]
        for table in [pd.crosstab(frame["code"], frame[name])]
        if table.shape == (3, 3)
        and ((table > 0).sum() == 1).all()
        and (table.sum(axis=1) > 1).all()
    ]
    assert [equivalent.name for equivalent, _ in equivalents_of(frame)] == expected
    assert 5 < len(expected) < 55


def test_maps_without_a_value_are_no_obstacle():
    maps = pd.arrays.ArrowExtensionArray(pa.array([None] * 60, pa.map_(pa.string(), pa.int64())))
    frame = pd.DataFrame({"code": CODES[:60], "word": WORDS[:60], "none": maps})
    assert [equivalent.name for equivalent, _ in equivalents_of(frame)] == ["word"]
    assert autotype.infer_types(frame)["none"].semantic_type == "constant"

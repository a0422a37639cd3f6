"""What schemas require, what is said of batches at their limits and beyond, and other tools' forms.

The golden file is `tests/schema/golden/schemas.json`; `renew.py` beside it writes it again.
"""

import json
import re

import pytest

import autotype
from autotype import TypeReport
from tests.schema.golden.renew import BATCHES, FILE, FRAME, OPTIONS, TYPES, contract, problems

GOLDEN = json.loads(FILE.read_text("utf-8"))
# Columns and batches that an engine holds as pandas does.
PLAIN = ["id", "size", "grade", "town", "ok", "sold", "unit", "items", "change", "weight", "rate"]
PLAIN += ["day", "due", "price"]
WITHOUT_PLACE = ("other dtypes", "six beyond", "missing values", "another order", "without order")


def without_rows(text):
    """Return the parts of a sentence, sorted, with numbers of rows in place of rows."""

    def count(match):
        return f" in {match[1]} rows" if match[1] else " in 1 row"

    text = re.sub(r"(repeats values).*", r"\1", text)  # which engines list once
    text = re.sub(r" at row \d+(?: \((\d+) rows\))?", count, text)
    if "holds level" not in text:  # extremes and drawn rows, which are not counted
        text = re.sub(r" in \d+ rows?", "", text)
    return sorted(re.split(r", | and |: | holds | (?=\(tolerance)", text))


@pytest.fixture(scope="module")
def found():
    return contract()


@pytest.mark.parametrize(("part", "key"), [(part, key) for part in GOLDEN for key in GOLDEN[part]])
def test_as_in_the_golden_file(part, key, found):
    assert found[part].keys() == GOLDEN[part].keys()
    assert found[part][key] == GOLDEN[part][key]


@pytest.mark.filterwarnings("ignore:the levels of .grade. are not strings")
def test_counts_of_an_engine_give_the_sentences_of_the_rows(monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.setattr("autotype.inference.frames.as_pandas.MAX_LOADED_CELLS", -1)
    for name, (of, batch) in BATCHES.items():
        plain = batch[[column for column in PLAIN if column in batch]]
        if name in WITHOUT_PLACE or of == "strict":
            continue
        types = TypeReport([TYPES[column] for column in PLAIN], n_rows=len(FRAME))
        schema = autotype.to_schema(FRAME[PLAIN], types, **OPTIONS[of])
        by_row, counted = (
            [without_rows(text) for text in problems(frame, schema) if "column" in text]
            for frame in (plain, duckdb.from_df(plain))
        )
        assert counted == by_row, name

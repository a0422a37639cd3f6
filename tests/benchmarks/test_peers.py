from __future__ import annotations

import sys
from types import ModuleType

import pandas as pd
import peers
import pytest
from answers import Answer
from labelled_frames import LabelledFrame


@pytest.fixture
def frame() -> LabelledFrame:
    data = pd.DataFrame(
        {
            "words": ["low", "mid", "high", "mid"] * 10,
            "codes": [3, 1, 2, 1] * 10,
            "size": pd.Categorical(["S", "L", "M", "S"] * 10, ["S", "M", "L"], ordered=True),
        }
    )
    return LabelledFrame("f", data, pd.DataFrame({"column": ["words", "codes", "size"]}))


CODES = Answer("ordinal", 1.0, ("1", "2", "3"))
SIZES = Answer("ordinal", 1.0, ("S", "M", "L"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("tool", "package", "words", "size"),
    [
        (peers.skrub, "skrub", "categorical", SIZES),
        (peers.visions, "visions", "text", SIZES),
        (peers.woodwork, "woodwork", "categorical", Answer("categorical", 0.0)),
        (peers.ydata_profiling, "ydata_profiling", "categorical", Answer("categorical", 0.0)),
    ],
)
def test_the_types_of_a_peer_are_read(frame, tool, package, words, size) -> None:
    pytest.importorskip(package)
    if package == "woodwork" and pd.__version__ >= "3":
        pytest.skip("woodwork needs pandas 2")
    found = tool(frame)
    assert found["words"].said == words
    assert found["codes"].said in ("ordinal", "categorical")
    if found["codes"].said == "ordinal":
        assert found["codes"] == CODES
    assert found["size"] == size


def test_the_types_of_sortinghat_are_read(frame, monkeypatch) -> None:
    """Its package needs libraries of 2022: the test has another in its place."""
    types = {"words": "categorical", "codes": "numeric", "size": "not-generalizable"}
    package = ModuleType("sortinghatinf")
    package.get_sortinghat_types = lambda data: [types[name] for name in data]
    monkeypatch.setitem(sys.modules, "sortinghatinf", package)
    found = peers.sortinghat(frame)
    assert found == {
        "words": Answer("categorical", 0.0),
        "codes": CODES,
        "size": Answer("text"),
    }

"""A call of `infer_types` is at most twelve functions of autotype deep.

A traceback of a fault stays readable. Comprehensions are not counted: newer versions of Python run
them in the function that holds them. Nor is what a process does once, such as loading words.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.pipeline import infer_types

DEEPEST = 12
OWN = str(Path(autotype.__file__).parent)
RNG = np.random.default_rng(0)
N = 300
LATENT = RNG.normal(size=N)


def graded(levels: list[str], noise: float = 1.0) -> np.ndarray:
    ranks = np.digitize(LATENT + noise * RNG.normal(size=N), np.linspace(-1, 1, len(levels) - 1))
    return np.array(levels, dtype=object)[ranks]


FRAMES = {
    "scales": {
        "x": LATENT,
        "quality": graded(["poor", "fair", "good", "excellent"]),
        "agreement": graded(["strongly disagree", "disagree", "neutral", "agree"]),
        "Note": graded(["schlecht", "mittel", "gut", "sehr gut"]),
        "likely": graded(["not at all likely", "somewhat likely", "very likely"]),
    },
    "measures": {
        "income": graded(["< 10k", "10k - 20k", "20k - 30k", "> 30k"]),
        "wait": graded(["1 day", "2 days", "3 weeks"]),
        "place": graded(["first", "second", "third"]),
        "words": graded(["twenty", "thirty", "one hundred"]),
        "month": graded(["January", "February", "March"]),
        "x": LATENT,
    },
    "codes": {
        "few": graded(list("kxq")),
        "many": graded([f"v{k}" for k in RNG.permutation(12)]),
        "number": graded(["1", "2", "3", "4"]),
        "town": RNG.choice(["Rome", "Oslo", "Bern"], N),
        "date": pd.date_range("2024-01-01", periods=N).astype(str),
    },
    "damaged": {
        "a": np.array(["Response", *["Yes", "No"] * 200], dtype=object)[:N],
        "kg": ["unit", *map(str, range(N - 1))],
        "answer": graded(["low", "zorp", "medium", "high", "don't know", "N/A"]),
        "x": LATENT,
    },
}


@pytest.mark.parametrize("kind", FRAMES)
def test_calls_are_at_most_twelve_deep(kind: str) -> None:
    frame = pd.DataFrame(FRAMES[kind])
    infer_types(frame)  # loads words and models
    # A cache that is full is emptied and filled once more.
    deepest = min((deepest_calls(lambda: infer_types(frame)) for _ in range(2)), key=len)
    assert len(deepest) <= DEEPEST, " > ".join(deepest)


def test_the_measure_counts_functions_of_the_package() -> None:
    assert deepest_calls(lambda: None) == []
    assert deepest_calls(lambda: autotype.ColumnType("x", "text").explain())[-2] == "explain"


@cache
def is_counted(code: CodeType) -> bool:
    return code.co_filename.startswith(OWN) and not code.co_name.startswith("<")


def deepest_calls(call) -> list[str]:
    """Return the names of the functions on the stack where it is deepest."""
    deepest: list[str] = []
    depth = 0

    def watch(frame: FrameType | None, event: str, _: object) -> None:
        nonlocal depth
        if event not in ("call", "return") or not is_counted(frame.f_code):
            return
        depth += 1 if event == "call" else -1
        if depth > len(deepest):
            names = []
            while frame is not None:
                if is_counted(frame.f_code):
                    names.append(frame.f_code.co_name)
                frame = frame.f_back
            deepest[:] = names[::-1]

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(before)
    return deepest

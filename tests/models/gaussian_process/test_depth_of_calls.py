"""Whoever debugs a fit steps through few calls of the package's own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

import autotype
from autotype.models.gaussian_process.multiclass import GPMulticlassClassifier
from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier

# Few iterations are as deep as many.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

PACKAGE = str(Path(autotype.__file__).parent)
MOST_CALLS = 12


def deepest_calls(run: Callable[[], object]) -> list[str]:
    """Names of the package's own functions on the stack where most of them are."""
    deepest: list[str] = []
    stack: list[str] = []

    def profile(frame, event, argument):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return
        if event == "call":
            stack.append(frame.f_code.co_name)
            if len(stack) > len(deepest):
                deepest[:] = stack
        elif event == "return" and stack:
            stack.pop()

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return deepest


def sample(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    f = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.3 * rng.normal(size=n)
    return X, np.digitize(f, [-0.6, 0.2, 0.9])


FITS = {
    "exact": ({}, 60),
    "exact, by a part of the rows first": ({}, 300),
    "ard": ({"kernel": "ard-rbf"}, 60),
    "linear": ({"kernel": "linear"}, 60),
    "linear, in weight space": ({"kernel": "linear"}, 600),
    "Nystrom features": ({}, 2_100),
    "function": ({"kernel": rbf_kernel}, 60),
    "ep": ({"inference": "ep"}, 60),
    "logit": ({"link": "logit"}, 60),
    "unobserved levels": ({"classes": range(-1, 6)}, 60),
}


@pytest.mark.parametrize("kind", FITS)
def test_a_fit_is_at_most_twelve_calls_deep(kind):
    options, n = FITS[kind]
    X, y = sample(n)
    model = GPOrdinalClassifier(**{"max_iter": 10, **options})
    calls = deepest_calls(lambda: model.fit(X, y))
    assert calls[0] == "fit"
    assert 5 < len(calls) <= MOST_CALLS, " > ".join(calls)


def test_a_fit_with_rows_of_little_weight_is_at_most_twelve_calls_deep():
    X, y = sample(30)
    model = GPOrdinalClassifier(inference="ep", max_iter=3)
    calls = deepest_calls(lambda: model.fit(X, y, sample_weight=np.tile([0.4, 2.0], 15)))
    assert 5 < len(calls) <= MOST_CALLS, " > ".join(calls)


@pytest.mark.parametrize("inference", ["laplace", "ep"])
def test_a_fit_of_unordered_classes_is_at_most_twelve_calls_deep(inference):
    X, y = sample(40)
    model = GPMulticlassClassifier(inference=inference, max_iter=3)
    calls = deepest_calls(lambda: model.fit(X, y))
    assert 5 < len(calls) <= MOST_CALLS, " > ".join(calls)

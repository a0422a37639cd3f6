"""Every estimator on a few hundred odd training sets; more of them: `benchmarks/fuzz.py`."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from autotype.models import SVOR
from tests.strategies.estimators import Case, FaultError, check_case, estimator_inputs

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(8))
def test_an_answer_is_finite_and_an_error_is_ours(seed):
    outcomes = [check_case(case) for case in islice(estimator_inputs(random.Random(seed)), 50)]
    assert 10 < outcomes.count("answered") < 45


class _Careless(SVOR):
    def decision_function(self, X):
        return np.full(len(X), np.inf)


class _Failing(SVOR):
    def fit(self, X, y, sample_weight=None):
        return {}["no such key"]


class _Changing(SVOR):
    def fit(self, X, y, sample_weight=None):
        X[0, 0] = 0.5
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (_Careless(), "decision_function is not finite: careless"),
        (_Failing(), "KeyError at test_odd_inputs.py"),
        (_Changing(), "the input was changed: careless"),
    ],
)
def test_faults_are_found(estimator, message):
    X = np.arange(6.0)[:, None]
    case = Case("careless", estimator, X, [0, 0, 0, 1, 1, 1], None)
    with pytest.raises(FaultError, match=message):
        check_case(case)

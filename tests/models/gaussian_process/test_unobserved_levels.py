from __future__ import annotations

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.link import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_latent import rank_probabilities
from autotype.models.gaussian_process.unobserved_levels import (
    LatentRows,
    complete_thresholds,
    observed_ranks,
)


@pytest.mark.parametrize("missing", [[0], [5], [0, 1], [4, 5], [2], [2, 3], [0, 2, 3, 5]])
@pytest.mark.parametrize("link", [PROBIT, LOGIT], ids=["probit", "logit"])
def test_each_unobserved_level_gets_a_small_share(missing, link):
    rng = np.random.default_rng(0)
    mean = rng.normal(size=200)
    observed = np.setdiff1d(np.arange(6), missing)
    thresholds = np.linspace(-1, 1, len(observed) - 1) if len(observed) > 2 else np.zeros(1)
    rows = LatentRows(mean=mean, variance=np.zeros(200), weight=np.ones(200), noise=0.3, link=link)
    complete = complete_thresholds(thresholds, observed, 6, rows)
    assert np.all(np.diff(complete) > 0)
    share = rank_probabilities(mean, np.zeros(200), complete, 0.3, link=link).mean(axis=0)
    assert np.all(share[missing] > 1e-4)
    assert np.all(share[missing] < 0.5 / 200 * 1.2)


def test_nothing_changes_where_all_levels_are_observed():
    thresholds = np.array([-1.0, 1.0])
    rows = LatentRows(mean=np.zeros(3), variance=np.zeros(3), weight=np.ones(3), noise=1.0)
    assert complete_thresholds(thresholds, np.arange(3), 3, rows) is thresholds


def test_outer_thresholds_stay_outside():
    rows = LatentRows(mean=np.full(5, 9.0), variance=np.zeros(5), weight=np.ones(5), noise=1.0)
    complete = complete_thresholds(np.array([0.0]), np.array([1, 2]), 4, rows)
    assert complete[0] < 0.0 < complete[2]


def test_dense_ranks():
    observed, dense = observed_ranks(np.array([4, 1, 4]), 6)
    assert observed.tolist() == [1, 4]
    assert dense.tolist() == [1, 0, 1]

from __future__ import annotations

import numpy as np
import pytest

from autotype.models.gaussian_process.solvers.interval_likelihood import LOGIT, PROBIT
from autotype.models.gaussian_process.solvers.ordinal_latent import (
    OrdinalObservations,
    rank_probabilities,
)
from autotype.models.gaussian_process.unobserved_levels import complete_thresholds


def completed(thresholds, observed, n_levels, mean, *, noise=1.0, link=PROBIT):
    ranks = np.arange(len(mean)) % len(observed)
    weight = np.ones(len(mean))
    data = OrdinalObservations(ranks, len(observed), weight, link, observed, n_levels)
    return complete_thresholds(
        thresholds, data, mean=mean, variance=np.zeros(len(mean)), noise=noise
    )


@pytest.mark.parametrize("missing", [[0], [5], [0, 1], [4, 5], [2], [2, 3], [0, 2, 3, 5]])
@pytest.mark.parametrize("link", [PROBIT, LOGIT], ids=["probit", "logit"])
def test_each_unobserved_level_gets_a_small_share(missing, link):
    rng = np.random.default_rng(0)
    mean = rng.normal(size=200)
    observed = np.setdiff1d(np.arange(6), missing)
    thresholds = np.linspace(-1, 1, len(observed) - 1) if len(observed) > 2 else np.zeros(1)
    complete = completed(thresholds, observed, 6, mean, noise=0.3, link=link)
    assert np.all(np.diff(complete) > 0)
    share = rank_probabilities(mean, np.zeros(200), complete, 0.3, link=link).mean(axis=0)
    assert np.all(share[missing] > 1e-4)
    assert np.all(share[missing] < 0.5 / 200 * 1.2)


def test_nothing_changes_where_all_levels_are_observed():
    thresholds = np.array([-1.0, 1.0])
    assert completed(thresholds, np.arange(3), 3, np.zeros(3)) is thresholds


def test_outer_thresholds_stay_outside():
    complete = completed(np.array([0.0]), np.array([1, 2]), 4, np.full(5, 9.0))
    assert complete[0] < 0.0 < complete[2]

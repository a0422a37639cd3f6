from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from autotype.fitting.explanation import latent_scale_of, latent_scores, levels_on_scale


def test_positions_and_thresholds_fit_the_scores_best() -> None:
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(4), 30)
    scores = logit(probabilities.cumsum(axis=1)[:, :-1])
    np.testing.assert_allclose(
        latent_scores(probabilities), np.clip(scores, *logit([0.001, 0.999]))
    )
    scores = latent_scores(probabilities)
    positions, thresholds = latent_scale_of(scores)
    rows, cuts = np.indices(scores.shape)
    design = np.hstack([-np.eye(30)[rows.ravel()], np.eye(3)[cuts.ravel()]])
    fitted = design @ np.linalg.lstsq(design, scores.ravel(), rcond=None)[0]
    np.testing.assert_allclose((thresholds - positions[:, None]).ravel(), fitted, atol=1e-12)
    assert abs(positions.mean()) < 1e-12


def test_a_model_of_one_scale_is_found_again() -> None:
    place, cuts = np.linspace(-1, 1, 9), np.array([-0.5, 0.4])
    cumulative = np.column_stack([np.zeros(9), expit(cuts - place[:, None]), np.ones(9)])
    positions, thresholds = latent_scale_of(latent_scores(np.diff(cumulative, axis=1)))
    np.testing.assert_allclose(positions, place, atol=1e-12)
    np.testing.assert_allclose(thresholds, cuts, atol=1e-12)


def test_a_level_without_rows_lies_between_its_thresholds() -> None:
    probabilities = np.array([[0.6, 0.2, 0.2], [0.5, 0.2, 0.3], [0.1, 0.2, 0.7]])
    found = levels_on_scale(probabilities, np.array([0, 0, 2]))
    assert found["level_means"][1] == sum(found["thresholds"]) / 2
    assert found["level_means"][0] < found["level_means"][2]
    assert found["level_sds"][0] > found["level_sds"][1] == found["level_sds"][2] == 0.0

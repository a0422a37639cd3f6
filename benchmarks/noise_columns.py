"""Columns that hold no information: tokens in random order, and predictors of pure noise."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from autotype.inference.column import Column
from autotype.inference.evidence.gather import gather_all
from autotype.inference.evidence.predictors import encode
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame

LEVELS = (3, 4, 5, 6, 8, 10)


def noise_frame(rng: np.random.Generator, n_levels: int, n_predictors: int) -> pd.DataFrame:
    """Draw a frame whose last column, `y`, is a discrete column of noise."""
    n_rows = int(rng.choice([60, 200, 300, 1000]))
    frame = pd.DataFrame({f"x{k}": rng.standard_normal(n_rows) for k in range(n_predictors)})
    tokens = np.array([f"q{k:02d}z" for k in rng.permutation(90)[:n_levels]])
    return frame.assign(y=tokens[rng.integers(0, n_levels, n_rows)])


def noise_evidence(n_columns: int = 60, *, seed: int = 0) -> Iterator[Column]:
    """Gather the evidence on columns of noise, `n_columns` of each number of levels."""
    rng = np.random.default_rng(seed)
    for n_levels in LEVELS:
        for _ in range(n_columns):
            frame = noise_frame(rng, n_levels, int(rng.integers(1, 9)))
            sample = sample_frame(frame, max_rows=1000, max_levels=20, seed=0)
            for column in sample.columns:
                triage(column, max_levels=20)
            design = encode(sample.columns)
            column = sample.columns[-1]
            column.excluded, column.reading = [column.position], column.labels
            gather_all([column], design)
            yield column

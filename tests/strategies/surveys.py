"""A survey of 207 columns as a questionnaire makes it: batteries, boxes to tick, codes and text."""

from __future__ import annotations

import numpy as np
import pandas as pd

AGREE = ("strongly disagree", "disagree", "neither", "agree", "strongly agree")
OFTEN = ("never", "rarely", "sometimes", "often", "always")
BATTERIES = {
    "trust": (("none at all", "a little", "some", "a lot"), 18),
    "att": (AGREE, 40),
    "freq": (OFTEN, 25),
    "sat": ((*AGREE, "don't know"), 15),
    "rate": (tuple(range(1, 8)), 12),
}
N_COLUMNS = 207


def make_survey(n_rows: int = 400, seed: int = 1) -> pd.DataFrame:
    """Draw a survey whose batteries each follow one latent trait."""
    random = np.random.default_rng(seed)
    columns: dict[str, object] = {"respondent": [f"R{k:06d}" for k in range(n_rows)]}
    columns["interviewed"] = pd.date_range("2025-03-01", periods=n_rows, freq="h")
    columns["wave"] = "2025"
    for stem, (levels, n_items) in BATTERIES.items():
        trait = random.standard_normal(n_rows)
        for item in range(n_items):
            score = trait + random.standard_normal(n_rows) + 0.4 * random.standard_normal()
            if item % 7 == 6:
                score = -score
            on_scale = [level for level in levels if level != "don't know"]
            cuts = np.quantile(trait, np.linspace(0, 1, len(on_scale) + 1)[1:-1])
            answers = np.array(on_scale, dtype=object)[np.digitize(score, cuts)]
            if len(on_scale) < len(levels):
                answers[random.random(n_rows) < 0.05] = "don't know"
            answers[random.random(n_rows) < 0.03] = None
            columns[f"{stem}_{item + 1}"] = answers
    for item in range(40):
        ticked = random.random(n_rows) < 0.1 + 0.02 * item
        columns[f"media_{item + 1}"] = np.where(ticked, "yes", "no")
    for name, levels in {
        "region": ("North", "East", "South", "West", "Centre"),
        "work": ("employed", "retired", "student", "at home", "other"),
        "party": ("Lyra", "Orion", "Vega", "Draco"),
        "education": ("primary school", "secondary school", "bachelor", "master", "doctorate"),
        "income": ("under 1000", "1000-1999", "2000-2999", "3000 or more"),
    }.items():
        columns[name] = random.choice(np.array(levels, dtype=object), n_rows)
    for item in range(20):
        columns[f"code_{item + 1}"] = random.integers(1, 5 + item % 6, n_rows)
    for item in range(12):
        columns[f"minutes_{item + 1}"] = np.round(random.gamma(2, 15, n_rows), 1)
    for item in range(6):
        columns[f"visits_{item + 1}"] = random.poisson(9, n_rows)
    words = ["the", "a", "more", "less", "time", "work", "home", "school", "people", "money"]
    for item in range(6):
        columns[f"comment_{item + 1}"] = [
            " ".join(random.choice(words, random.integers(4, 14))) for _ in range(n_rows)
        ]
    for item in range(5):
        columns[f"version_{item + 1}"] = "A"
    return pd.DataFrame(columns)

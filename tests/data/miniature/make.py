"""Write the miniature of the labelled corpora: 30 columns of 15 invented frames.

usage: python tests/data/miniature/make.py

Each frame has an ordinal and a categorical column, and predictors: of the ordinal column a number
that rises with its rank, of the categorical one numbers whose means have no order. In every third
frame the predictors are noise.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent
N_ROWS = 60
SCALES = {
    "satisfaction": ["very dissatisfied", "dissatisfied", "satisfied", "very satisfied"],
    "size": ["S", "M", "L", "XL"],
    "frequency": ["never", "sometimes", "often", "always"],
    "pain": ["none", "mild", "moderate", "severe"],
    "education": ["primary school", "secondary school", "bachelor", "master"],
    "agreement": ["1", "2", "3", "4", "5"],
    "priority": ["low", "medium", "high"],
    "age_group": ["18-29", "30-44", "45-59", "60+"],
    "vigour": ["lumpish", "stirring", "brisk", "rampant"],
    "risk_class": ["1", "2", "3", "4"],
    "quality": ["poor", "fair", "good", "excellent"],
    "income_band": ["0-999", "1000-1999", "2000-2999", "3000+"],
    "ripeness": ["green", "turning", "ripe", "overripe"],
    "difficulty": ["easy", "medium", "hard", "very hard"],
    "grade": ["D", "C", "B", "A"],
}
NAMES = {
    "region": ["north", "south", "east", "west"],
    "channel": ["shop", "web", "phone", "fair"],
    "branch": ["11", "23", "37", "42"],
    "colour": ["red", "blue", "green", "white"],
    "blood_type": ["A", "B", "AB", "O"],
    "material": ["wood", "steel", "glass", "stone"],
    "animal": ["dog", "cat", "horse", "rabbit"],
    "city": ["Berlin", "Lyon", "Turin", "Porto"],
    "ward": ["1", "2", "3", "4", "5"],
    "payment": ["cash", "card", "invoice"],
    "sport": ["tennis", "rowing", "judo", "golf"],
    "fuel": ["petrol", "diesel", "gas", "electric"],
    "language": ["French", "Polish", "Greek", "Danish"],
    "plan": ["Vega", "Lyra", "Altair", "Orion"],
    "fruit": ["apple", "plum", "cherry", "pear"],
}


def frame_of(k: int, scale: list[str], names: list[str]) -> tuple[dict, tuple]:
    """Draw predictors, and the values of the ordinal and of the categorical column."""
    rng = np.random.default_rng(k)
    rank = rng.integers(0, len(scale), N_ROWS)
    group = rng.integers(0, len(names), N_ROWS)
    strength = 0.0 if k % 3 == 2 else 1.5
    means = rng.permutation(len(names)) * 1.0
    return {
        "score": (strength * rank + rng.standard_normal(N_ROWS)).round(2),
        "length": (strength * means[group] + rng.standard_normal(N_ROWS)).round(2),
        "weight": (strength * (group == 1) * 3 + rng.standard_normal(N_ROWS)).round(2),
    }, (np.array(scale)[rank], np.array(names)[group])


def main() -> None:
    rows = []
    (FOLDER / "frames").mkdir(exist_ok=True)
    for k, ((scale, order), (name, names)) in enumerate(
        zip(SCALES.items(), NAMES.items(), strict=True)
    ):
        predictors, (ordinal, categorical) = frame_of(k, order, names)
        file = f"frames/{scale}.csv"
        frame = pd.DataFrame({scale: ordinal, name: categorical, **predictors})
        frame.to_csv(FOLDER / file, index=False, lineterminator="\n")
        for column, truth, levels in ((scale, "ordinal", order), (name, "categorical", [])):
            coding = "number" if frame[column].str.isdigit().all() else "text"
            row = {"dataset": scale, "file": file, "column": column, "truth": truth}
            row |= {"order": json.dumps(levels), "coding": coding, "family": scale}
            rows.append(row)
    pd.DataFrame(rows).to_csv(FOLDER / "labels.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()

"""Find the one scale of a battery of questions, one of them reversed, and draw the answers.

The answers are in Spanish, and invented.
"""

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

import autotype
from autotype.plots import plot_likert

mpl.use("Agg")  # write a file, open no window
ANSWERS = np.array(
    [
        "Totalmente en desacuerdo",
        "En desacuerdo",
        "Ni de acuerdo ni en desacuerdo",
        "De acuerdo",
        "Totalmente de acuerdo",
    ]
)


def answers() -> pd.DataFrame:
    """Return the answers of 400 people on a course."""
    rng = np.random.default_rng(1)
    mood = rng.normal(0.3, 1.0, 400)
    questions = {"claro": 0.4, "útil": 0.0, "bien preparado": 0.8, "al día": -0.3, "aburrido": -0.6}
    ranks = {
        name: np.digitize(
            (-1 if name == "aburrido" else 1) * mood + shift + noise, [-1.5, -0.5, 0.5, 1.5]
        )
        for (name, shift), noise in zip(
            questions.items(), rng.normal(0, 0.7, (5, 400)), strict=True
        )
    }
    return pd.DataFrame({name: ANSWERS[rank] for name, rank in ranks.items()})


def main() -> None:
    types = autotype.infer_types(answers())
    (scale,) = types.scales
    print(" < ".join(scale.order))
    print(f"{len(scale.columns)} questions have it; reversed: {', '.join(scale.reversed)}")
    ax = plot_likert(types)
    ax.figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()

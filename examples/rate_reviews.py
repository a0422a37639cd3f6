"""Predict stars from review texts with LinearNPSVOR; the reviews are synthetic."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from autotype.models import LinearNPSVORCV

mpl.use("Agg")  # write a file, open no window

STARS = ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"]
WORDS = {
    0: ["broken", "refund", "awful", "never again"],
    1: ["late", "disappointing", "noisy", "flimsy"],
    2: ["okay", "average", "as described", "fine"],
    3: ["good", "solid", "quick", "comfortable"],
    4: ["excellent", "love it", "perfect", "best"],
}
FILLERS = ["the box", "delivery", "my sister", "this one", "the colour", "last week", "the shop"]


def write_reviews(n: int) -> pd.DataFrame:
    """Invent reviews whose words come from their stars and the stars next to them."""
    rng = np.random.default_rng(0)
    rows = []
    for stars in rng.integers(0, 5, n):
        near = np.clip(stars + rng.choice([-1, 0, 0, 0, 1], size=4), 0, 4)
        words = [rng.choice(WORDS[int(level)]) for level in near]
        text = " ".join(rng.permutation([*words, *rng.choice(FILLERS, 3)]))
        rows.append((text, STARS[stars]))
    frame = pd.DataFrame(rows, columns=["text", "stars"])
    return frame.astype({"stars": pd.CategoricalDtype(STARS, ordered=True)})


def main() -> None:
    reviews = write_reviews(1_500)
    train, test = reviews[:1_000], reviews[1_000:]
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LinearNPSVORCV())
    model.fit(train["text"], train["stars"])
    # Text features have no index: the predictions are a Categorical, matched by position.
    rated = test.assign(guess=model.predict(test["text"]))
    distance = (rated["guess"].cat.codes - rated["stars"].cat.codes).abs()
    print(f"C chosen by cross-validation: {model[-1].C_:g}")
    print(f"mean distance from the true stars: {distance.mean():.2f}")
    print(rated["guess"].head(3).to_string())
    shares = pd.crosstab(rated["stars"], rated["guess"], normalize="index")
    ax = shares.plot.barh(stacked=True, colormap="viridis", title="Predicted stars, by true stars")
    ax.legend(title="predicted", bbox_to_anchor=(1, 1))
    ax.figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()

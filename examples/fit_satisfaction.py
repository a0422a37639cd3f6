"""Predict an ordinal column of a survey from the others, and compare the model with baselines.

Run: python examples/fit_satisfaction.py
It draws what customers who gave no answer would say.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import pandas as pd

import autotype

mpl.use("Agg")  # write a file, open no window

SURVEY = Path(__file__).with_name("survey.csv")


def main() -> None:
    survey = pd.read_csv(SURVEY)
    types = survey.ordinal.infer_types()
    model = survey.ordinal.fit("satisfaction", types)
    print(model.summary())

    predicted = model.predict(survey)
    answered = survey["satisfaction"].isin(model.levels)
    close = autotype.metrics.accuracy_within(
        survey.loc[answered, "satisfaction"], predicted[answered], k=1, labels=model.levels
    )
    print(f"\nAt most one level off: {close:.0%} of the rows fitted to")

    unanswered = survey[~answered]
    print(f"\nWhat the {len(unanswered)} customers without an answer would say:")
    answers = model.predict(unanswered).value_counts(sort=False)  # in the order of the scale
    print(answers.to_string())
    ax = answers.plot.barh(title="What those without an answer would say", ylabel="")
    ax.figure.savefig(Path(__file__).with_suffix(".png"), bbox_inches="tight")


if __name__ == "__main__":
    main()

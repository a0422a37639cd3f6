"""Correct a report, and keep the decisions in a file for the next run.

`types.review()` does the same by clicks in a notebook, `autotype review survey.csv` in the browser.
"""

import tempfile
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd

import autotype

mpl.use("Agg")  # write a file, open no window


def main() -> None:
    survey = pd.read_csv(Path(__file__).with_name("survey.csv"))
    types = autotype.infer_types(survey)
    revised = types.revise(plan=["Vega", "Lyra", "Altair", "Orion"], region="categorical")
    print("plan:", types["plan"].semantic_type, "->", " < ".join(revised["plan"].order))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "known.toml"
        revised.to_known(path, stated=True)
        print(path.read_text())
        again = autotype.infer_types(survey, known=path)  # the next run needs no answers

    figure, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    for ax, (title, report) in zip(axes, {"before": types, "after": again}.items(), strict=True):
        autotype.plot(survey, "plan", report, kind="counts", ax=ax)
        ax.set_title(title)
    figure.savefig(Path(__file__).with_suffix(".png"))


if __name__ == "__main__":
    main()

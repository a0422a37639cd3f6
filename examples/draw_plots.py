"""Draw a column on its latent scale, a report, and the latent function of a Gaussian process.

usage: python draw_plots.py [FOLDER]
"""

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd

import autotype
from autotype.plots import plot_latent

mpl.use("Agg")  # write files, open no windows
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def save(ax, name: str) -> None:
    ax.figure.savefig(folder / name, dpi=80)
    print(f"{name} is drawn")


survey = pd.read_csv(Path(__file__).with_name("survey.csv"))
types = survey.ordinal.infer_types()
save(survey.ordinal.plot("satisfaction", types), "column.png")
save(types.plot(), "report.png")

random = np.random.default_rng(0)
tests = pd.DataFrame(random.uniform(-1, 1, (150, 2)), columns=["hardness", "strain"])
wear = tests["hardness"] + tests["strain"] ** 2 + 0.15 * random.normal(size=150)
grade = pd.cut(wear, [-np.inf, 0, 0.7, np.inf], labels=["worn", "fair", "sound"])
model = autotype.models.GPOrdinalClassifier().fit(tests, grade)
save(plot_latent(model, tests, grade), "latent.png")

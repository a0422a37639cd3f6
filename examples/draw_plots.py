"""Draw a column on its latent scale, and a report.

usage: python draw_plots.py [FOLDER]
"""

import sys
from pathlib import Path

import matplotlib as mpl
import pandas as pd

import autotype  # noqa: F401 - registers df.ordinal

mpl.use("Agg")  # write files, open no windows
folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")


def save(ax, name: str) -> None:
    ax.figure.savefig(folder / name, dpi=80)
    print(f"{name} is drawn")


survey = pd.read_csv(Path(__file__).with_name("survey.csv"))
types = survey.ordinal.infer_types()
save(survey.ordinal.plot("satisfaction", types), "column.png")
save(types.plot(), "report.png")

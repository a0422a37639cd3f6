"""Draw the scales of an election survey, each along the latent scale of its ordinal model.

The survey is that of the tutorial: 944 voters of 1996.
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd

import autotype

mpl.use("Agg")  # write a file, open no window
COLUMNS = ["party", "self_placement", "education", "clinton_placement"]

survey = pd.read_csv(Path(__file__).with_name("election.csv"))
types = autotype.infer_types(survey)
figure, axes = plt.subplots(2, 2, figsize=(12, 8), layout="constrained")
for name, ax in zip(COLUMNS, axes.flat, strict=True):
    survey.ordinal.plot(name, types, ax=ax)
    print(f"{name}: the order is right with probability {types[name].order_probability:.2f}")
figure.savefig(Path(__file__).with_suffix(".png"), dpi=80)

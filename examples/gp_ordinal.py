"""Predict a graded outcome with probabilities, and inspect the latent scale."""

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from autotype.models import GPOrdinalClassifier

mpl.use("Agg")  # write a file, open no window

LEVELS = ["stable", "mild", "marked", "severe"]

X, progression = load_diabetes(return_X_y=True, as_frame=True)
X = X[["bmi", "bp", "s5"]] / X[["bmi", "bp", "s5"]].std()
grade = pd.cut(progression, [0, 90, 150, 220, 400], labels=LEVELS)  # an ordered Categorical
X_train, X_test, y_train, y_test = train_test_split(X, grade, random_state=0)

model = GPOrdinalClassifier("ard-rbf").fit(X_train, y_train)

predicted = model.predict(X_test)  # a Series of the same ordered dtype
error = np.abs(predicted.cat.codes - y_test.cat.codes).mean()
median = np.abs(y_train.cat.codes.median() - y_test.cat.codes).mean()
print(f"mean absolute error in grades: {error:.2f} (always the median grade: {median:.2f})")
print("thresholds on the latent scale:", model.thresholds_.round(2))
print("relevance:", dict(zip(X.columns, model.relevance_.round(2).tolist(), strict=True)))

latent, spread = model.predict_latent(X_test[:3], return_std=True)
table = pd.DataFrame(model.predict_proba(X_test[:3]), columns=LEVELS).round(2)
print(table.assign(latent=latent.round(2), spread=spread.round(2)).to_string(index=False))

curves = pd.DataFrame(
    model.predict_proba(X_test), columns=LEVELS, index=model.predict_latent(X_test)
)
ax = curves.sort_index().plot.area(colormap="viridis", title="Probabilities of the grades")
ax.set(xlabel="latent function of a test row", ylim=(0, 1))
ax.figure.savefig(Path(__file__).with_suffix(".png"))

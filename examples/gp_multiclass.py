"""Predict unordered classes with probabilities that show where the model is uncertain."""

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from autotype.models import GPMulticlassClassifier

mpl.use("Agg")  # write a file, open no window

wine = load_wine(as_frame=True)
X = wine.data[["alcohol", "color_intensity", "flavanoids"]]
X = (X - X.mean()) / X.std()
kind = wine.target.map(dict(enumerate(["barolo", "grignolino", "barbera"]))).astype("category")
X_train, X_test, y_train, y_test = train_test_split(X, kind, random_state=0)

for inference in ("laplace", "ep"):
    model = GPMulticlassClassifier(inference=inference).fit(X_train, y_train)
    predicted = model.predict(X_test)  # a Series of the same dtype
    own = pd.DataFrame(model.predict_proba(X_test), columns=model.classes_, index=X_test.index)
    log_likelihood = np.log([own.at[row, label] for row, label in y_test.items()]).mean()
    print(
        f"{inference:8} accuracy {np.mean(predicted == y_test):.2f}, "
        f"log likelihood a row {log_likelihood:.2f} "
        f"(left out in training {model.loo_log_likelihood_ / len(X_train):.2f})"
    )

far = X.mean().to_frame().T + 6.0  # far from all training rows
guess = model.predict_proba(far)[0].round(2).tolist()
print("far from all rows:", dict(zip(model.classes_, guess, strict=True)))

shown = X_test.assign(certainty=model.predict_proba(X_test).max(axis=1))
ax = shown.plot.scatter("color_intensity", "flavanoids", c="certainty", colormap="viridis")
ax.set_title("Probability of the predicted kind of wine")
ax.figure.savefig(Path(__file__).with_suffix(".png"))

"""Fit a curve to three points and to preferences between pairs of other points.

The toy problem of Zhu and Goldberg (2007, figure 1). With matplotlib installed it is drawn to
order_preferences.png.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from autotype.models import OrderPreferenceRegressor, Preferences

N_PAIRS = (0, 1, 10)
rng = np.random.default_rng(3)


def target(x):
    return 8 * (x - 0.6) * (x - 0.1) * (x + 0.5)


def higher_first(pairs, x):
    """Turn each pair so that the row with the larger target comes first, without its value."""
    turned = target(x[pairs[:, 0]]) < target(x[pairs[:, 1]])
    return np.where(turned[:, None], pairs[:, ::-1], pairs)


x_known = np.array([-0.3, 0.2, 0.75])
x_other = rng.uniform(-0.7, 0.8, size=20)  # their targets are not known
x = np.concatenate([x_known, x_other])
y = np.concatenate([target(x_known), np.full(20, np.nan)])
pairs = higher_first(np.arange(3, 23).reshape(10, 2), x)

grid = np.linspace(-0.7, 0.8, 200)
models = {}
print("preferences  violated  mean error")
for n in N_PAIRS:
    model = OrderPreferenceRegressor(lambda1=0.0, gamma=2.0)
    model.fit(x[:, None], y, preferences=Preferences(pairs[:n]))
    models[f"with {n} of the pairs"] = model
    error = np.abs(model.predict(grid[:, None]) - target(grid)).mean()
    violated = len(model.violated_preferences_)
    print(f"{n:11}  {violated:8}  {error:10.2f}")

if find_spec("matplotlib"):
    import matplotlib as mpl
    from matplotlib import pyplot

    mpl.use("Agg")  # write a file, open no window
    fig, ax = pyplot.subplots(layout="constrained")
    ax.plot(grid, target(grid), "k:", label="target")
    for name, model in models.items():
        ax.plot(grid, model.predict(grid[:, None]), label=name)
    ax.plot(x_known, target(x_known), "ko", label="known")
    ax.legend()
    fig.savefig(Path(__file__).with_suffix(".png"))

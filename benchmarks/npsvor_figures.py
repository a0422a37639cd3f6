"""Pictures of the NPSVOR paper's figures 3, 4, 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot as plt

COLOURS = ("#CC79A7", "#E69F00", "#0072B2", "#009E73")  # Okabe and Ito
LINES = ("-", (0, (5, 2)), (0, (1, 1.5)), "-.")


def draw_regions(models: Mapping[str, Any], X: np.ndarray, y: np.ndarray, file: Path) -> None:
    """Draw the predicted rank over the plane, the planes of the ranks, and the rows."""
    fig, axes = plt.subplots(1, len(models), figsize=(9.0, 4.4), sharey=True, layout="constrained")
    line = np.linspace(-3, 3, 301)
    plane = np.stack(np.meshgrid(line, line), axis=-1)
    for ax, (name, model) in zip(axes, models.items(), strict=True):
        ranks = model.predict(plane.reshape(-1, 2)).reshape(len(line), -1)
        ax.contourf(line, line, ranks, [0.5, 1.5, 2.5, 3.5], colors=COLOURS[:3], alpha=0.25)
        values = model.decision_values(plane.reshape(-1, 2))
        for rank, (colour, marker) in enumerate(zip(COLOURS[:3], "sod", strict=True)):
            ax.contour(line, line, values[:, rank].reshape(len(line), -1), [0.0], colors=colour)
            rows = X[y == rank + 1]
            ax.plot(*rows.T, marker, color=colour, mec="w", mew=0.5, label=f"rank {rank + 1}")
        ax.set(title=name, aspect="equal", xlabel="first feature")
    axes[0].set_ylabel("second feature")
    axes[0].legend(loc="lower left")
    fig.savefig(file, dpi=80)
    plt.close(fig)


def draw_confusions(shares: Mapping[tuple[str, str], np.ndarray], file: Path) -> None:
    """Draw a grid of confusion matrices: sets down, methods across."""
    titles = list(dict.fromkeys(title for title, _ in shares))
    names = list(dict.fromkeys(name for _, name in shares))
    fig, axes = plt.subplots(
        len(titles),
        len(names),
        figsize=(2.3 * len(names), 2.4 * len(titles)),
        squeeze=False,
        layout="constrained",
    )
    for row, title in zip(axes, titles, strict=True):
        for ax, name in zip(row, names, strict=True):
            table = shares[title, name]
            ax.imshow(table, cmap="Blues", vmin=0, vmax=100)
            for (i, j), share in np.ndenumerate(table):
                ink = "white" if share > 60 else "black"
                ax.text(j, i, f"{share:.0f}", ha="center", va="center", color=ink, fontsize=8)
            ticks = np.arange(len(table))
            ax.set_xticks(ticks, ticks + 1)
            ax.set_yticks(ticks, ticks + 1)
            ax.set_title(name)
        row[0].set_ylabel(title.replace(", ", ",\n"))
    fig.supxlabel("predicted rank; shares of the rows of a true rank, in per cent")
    fig.savefig(file, dpi=80)
    plt.close(fig)


def draw_curves(
    costs: np.ndarray, curves: Mapping[str, Mapping[str, np.ndarray]], file: Path
) -> None:
    """Draw the error of each method against C, a panel a set."""
    fig, axes = plt.subplots(
        1, len(curves), figsize=(3.2 * len(curves), 3.4), squeeze=False, layout="constrained"
    )
    for ax, (title, methods) in zip(axes[0], curves.items(), strict=True):
        for (name, values), colour, dashes in zip(methods.items(), COLOURS, LINES, strict=True):
            ax.plot(costs, values, color=colour, ls=dashes, label=name)
        ax.set_xscale("log", base=2)
        ax.set(title=title, xlabel="C")
    axes[0][0].set_ylabel("mean absolute error on test rows")
    axes[0][0].legend()
    fig.savefig(file, dpi=80)
    plt.close(fig)


def draw_descents(curves: dict[str, list[tuple[float, float]]], path: Path) -> None:
    """Draw the distance of solvers to the optimum against their time, on logarithmic axes."""
    fig, ax = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
    for name, points in curves.items():
        seconds, distances = zip(*points, strict=True)
        ax.loglog(seconds, np.maximum(distances, 1e-12), marker="o", label=name)
    ax.set_xlabel("CPU seconds, all five ranks")
    ax.set_ylabel("relative distance of rank 3's dual\nobjective to the optimum")
    ax.legend(frameon=False)
    fig.savefig(path, dpi=100)
    plt.close(fig)

"""Measure the verdict: held-out tables, reliability, ablation, noise and known data sets.

usage: python benchmarks/verdict.py [DATA] [--plot FILE.png] [--held-out-only] [--n-jobs N]

Figures on the labelled corpora come from folds that keep a family together. Then: 1,000 columns of
pure noise, the seven whole frames, and the data sets of Hernandez-Lobato et al. (2014).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from fit_verdict import (
    calibration,
    choose_penalty,
    design,
    held_out,
    held_out_scores,
    once,
    order_design,
    summary,
    supported,
)
from labelled_columns import (
    FORMS,
    LabelledColumn,
    data_folder,
    gather,
    order_is_exact,
    read_frame,
)
from matplotlib.axes import Axes
from ordinal_partitions import frequency_bins
from sklearn.metrics import log_loss, roc_auc_score

import autotype
from autotype.inference.learned import load_learned

# Groups of features that the ablation drops together.
GROUPS = {
    "label texts": ("label_", "understood"),
    "columns alike": ("columns_alike", "numbers_"),
    "agreement of codes and data": ("suggested_",),
    "column name": ("name_",),
    "sizes": ("inverse_levels", "log_rows"),
    "model comparison": ("predictability", "evidence_gain", "captured"),
    "certainty of the order": ("order_weight",),
}
PAPER_SETS = {
    "auto_mpg": 5,
    "boston": 5,
    "forest_fires": 3,
    "yacht": 5,  # bins of a continuous target
    "glass": 0,
    "iris": 0,
    "new_thyroid": 0,
    "wine": 0,
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--plot", type=Path, help="write the reliability diagrams")
    parser.add_argument(
        "--held-out-only", action="store_true", help="leave out ablation, noise and whole frames"
    )
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args(argv)
    folder = data_folder(options.data)
    columns = [c for c in gather(folder, n_jobs=options.n_jobs) if c.evidence is not None]
    X, truth, weight, families = design(columns, held_out_scores(folder))
    penalty = choose_penalty(X, truth, weight, families)
    p = held_out(X, truth, weight, families, penalty=penalty)
    form = np.array([column.form for column in columns])
    print("Held out by family\n" + shown(summary(columns, p)))
    print("\nThe probability of the order, by its source\n" + shown(calibration(columns)))
    print("\nReliability, plain\n" + shown(reliability(p[form == "plain"], truth[form == "plain"])))
    plain = form == "plain"
    final = np.array([supported(*pair) for pair in zip(p, columns, strict=True)])
    print(
        "\nOther shares of ordinal columns, plain\n"
        + shown(share_shift(final[plain], truth[plain], once(columns)[plain]))
    )
    if options.plot:
        plot_reliability(columns, final, options.plot)
    if options.held_out_only:
        return 0
    print(
        "\nAblation: AUC and log loss without\n"
        + shown(ablation(X, truth, weight, families, form=form, penalty=penalty))
    )
    print("\n1,000 columns of pure noise:", dict(noise()))
    print("\nWhole frames\n" + shown(whole_frames(folder)))
    print("\nThe data sets of 2014\n" + shown(paper_sets(folder)))
    return 0


def shown(table: pd.DataFrame) -> str:
    return table.to_string(float_format="{:.3f}".format)


def reliability(p: np.ndarray, truth: np.ndarray) -> pd.DataFrame:
    """Tabulate the mean probability against the share of ordinal columns, in tenths."""
    tenth = np.clip((p * 10).astype(int), 0, 9)
    rows = {
        f"{k / 10:.1f}-{(k + 1) / 10:.1f}": {
            "n": (tenth == k).sum(),
            "mean probability": p[tenth == k].mean(),
            "true": truth[tenth == k].mean(),
        }
        for k in sorted(set(tenth))
    }
    return pd.DataFrame(rows).T


def share_shift(p: np.ndarray, truth: np.ndarray, weight: np.ndarray) -> pd.DataFrame:
    """Tabulate how calibration moves with the share of ordinal columns."""
    rows = {}
    for share in (0.25, 0.4, 0.65):
        own = weight * np.where(
            truth, share / weight[truth].sum(), (1 - share) / weight[~truth].sum()
        )
        tenth = np.clip((p * 10).astype(int), 0, 9)
        error = sum(abs(((p - truth) * own)[tenth == k].sum()) for k in set(tenth))
        decided = (p >= 2 / 3) | (p <= 1 / 3)
        rows[f"{share:.0%}"] = {
            "mean probability": p @ own,
            "calibration error": error,
            "right": ((p > 0.5) == truth)[decided] @ own[decided] / own[decided].sum(),
            "ordinal of those called so": truth[p >= 2 / 3]
            @ own[p >= 2 / 3]
            / own[p >= 2 / 3].sum(),
            "categorical of those called so": (~truth)[p <= 1 / 3]
            @ own[p <= 1 / 3]
            / own[p <= 1 / 3].sum(),
        }
    return pd.DataFrame(rows).T


def ablation(X, truth, weight, families, *, form: np.ndarray, penalty: float) -> pd.DataFrame:
    """Compute AUC and log loss of each form without a group of features."""
    rows = {}
    for name, starts in {"nothing": ("-",), **GROUPS}.items():
        kept = [c for c in X.columns if not c.startswith(starts)]
        p = held_out(X[kept], truth, weight, families, penalty=penalty)
        rows[name] = {
            f"{f} {figure}": value(truth[form == f], p[form == f])
            for f in ("plain", "codes", "blind")
            for figure, value in (("auc", roc_auc_score), ("loss", log_loss))
        }
    return pd.DataFrame(rows).T


def noise(n_frames: int = 50, n_columns: int = 20) -> Counter:
    """Count the verdicts on columns that nothing predicts, with meaningless levels, L = 3..12."""
    rng = np.random.default_rng(0)
    verdicts: Counter = Counter()
    for seed in range(n_frames):
        n_rows = int(rng.choice([60, 300, 1000, 3000]))
        frame = {f"x{k}": rng.standard_normal(n_rows) for k in range(rng.choice([3, 10, 60]))}
        frame |= {f"g{k}": rng.choice(list("abcdef"), n_rows) for k in range(4)}
        names = [f"y{k}" for k in range(n_columns)]
        for name in names:
            n_levels = int(rng.integers(3, 13))
            tokens = [f"q{k:02d}z" for k in rng.permutation(90)[:n_levels]]
            levels = np.array(tokens if rng.random() < 0.67 else list(range(n_levels)))
            frame[name] = levels[rng.integers(0, n_levels, n_rows)]
        types = autotype.infer_types(pd.DataFrame(frame), columns=names, random_state=seed)
        verdicts.update(column.semantic_type for column in types.values())
    return verdicts


def whole_frames(folder: Path) -> pd.DataFrame:
    """Tabulate verdicts and orders on the frames that the profiling tools were measured on."""
    labels = pd.read_csv(folder / "full-frames" / "labels.csv")
    rows = {}
    for file, group in labels.groupby("file"):
        types = autotype.infer_types(read_frame(folder, "full-frames", file))
        ordinal = group[group["truth"] == "ordinal"]
        nominal = group[group["truth"] != "ordinal"]
        text = ordinal[ordinal["coding"] == "text"]
        rows[Path(file).name.split(".")[0]] = {
            "ordinal": len(ordinal),
            "called ordinal": sum(types[c].semantic_type == "ordinal" for c in ordinal["column"]),
            "text orders": len(text),
            "exact": sum(
                order_is_exact(tuple(json.loads(row.order)), types[row.column].best_order)
                for row in text.itertuples()
            ),
            "nominal": len(nominal),
            "nominal called ordinal": sum(
                types[c].semantic_type == "ordinal" for c in nominal["column"]
            ),
        }
    table = pd.DataFrame(rows).T
    return pd.concat([table, table.sum().to_frame("all").T])


def paper_sets(folder: Path) -> pd.DataFrame:
    """Tabulate the verdicts on the eight sets of the 2014 paper, levels hidden."""
    rows = {}
    for name, n_bins in PAPER_SETS.items():
        frame = pd.read_csv(folder / "papers" / "ordinal_or_categorical" / f"{name}.csv")
        target = frame.columns[-1]
        if n_bins:
            frame[target] = frequency_bins(frame[target].to_numpy(dtype=float), n_bins)
        column = autotype.infer_types(frame, columns=[target], label_text=False)[target]
        rows[name] = {
            "truth": "ordinal" if n_bins else "categorical",
            "verdict": column.semantic_type,
            "p": column.probability,
            "predictability": column.evidence.get("predictability", 0.0),
        }
    return pd.DataFrame(rows).T


def plot_reliability(columns: Sequence[LabelledColumn], p: np.ndarray, path: Path) -> None:
    """Draw the reported probabilities, and those of the order, against what is true."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.8), sharey=True, layout="constrained")
    form = np.array([column.form for column in columns])
    truth = np.array([column.ordinal for column in columns])
    for name in FORMS:
        _draw_reliability(left, p[form == name], truth[form == name], label=name)
    thresholds = load_learned()
    for bound in (thresholds.categorical_threshold, thresholds.ordinal_threshold):
        left.axvline(bound, color="0.85", linewidth=1, zorder=0)
    left.set(xlabel="P(ordinal), as reported", ylabel="share", title="Share that is ordinal")
    X, exact, weight, families = order_design(columns)
    sure = held_out(X, exact, weight, families, penalty=0.3)
    form = form[truth]
    for name in ("plain", "blind"):
        _draw_reliability(right, sure[form == name], exact[form == name], label=name)
    right.set(xlabel="P(order is exactly right)", title="Share whose order is exact")
    for axes in (left, right):
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1, zorder=0)
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        axes.legend(loc="upper left", frameon=False)
    figure.savefig(path, dpi=100)


def _draw_reliability(axes: Axes, p: np.ndarray, truth: np.ndarray, *, label: str) -> None:
    """Draw tenths of p with 90% Wilson intervals of their shares; of 5 columns or more."""
    table = reliability(p, truth)
    table = table[table["n"] >= 5]
    n, share, z = table["n"], table["true"], 1.645
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    below, above = share - centre + half, centre + half - share
    axes.errorbar(
        table["mean probability"],
        share,
        yerr=np.array([below, above]).clip(0),
        marker="o",
        markersize=4,
        linewidth=1.2,
        elinewidth=0.8,
        label=f"{label}, {len(p):,} columns",
    )


if __name__ == "__main__":
    sys.exit(main())

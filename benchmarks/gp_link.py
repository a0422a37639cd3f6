"""The probit and the logit link of GPOrdinalClassifier on the same partitions, mord beside them.

usage: python benchmarks/gp_link.py [DATA] [--sets NAME ...] [--kernel NAME]
                                    [--inference laplace|ep] [--share-prior K] [--partitions N]

Sets and partitions are those of `gp_accuracy.py`. Columns: mean negative log likelihood of each
link, of the link that has the larger evidence or leave-one-out score in a partition, and of mord's
LogisticAT; logit less probit, and either less mord, with the standard error of the paired
difference; MAE of `predict` of both and of the peer, and of the medians of both; median CPU time of
fit and predictions, logit over probit.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from gp_accuracy import Model, classifier, scores
from labelled_columns import data_folder
from ordinal_partitions import Partition, chosen_sets, partitions

from autotype.models import GPOrdinalClassifier

LINKS = ("probit", "logit")
LIKELIHOODS = (*LINKS, "by evidence", "by leave-one-out", "mord")
DIFFERENCES = (("logit", "probit"), ("probit", "mord"), ("logit", "mord"))
COLUMNS = (
    *LIKELIHOODS,
    *(f"{one} less {other}" for one, other in DIFFERENCES),
    "MAE probit / logit / mord",
    "of medians",
    "CPU",
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="+", default=["lev", "contact-lenses"])
    parser.add_argument("--kernel", default="rbf")
    parser.add_argument("--inference", default="laplace", choices=["laplace", "ep"])
    parser.add_argument("--share-prior", type=float, default=2.0)
    parser.add_argument("--partitions", type=int, default=20)
    options = parser.parse_args(argv)
    data = data_folder(options.data)
    peer = peer_model()
    warnings.simplefilter("ignore")  # after the peers' own filters
    print(f"| set | {' | '.join(COLUMNS)} |", "| --- " * (len(COLUMNS) + 1) + "|", sep="\n")
    for name in chosen_sets(data, options.sets):
        parts = partitions(data, name, options.partitions)
        settings = {
            "kernel": options.kernel,
            "inference": options.inference,
            "share_prior": options.share_prior,
        }
        runs = [run(part, peer, settings) for part in parts]
        print(f"| {name} | {' | '.join(cells(runs))} |", flush=True)
    return 0


def peer_model() -> Model | None:
    """Return mord's logistic model, or None where mord is not installed."""
    try:
        from mord import LogisticAT
    except ImportError:
        print("mord is not installed: left out", file=sys.stderr)
        return None
    return classifier(LogisticAT)


def run(part: Partition, peer: Model | None, settings: dict) -> dict[str, float]:
    """Fit both links, and the peer, to one partition."""
    figures, fits = {}, []
    models: dict[str, Model] = {
        link: remembered(GPOrdinalClassifier(link=link, **settings), fits) for link in LINKS
    }
    if peer is not None:
        models["mord"] = peer
    for name, model in models.items():
        result = scores(model, part)
        figures[name] = result["nll"]
        figures[f"{name} MAE"], figures[f"{name} CPU"] = result["mae"], result["CPU s"]
        figures[f"{name} median"] = result["median"]
    by_evidence = int(np.argmax([fit.log_evidence_ for fit in fits]))
    by_loo = int(np.argmax([fit.loo_log_likelihood_ for fit in fits]))
    return {
        **figures,
        "by evidence": figures[LINKS[by_evidence]],
        "by leave-one-out": figures[LINKS[by_loo]],
    }


def remembered(model: GPOrdinalClassifier, fits: list[GPOrdinalClassifier]) -> Model:
    """Fit and predict by `model`, which is appended to `fits`."""

    def fit_predict(X, y, test_X):
        fits.append(model.fit(X, y))
        return np.asarray(model.predict(test_X)), model.predict_proba(test_X)

    return fit_predict


def cells(runs: list[dict[str, float]]) -> list[str]:
    """Means over the partitions, as texts."""

    def mean(name: str) -> str:
        return f"{np.mean([run.get(name, np.nan) for run in runs]):.3f}".replace("nan", "-")

    def difference(one: str, other: str) -> str:
        gain = np.array([run[one] - run.get(other, np.nan) for run in runs])
        error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else np.nan
        return f"{gain.mean():+.3f} ± {error:.3f}".replace("+nan", "-").replace("nan", "-")

    cpu = np.median([run["logit CPU"] / run["probit CPU"] for run in runs])
    return [
        *(mean(name) for name in LIKELIHOODS),
        *(difference(one, other) for one, other in DIFFERENCES),
        " / ".join(mean(f"{name} MAE") for name in (*LINKS, "mord")),
        " / ".join(mean(f"{name} median") for name in LINKS),
        f"{cpu:.2f}",
    ]


if __name__ == "__main__":
    sys.exit(main())

"""The probit and the logit link of GPOrdinalClassifier on the same partitions, and mord beside them.

usage: python benchmarks/gp_link.py [DATA] [--sets NAME ...] [--kernel NAME] [--partitions N]

Partitions and sets are those of `gp_accuracy.py`. Mean negative log likelihood of each link, of the
link with the larger evidence in each partition, and of mord's LogisticAT; then the paired difference
of logit less probit with its standard error, the MAE of each link's most probable level, and the
median CPU time of a fit with its predictions, logit over probit.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from gp_accuracy import classifier, scores
from labelled_columns import data_folder
from ordinal_partitions import Partition, partitions, set_names

from autotype import GPOrdinalClassifier

LINKS = ("probit", "logit")
COLUMNS = ("probit", "logit", "by evidence", "mord", "difference", "MAE", "CPU")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--sets", nargs="+", default=["lev", "contact-lenses"])
    parser.add_argument("--kernel", default="rbf")
    parser.add_argument("--partitions", type=int, default=20)
    options = parser.parse_args(argv)
    data = data_folder(options.data)
    families = set_names(data)
    names = [name for given in options.sets for name in families.get(given, [given])]
    peer = peer_model()
    warnings.simplefilter("ignore")  # after the peers' own filters
    print(f"| set | {' | '.join(COLUMNS)} |", f"| --- {'| --- ' * len(COLUMNS)}|", sep="\n")
    for name in names:
        runs = [run(part, options.kernel, peer) for part in partitions(data, name, options.partitions)]
        print(f"| {name} | {' | '.join(cells(runs))} |", flush=True)
    return 0


def peer_model():
    """Return mord's logistic model, or None where mord is not installed."""
    try:
        from mord import LogisticAT
    except ImportError:
        print("mord is not installed: left out", file=sys.stderr)
        return None
    return classifier(LogisticAT)


def run(part: Partition, kernel: str, peer) -> dict[str, float]:
    """Fit both links, and the peer, to one partition."""
    figures, evidences = {}, []
    for link in LINKS:
        evidence = []

        def fit_predict(X, y, test_X, link=link, evidence=evidence):
            model = GPOrdinalClassifier(kernel=kernel, link=link).fit(X, y)
            evidence.append(model.log_evidence_)
            probabilities = model.predict_proba(test_X)
            return probabilities.argmax(axis=1), probabilities

        start = time.process_time()
        result = scores(fit_predict, part)
        figures[f"{link} CPU"] = time.process_time() - start
        figures[link], figures[f"{link} MAE"] = result["nll"], result["mae"]
        evidences += evidence
    figures["by evidence"] = figures[LINKS[int(np.argmax(evidences))]]
    figures["mord"] = scores(peer, part)["nll"] if peer else np.nan
    return figures


def cells(runs: list[dict[str, float]]) -> list[str]:
    """Means over the partitions, as texts."""
    mean = {name: np.mean([run[name] for run in runs]) for name in runs[0]}
    gain = np.array([run["logit"] - run["probit"] for run in runs])
    error = gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else np.nan
    cpu = np.median([run["logit CPU"] / run["probit CPU"] for run in runs])
    return [
        *(f"{mean[name]:.3f}" for name in COLUMNS[:4]),
        f"{gain.mean():+.3f} ± {error:.3f}",
        f"{mean['probit MAE']:.3f} / {mean['logit MAE']:.3f}",
        f"{cpu:.2f}",
    ]


if __name__ == "__main__":
    sys.exit(main())

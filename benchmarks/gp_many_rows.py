"""GPOrdinalClassifier on thousands of rows: what its Nystrom features cost and gain.

usage: python benchmarks/gp_many_rows.py [DATA] [--sets NAME ...] [--rows N ...] [--partitions N]

Training rows are drawn from sets of `gp_accuracy.py`; 5,000 of the others are tested. Columns: mean
negative log likelihood and CPU seconds of the exact fit of 2,000 of the training rows, of the
kernel that 800 rows show with 100 inducing rows, and of the defaults.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from gp_accuracy import Model, classifier, scores
from labelled_columns import data_folder
from ordinal_partitions import Partition, partitions
from sklearn.gaussian_process.kernels import RBF

from autotype.models import GPOrdinalClassifier
from autotype.models.gaussian_process.features import spread_sample

MOST_TESTED = 5000
KERNEL_ROWS = 800
EXACT_ROWS = 2000  # the most that are fitted exactly


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument(
        "--sets", nargs="+", default=["california", "census_1", "bank_1", "computer_1"]
    )
    parser.add_argument("--rows", nargs="+", type=int, default=[2001, 6000])
    parser.add_argument("--partitions", type=int, default=1)
    options = parser.parse_args(argv)
    data = data_folder(options.data)
    print(f"| rows | set | {' | '.join(MODELS)} |", "| --- " * (len(MODELS) + 2) + "|", sep="\n")
    for rows in options.rows:
        for name in options.sets:
            parts = [most(part) for part in partitions(data, name, options.partitions, rows=rows)]
            cells = [cell([scores(model, part) for part in parts]) for model in MODELS.values()]
            print(f"| {rows:,} | {name} | {' | '.join(cells)} |", flush=True)
    return 0


def most(part: Partition) -> Partition:
    """Return a partition with at most 5,000 rows to test on."""
    X, y, test_X, test_y, n_levels = part
    some = drawn(len(test_y), MOST_TESTED)
    return X, y, test_X[some], test_y[some], n_levels


def drawn(n_rows: int, count: int) -> np.ndarray:
    """Draw rows; those of California lie in the order of places."""
    return np.random.default_rng(0).permutation(n_rows)[:count]


def of_few_rows(X: np.ndarray, y: np.ndarray, test_X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit with the kernel that the exact fit of 800 rows finds, and 100 inducing rows."""
    rows = spread_sample(X, y, KERNEL_ROWS)
    length = GPOrdinalClassifier().fit(X[rows], y[rows]).kernel_.length_scale
    kernel = RBF(length, "fixed")
    return classifier(GPOrdinalClassifier, kernel=kernel, n_inducing=100)(X, y, test_X)


def exact(X: np.ndarray, y: np.ndarray, test_X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fit 2,000 of the rows exactly."""
    some = drawn(len(y), EXACT_ROWS)
    return classifier(GPOrdinalClassifier)(X[some], y[some], test_X)


MODELS: dict[str, Model] = {
    "exact, 2,000 rows": exact,
    "kernel of 800 rows": of_few_rows,
    "default": classifier(GPOrdinalClassifier),
}


def cell(runs: list[dict[str, float]]) -> str:
    """Negative log likelihood and CPU seconds, averaged over the partitions."""
    return f"{np.mean([r['nll'] for r in runs]):.3f}, {np.mean([r['CPU s'] for r in runs]):.1f} s"


if __name__ == "__main__":
    sys.exit(main())

"""CPU of a whole Gaussian-process fit against scikit-learn's binary classifier in the same run.

usage: python benchmarks/gp_speed.py [--repeats N] [--sizes 50 100 200 400 800 1600]

Five ranks, d = 5, hyper-parameters learned by all. Prints medians of interleaved runs, ratios and
the growth with n; then a linear kernel at n = 100,000, d = 20, next to skordinal's POM where that
is installed. `PYTHONPATH` set to another version of the package times that one.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier

TARGETS = {50: 1.2, 100: 1.2, 200: 1.2, 400: 0.2, 800: 0.15, 1600: 0.12}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(TARGETS))
    options = parser.parse_args(argv)
    warnings.simplefilter("ignore")
    print(
        f"{'n':>8s}{'laplace':>10s}{'ep':>10s}{'sklearn':>10s}{'ratio':>8s}{'target':>8s}"
        f"{'ep/lap':>8s}   CPU s"
    )
    before: tuple[int, float] | None = None
    for n in options.sizes:
        X, ranks = sample(n)
        laplace, ep, peer = cpu_medians(
            [
                lambda X=X, y=ranks: GPOrdinalClassifier().fit(X, y),
                lambda X=X, y=ranks: GPOrdinalClassifier(inference="ep").fit(X, y),
                lambda X=X, y=ranks: binary().fit(X, y > 2),
            ],
            options.repeats,
        )
        growth = ""
        if before is not None:
            growth = f"   grows as n^{math.log(laplace / before[1]) / math.log(n / before[0]):.1f}"
        print(
            f"{n:8d}{laplace:10.3f}{ep:10.3f}{peer:10.3f}{laplace / peer:8.2f}"
            f"{TARGETS.get(n, ''):>8}{ep / laplace:8.1f}{growth}"
        )
        before = n, laplace
    many_rows(options.repeats)
    return 0


def binary() -> GaussianProcessClassifier:
    return GaussianProcessClassifier(ConstantKernel() * RBF(), random_state=0)


def many_rows(repeats: int) -> None:
    X, ranks = sample(100_000, d=20)
    (ours,) = cpu_medians([lambda: GPOrdinalClassifier("linear").fit(X, ranks)], repeats)
    print(f"linear kernel, n = 100,000, d = 20: {ours:.2f}", end="")
    try:
        from skordinal.classifiers import POM
    except ImportError:
        print(" (skordinal is not installed: no ratio)")
        return
    (peer,) = cpu_medians([lambda: POM().fit(X, ranks)], repeats)
    print(f", skordinal POM {peer:.2f}, ratio {ours / peer:.1f}")


def sample(n: int, d: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Five ranks of a smooth latent function with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    latent = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.3 * X[:, 2] * X[:, 3]
    latent += 0.3 * rng.standard_normal(n)
    return X, np.digitize(latent, np.quantile(latent, [0.2, 0.4, 0.6, 0.8]))


def cpu_medians(tasks: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Medians of the CPU seconds of tasks that are run in turns."""
    seconds: list[list[float]] = [[] for _ in tasks]
    for _ in range(repeats):
        for task, times in zip(tasks, seconds, strict=True):
            start = time.process_time()
            task()
            times.append(time.process_time() - start)
    return [statistics.median(times) for times in seconds]


if __name__ == "__main__":
    sys.exit(main())

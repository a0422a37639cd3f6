"""Time the dual of kernel regression with order preferences against eq. (7) by linprog.

python benchmarks/preference_speed.py [--sizes 200x1000,500x5000] [--repeats 3] [--no-path]
python benchmarks/preference_speed.py --growth [--repeats 5]

With --growth only the CPU seconds of the dual at l = 500 as p grows from 5,000 to 20,000. Else it
prints medians of CPU seconds in one run: eq. (7) as printed by both of linprog's methods, the dual
by our own simplex method (which fits use) and by SciPy's HiGHS, the ratios to the faster printed
one, and a path of 13 values of lambda1 against 13 cold solves. The matrices of eq. (7) are
ready before its clock starts; ours starts from the kernels. linprog gets eq. (7) as a sparse
matrix, which is the faster for it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from autotype.models.preferences.solvers.dense_simplex import DenseProgram
from autotype.models.preferences.solvers.path import (
    HighsProgram,
    PreferenceProblem,
    best_constant,
    solve_preference_path,
    solve_preferences,
)

LAMBDA1, LAMBDA2 = 0.01, 1.0
TARGETS = {(200, 1000): 0.2, (500, 5000): 0.08}
TARGET_PATH = 0.4
GROWTH_SIZES, TARGET_GROWTH = (5000, 10_000, 20_000), 5
PROGRAMS = (DenseProgram, HighsProgram)


def generate(n_labelled: int, p: int, seed: int = 0) -> PreferenceProblem:
    """Eight standardised features, an RBF kernel, preferences by eq. (8)."""
    rng = np.random.default_rng(seed)
    n = n_labelled + max(p // 2, 500)
    X = rng.standard_normal((n, 8))
    truth = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3]
    truth += 0.3 * rng.standard_normal(n)
    centres = X[:n_labelled]
    square = (X**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1) - 2 * X @ centres.T
    gram = np.exp(-square / 8)
    i, j = rng.integers(0, n - n_labelled, (2, p))
    values = truth[n_labelled:]
    above, below = np.where(values[i] >= values[j], [i, j], [j, i])
    return PreferenceProblem(
        K=gram[:n_labelled],
        y=truth[:n_labelled],
        costs=np.full(n_labelled, 1 / n_labelled),
        K_rows=gram[n_labelled:],
        above=above,
        below=below,
        difference=0.5 * (values[above] - values[below]),
        weight=np.ones(p),
    )


def printed_program(
    problem: PreferenceProblem, lambda1: float = LAMBDA1, lambda2: float = LAMBDA2
) -> dict[str, Any]:
    """Eq. (7) over (alpha, alpha_0, xi, eta, nu), for linprog; pairs only."""
    n, p = len(problem.y), problem.n_preferences
    K, one = problem.K, np.ones((n, 1))
    differences = problem.K_rows[problem.above] - problem.K_rows[problem.below]
    eye, zero = sparse.eye_array, None
    rows = [
        [-K, -one, -eye(n), zero, zero],
        [K, one, -eye(n), zero, zero],
        [eye(n), zero, zero, -eye(n), zero],
        [-eye(n), zero, zero, -eye(n), zero],
        [-differences, zero, zero, zero, -eye(p)],
    ]
    none = np.zeros(n)
    costs = [none, [0.0], problem.costs, np.full(n, lambda1), np.full(p, lambda2 / p)]
    return {
        "c": np.concatenate(costs),
        "A_ub": sparse.block_array(rows, format="csc"),
        "b_ub": np.concatenate([-problem.y, problem.y, none, none, -problem.difference]),
        "bounds": [(None, None)] * (n + 1) + [(0, None)] * (2 * n + p),
    }


def cpu_median(run: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Median of CPU seconds, and the last result."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        seconds.append(time.process_time() - start)
    return float(np.median(seconds)), result


def compare(problem: PreferenceProblem, repeats: int) -> None:
    n, p = len(problem.y), problem.n_preferences
    print(f"\nl = {n}, p = {p}: eq. (7) has {3 * n + p + 1} variables")
    program = printed_program(problem)
    printed = {}
    for method in ("highs-ds", "highs-ipm"):
        seconds, result = cpu_median(
            lambda method=method: linprog(**program, method=method), repeats
        )
        printed[method] = seconds
        print(f"  eq. (7) by linprog, {method:9}  {seconds:8.3f} s   optimum {result.fun:.12f}")
    fastest = min(printed.values())
    for method in PROGRAMS:
        seconds, ours = cpu_median(
            lambda method=method: solve_preferences(
                problem, lambda1=LAMBDA1, lambda2=LAMBDA2, program=method
            ),
            repeats,
        )
        target = f" (target {TARGETS[n, p]})" if (n, p) in TARGETS else ""
        print(
            f"  the dual, {method.__name__:18}  {seconds:8.3f} s   optimum {ours.objective:.12f}   "
            f"{ours.n_columns} columns, {ours.n_iter} iterations\n"
            f"      {seconds / fastest:.3f} of the faster printed one{target}"
        )


def follow(problem: PreferenceProblem, repeats: int) -> None:
    """Time a path of 13 values of lambda1 against cold solves."""
    _, _, largest = best_constant(problem, lambda2=LAMBDA2)
    lambda1s = largest * np.logspace(0, -5, 13)
    shared = {"lambda2": LAMBDA2}
    warm, path = cpu_median(
        lambda: list(solve_preference_path(problem, lambda1s=lambda1s, **shared)), repeats
    )
    alone, cold = cpu_median(
        lambda: [solve_preferences(problem, lambda1=v, **shared) for v in lambda1s], repeats
    )
    off = max(abs(a.objective - b.objective) / b.objective for a, b in zip(path, cold, strict=True))
    print(
        f"  13 values of lambda1: path {warm:.3f} s, cold {alone:.3f} s, ratio "
        f"{warm / alone:.3f} (target {TARGET_PATH}), optima differ by {off:.1e}; pivots "
        f"{path[-1].n_iter} and {sum(each.n_iter for each in cold)}"
    )


def grow(repeats: int) -> None:
    """Time the dual for more and more preferences, in turns."""
    problems = {p: generate(500, p) for p in GROWTH_SIZES}
    seconds: dict[int, list[float]] = {p: [] for p in GROWTH_SIZES}
    for _ in range(repeats):
        for p, problem in problems.items():
            start = time.process_time()
            solution = solve_preferences(problem, lambda1=LAMBDA1, lambda2=LAMBDA2)
            seconds[p].append(time.process_time() - start)
            if len(seconds[p]) == repeats:
                print(
                    f"l = 500, p = {p:6,}: {np.median(seconds[p]):.3f} s, {solution.n_columns} "
                    f"columns, {solution.n_iter} pivots, optimum {solution.objective:.12f}"
                )
    ratio = np.median(seconds[GROWTH_SIZES[-1]]) / np.median(seconds[GROWTH_SIZES[0]])
    print(f"p = 20,000 / p = 5,000: {ratio:.1f} (target {TARGET_GROWTH})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="200x1000,500x5000", help="LxP,LxP,...")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-path", action="store_true", help="leave the paths out")
    parser.add_argument("--growth", action="store_true", help="only how cost grows with p")
    options = parser.parse_args()
    if options.growth:
        grow(options.repeats)
        return
    for size in options.sizes.split(","):
        n_labelled, p = (int(part) for part in size.split("x"))
        problem = generate(n_labelled, p)
        compare(problem, options.repeats)
        if not options.no_path:
            follow(problem, options.repeats)


if __name__ == "__main__":
    main()

"""Time LinearNPSVOR against scikit-learn's LinearSVC on generated text-like data.

python benchmarks/npsvor_speed.py [--rows 100000] [--features 200000] [--repeats 5] [--float64]
python benchmarks/npsvor_speed.py --dense [--repeats 25]
python benchmarks/npsvor_speed.py --path [--rows 8000 --features 20000]

With --dense only a small dense problem, 1,000 x 10, with an intercept; with --path only the choice
of C by LinearNPSVORCV against cold fits of the same grid. Else it prints CPU and wall seconds, the
dual objective next to that of a tighter solve, growth with rows and non-zeros, the wall time on two
threads, and the memory that a fit adds. Where other work shares the cores, wall time shows little:
the critical path, all CPU time but that of passes which run next to longer ones, is what two free
cores would leave.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC

from autotype.models.svm.linear_npsvor import LinearNPSVOR, LinearNPSVORCV
from autotype.models.svm.solvers import dual_coordinate, linear_problem

N_RANKS = 5


def generate(
    n: int, m: int, per_row: float, dtype: type = np.float32, seed: int = 20240601
) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Rows like TF-IDF of texts: Zipf-like terms, unit length; ranks from a noisy latent scale."""
    rng = np.random.default_rng(seed)
    lengths = np.maximum(1, rng.poisson(per_row, n))
    uniform = rng.random(lengths.sum())
    # Density of term t falls as 1 / (t + 100).
    terms = ((m + 100.0) ** uniform * 100.0 ** (1 - uniform) - 100).astype(np.int64).clip(0, m - 1)
    rows = np.repeat(np.arange(n), lengths)
    X = sparse.csr_matrix((np.ones(len(rows)), (rows, terms)), shape=(n, m))
    frequency = np.bincount(X.indices, minlength=m)
    X.data = (1 + np.log(X.data)) * np.log(n / (1 + frequency[X.indices]) + 1)
    # Terms are not numbered by how frequent they are.
    X.indices = rng.permutation(m)[X.indices].astype(np.int32)
    X.indptr = X.indptr.astype(np.int32)
    X.sort_indices()
    X.data /= np.repeat(np.sqrt(np.add.reduceat(X.data**2, X.indptr[:-1])), np.diff(X.indptr))
    latent = X @ (rng.standard_normal(m) * (rng.random(m) < 0.2))
    latent = latent / latent.std() + 0.7 * rng.standard_normal(n)
    cuts = np.quantile(latent, np.arange(1, N_RANKS) / N_RANKS)
    X.data = X.data.astype(dtype)
    return X, np.searchsorted(cuts, latent)


def median_times(fit, repeats: int) -> tuple[float, float, object]:
    """Medians of CPU and wall seconds, and the last model."""
    cpu, wall = [], []
    for _ in range(repeats):
        start_cpu, start_wall = time.process_time(), time.perf_counter()
        model = fit()
        cpu.append(time.process_time() - start_cpu)
        wall.append(time.perf_counter() - start_wall)
    return float(np.median(cpu)), float(np.median(wall)), model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--features", type=int, default=200_000)
    parser.add_argument("--per-row", type=float, default=75.5)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--float64", action="store_true", help="features in double precision")
    parser.add_argument("--memory", action="store_true", help="only one fit, and what it adds")
    parser.add_argument("--dense", action="store_true", help="only the small dense problem")
    parser.add_argument("--path", action="store_true", help="only the choice of C along a path")
    options = parser.parse_args()
    if options.dense:
        compare_dense(options.repeats)
        return
    dtype = np.float64 if options.float64 else np.float32
    X, y = generate(options.rows, options.features, options.per_row, dtype)
    if options.path:
        path_against_cold(X, y)
        return
    ours = LinearNPSVOR(C=1.0, tol=0.1, fit_intercept=False)
    if options.memory:
        report_memory(X, y, ours)
        return
    per_row = X.nnz / X.shape[0]
    print(f"{X.shape[0]:,} x {X.shape[1]:,}, {per_row:.1f} non-zeros a row, {dtype.__name__}")
    compare(X, y, ours, options.repeats)
    growth(options, ours, dtype)
    arguments = [a for a in sys.argv[1:] if a != "--memory"]
    subprocess.run([sys.executable, __file__, *arguments, "--memory"], check=True)


def compare(X, y, ours: LinearNPSVOR, repeats: int) -> None:
    peer = LinearSVC(loss="hinge", tol=0.1, C=1.0, fit_intercept=False, random_state=0)
    cpu_one, wall_one, model = median_times(lambda: ours.fit(X, y), repeats)
    print(f"LinearNPSVOR, one thread    cpu {cpu_one:.3f} s  wall {wall_one:.3f} s")
    passes, gap = model.n_iter_.tolist(), model.dual_gap_.max()
    dual = -model.dual_objective_.sum()
    cpu_peer, wall_peer, _ = median_times(lambda: peer.fit(X, y), repeats)
    print(f"LinearSVC(hinge, tol=0.1)   cpu {cpu_peer:.3f} s  wall {wall_peer:.3f} s")
    print(f"ratio of CPU times          {cpu_one / cpu_peer:.3f} (target 0.40)")
    two = LinearNPSVOR(**{**ours.get_params(), "n_jobs": 2})
    cpu_two, wall_two, threaded = median_times(lambda: two.fit(X, y), repeats)
    print(f"LinearNPSVOR, two threads   cpu {cpu_two:.3f} s  wall {wall_two:.3f} s")
    print(f"ratio of wall times         {wall_two / wall_one:.3f} (target 0.6)")
    path = float(np.median([critical_path(lambda: two.fit(X, y)) for _ in range(repeats)]))
    print(
        f"critical path               {path:.3f} s, {path / cpu_one:.3f} of one thread's CPU time"
    )
    print(f"same coefficients           {np.array_equal(model.coef_, threaded.coef_)}")
    tight = LinearNPSVOR(**{**ours.get_params(), "tol": 0.001}).fit(X, y)
    best = -tight.dual_objective_.sum()
    print(f"passes {passes}, largest duality gap {gap:.4f}")
    print(
        f"dual objective {dual:.1f}, at tol=0.001 {best:.1f}: {(dual - best) / abs(best):.5f} off"
    )


def compare_dense(repeats: int, n: int = 1000, m: int = 10) -> None:
    """Time both on dense rows, in turns, at the tolerance of LinearNPSVOR and at a tighter one."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, m))
    latent = X @ rng.standard_normal(m)
    latent = latent / latent.std() + 0.7 * rng.standard_normal(n)
    y = np.digitize(latent, np.quantile(latent, np.arange(1, N_RANKS) / N_RANKS))
    for tol in (0.1, 0.001):
        ours = LinearNPSVOR(tol=tol)
        peer = LinearSVC(loss="hinge", tol=tol, random_state=0)
        seconds: dict[object, list[float]] = {ours: [], peer: []}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # LinearSVC stops at its max_iter
            for _ in range(repeats):
                for model, times in seconds.items():
                    start = time.process_time()
                    model.fit(X, y)
                    times.append(time.process_time() - start)
        a, b = (1e3 * np.median(times) for times in seconds.values())
        target = " (target 1)" if tol == 0.1 else ""
        print(
            f"{n} x {m}, tol={tol}: LinearNPSVOR {a:.2f} ms, LinearSVC(hinge) {b:.2f} ms, "
            f"ratio {a / b:.2f}{target}; passes {ours.n_iter_.tolist()} and {peer.n_iter_}, "
            f"duality gap {ours.dual_gap_.max():.4f}"
        )


def critical_path(fit) -> float:
    """CPU seconds of a fit without what threads do next to the busiest one, step by step."""
    steps = [(dual_coordinate, "npsvor_passes"), (linear_problem, "npsvor_objective_terms")]
    seconds: dict[str, dict[int, float]] = {name: {} for _, name in steps}

    def timed(name: str, kernel):
        def run(*arguments):
            start = time.thread_time()
            result = kernel(*arguments)
            by_thread, thread = seconds[name], threading.get_ident()
            by_thread[thread] = by_thread.get(thread, 0.0) + time.thread_time() - start
            return result

        return run

    kernels = [getattr(module, name) for module, name in steps]
    for (module, name), kernel in zip(steps, kernels, strict=True):
        setattr(module, name, timed(name, kernel))
    try:
        start = time.process_time()
        fit()
        total = time.process_time() - start
    finally:
        for (module, name), kernel in zip(steps, kernels, strict=True):
            setattr(module, name, kernel)
    return total - sum(sum(t.values()) - max(t.values()) for t in seconds.values())


def path_against_cold(X, y) -> None:
    """Choose C among eleven values: one path a fold, or every fit from nothing."""
    Cs = 2.0 ** np.arange(-5, 6)
    for loss in ("hinge", "squared_hinge"):
        start = time.process_time()
        cold = GridSearchCV(
            LinearNPSVOR(loss=loss), {"C": Cs}, cv=5, scoring="neg_mean_absolute_error"
        ).fit(X, y)
        middle = time.process_time()
        path = LinearNPSVORCV(Cs, loss=loss).fit(X, y)
        end = time.process_time()
        ratio = (middle - start) / (end - middle)
        print(
            f"{loss:14} cold {middle - start:.2f} s, C {cold.best_params_['C']:g}; "
            f"path {end - middle:.2f} s, C {path.C_:g}; {ratio:.1f} times less"
        )


def growth(options: argparse.Namespace, ours: LinearNPSVOR, dtype: type) -> None:
    print("growth        rows  per row   cpu s   ns a non-zero")
    for share, per_row in ((0.25, 1.0), (0.5, 1.0), (1.0, 1.0), (2.0, 1.0), (1.0, 0.5), (1.0, 2.0)):
        rows = int(options.rows * share)
        X, y = generate(rows, options.features, options.per_row * per_row, dtype)
        cpu, _, _ = median_times(lambda X=X, y=y: ours.fit(X, y), min(3, options.repeats))
        print(f"      {rows:12,} {X.nnz / rows:8.1f} {cpu:7.3f} {1e9 * cpu / X.nnz:8.1f}")


def report_memory(X, y, ours: LinearNPSVOR) -> None:
    """Peak of resident memory during a fit over that before it, in a process of its own."""
    ours.fit(X[:100], y[:100])  # what is imported when first used
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    before = resident("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    model = ours.fit(X, y)
    added = resident("VmHWM") - before
    weights = model.coef_.nbytes
    print(f"memory: X {size / 1e6:.0f} MB, weights {weights / 1e6:.1f} MB", end="")
    print(f", fit adds {added / 1e6:.0f} MB")
    print(f"(X + added - weights) / X = {(size + added - weights) / size:.2f} (target 1.3)")


def resident(field: str) -> int:
    """Bytes of this process as Linux counts them."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status).group(1)) * 1024


if __name__ == "__main__":
    main()

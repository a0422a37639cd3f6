"""CPU seconds of the main job, each against a plain task of pandas in the same run.

usage: python benchmarks/infer_speed.py [DATA] [--repeats N]

Prints: seconds a discrete column on typed-columns, a frame of 20 discrete columns x 50,000 rows,
diamonds and adult as a whole, and the cost of `import autotype` and of `import pandas`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from labelled_columns import data_folder, read_frame, read_labels_table

import autotype


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(argv)
    folder = data_folder(options.data)
    autotype.infer_types(discrete_frame(100))  # imports and caches are not what is measured
    rows = [("20 discrete columns x 50,000 rows", discrete_frame(50_000))]
    for name in ("diamonds", "adult"):
        rows.append((name, read_frame(folder, "full-frames", f"frames/{name}.csv.gz")))
    print(f"{'':38s}{'infer':>10s}{'describe':>10s}{'ratio':>8s}   CPU s, median")
    for name, frame in rows:
        ours = cpu_median(lambda frame=frame: autotype.infer_types(frame), options.repeats)
        plain = cpu_median(lambda frame=frame: frame.describe(include="all"), options.repeats)
        print(f"{name:38s}{ours:10.3f}{plain:10.3f}{ours / plain:8.1f}")
    print(f"{'a column of typed-columns, median':38s}{column_median(folder):10.3f}")
    ours, pandas_alone = (import_median(name, options.repeats) for name in ("autotype", "pandas"))
    print(
        f"{'import autotype / import pandas':38s}{ours:10.3f}{pandas_alone:10.3f}"
        f"{ours / pandas_alone:8.2f}"
    )
    return 0


def discrete_frame(n_rows: int) -> pd.DataFrame:
    """Generate twenty discrete columns of 3 to 12 levels that share two latent variables."""
    rng = np.random.default_rng(0)
    latent = rng.standard_normal((n_rows, 2))
    columns = {}
    for j in range(20):
        score = latent @ rng.standard_normal(2) + rng.standard_normal(n_rows)
        cuts = np.quantile(score, np.linspace(0, 1, 4 + j % 10)[1:-1])
        names = np.array([f"level {k}" for k in rng.permutation(len(cuts) + 1)], dtype=object)
        columns[f"c{j}"] = names[np.digitize(score, cuts)]
    return pd.DataFrame(columns)


def cpu_median(task: Callable[[], object], repeats: int) -> float:
    """Measure the median CPU seconds of a task."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        task()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


def column_median(folder: Path) -> float:
    """Measure CPU seconds a discrete column, as the median over the labelled columns."""
    seconds = []
    table = read_labels_table(folder, ("typed-columns",))
    for file, group in table.groupby("file"):
        frame = read_frame(folder, "typed-columns", file)
        n_discrete = max(1, sum(3 <= frame[name].nunique() <= 20 for name in frame))
        spent = cpu_median(lambda frame=frame: autotype.infer_types(frame), 1)
        seconds += [spent / n_discrete] * len(group)
    return statistics.median(seconds)


def import_median(name: str, repeats: int) -> float:
    """Measure the median CPU seconds of a fresh interpreter that imports a package."""
    program = f"import time; import {name}; print(time.process_time())"
    runs = [
        float(
            subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout
        )
        for _ in range(2 * repeats + 1)
    ]
    return statistics.median(runs)


if __name__ == "__main__":
    sys.exit(main())

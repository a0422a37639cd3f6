"""CPU seconds and size of the report page and of the other forms of a report.

usage: python benchmarks/report_speed.py [--columns 200] [--rows 3000] [--repeats N]

Infers the types of a frame of discrete columns (3 to 20 levels, and 20 levels each), then writes
its page, its JSON, its notebook table and its text table. The data are drawn here; no file is read.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd

import autotype
from autotype import TypeReport

PAGE_SECONDS, PAGE_BYTES = 2.0, 2_000_000  # what a page of 200 columns x 3,000 rows may cost


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--columns", type=int, default=200)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(argv)
    print(f"{options.columns} columns x {options.rows:,} rows")
    kept = True
    for title, fewest in (("3 to 20 levels", 3), ("20 levels each", 20)):
        frame = discrete_frame(options.rows, options.columns, fewest)
        start = time.process_time()
        report = autotype.infer_types(frame)
        print(f"\n{title:18s}{'CPU s':>10s}{'kB':>10s}")
        print(f"{'infer':18s}{time.process_time() - start:10.2f}")
        kept &= measure(report, options.repeats)
    limits = f"{PAGE_SECONDS:g} CPU s and {PAGE_BYTES / 1000:,.0f} kB"
    print(f"\nfirst page within {limits}: {'yes' if kept else 'NO'}")
    return 0 if kept else 1


def discrete_frame(n_rows: int, n_columns: int, fewest: int, most: int = 20) -> pd.DataFrame:
    """Discrete columns that share four latent variables."""
    rng = np.random.default_rng(0)
    latent = rng.standard_normal((n_rows, 4))
    columns = {}
    for j in range(n_columns):
        n_levels = fewest + j % (most - fewest + 1)
        score = latent @ rng.standard_normal(4) + rng.standard_normal(n_rows)
        cuts = np.quantile(score, np.linspace(0, 1, n_levels + 1)[1:-1])
        names = np.array([f"answer {k}" for k in rng.permutation(n_levels)], dtype=object)
        columns[f"question {j + 1}"] = names[np.digitize(score, cuts)]
    return pd.DataFrame(columns)


def measure(report: TypeReport, repeats: int) -> bool:
    """Print what each form of a report costs; return whether the page keeps its limits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.html")
        start = time.process_time()
        page = report.to_html(path)  # the first page loads Jinja and compiles the templates
        first = time.process_time() - start
        print_row("page, first", first, page)
        tasks = {
            "page": lambda: report.to_html(path),
            "JSON": report.to_json,
            "notebook table": report._repr_html_,
            "text table": report.__str__,
        }
        for title, task in tasks.items():
            print_row(title, cpu_median(task, repeats), task())
    return first <= PAGE_SECONDS and len(page.encode()) <= PAGE_BYTES


def print_row(title: str, seconds: float, text: str) -> None:
    print(f"{title:18s}{seconds:10.3f}{len(text.encode()) / 1000:10.1f}")


def cpu_median(task: Callable[[], object], repeats: int) -> float:
    """Median CPU seconds of a task."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        task()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    sys.exit(main())

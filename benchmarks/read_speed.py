"""Time the check of a CSV file's rows against its parse: what reading safely costs.

    python benchmarks/read_speed.py [--rows 500000]

Prints, for files of the same table, megabytes and seconds of the check, of pandas' parse alone, and
of `read_table`, which checks, parses strings and types their columns.
"""

from __future__ import annotations

import argparse
import csv
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from autotype.tables.limits import Limits
from autotype.tables.table_file import read_file
from autotype.tables.text.csv_rows import check_rows


def seconds(work: Callable[[], object]) -> float:
    """Return the least time of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def texts(n_rows: int) -> dict[str, str]:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "id": random.integers(10**6, size=n_rows),
            "x": random.normal(size=n_rows).round(6),
            "grade": random.choice(["low", "mid", "high"], n_rows),
            "comment": random.choice(["some text here", "more, with a comma"], n_rows),
        }
    )
    plain = table.replace({"comment": {"more, with a comma": "more"}}).to_csv(index=False)
    all_quoted = table.to_csv(index=False, quoting=csv.QUOTE_ALL)
    return {
        "no quotes": plain,
        "quotes where needed": table.to_csv(index=False),
        "all fields in quotes": all_quoted,
        "a separator at the end of rows": plain.replace("\n", ",\n"),
    }


def check(text: str) -> None:
    check_rows(io.StringIO(text, newline=""), ",", Limits("a.csv", 1 << 40))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000)
    options = parser.parse_args()
    print(f"{'file':<32}{'MB':>6}{'check':>8}{'parse':>8}{'read':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts(options.rows).items():
            path = Path(folder, "a.csv")
            path.write_text(text)
            times = [
                seconds(lambda text=text: check(text)),
                seconds(lambda path=path: pd.read_csv(path, low_memory=False)),
                seconds(lambda path=path: read_file(str(path)).frame),
            ]
            print(f"{name:<32}{len(text) / 1e6:>6.1f}" + "".join(f"{t:>8.2f}" for t in times))


if __name__ == "__main__":
    main()

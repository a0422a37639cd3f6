"""Time the reading of CSV files: what it costs to read safely.

    python benchmarks/read_speed.py [--rows 500000]

Prints, for files of the same table, megabytes and seconds of CPU time: of the check of the rows, of
`read_file`, which finds encoding, dialect and layout, checks, parses and types, and of `open_file`,
which leaves the rows in DuckDB; and the ratio of both to the plain `polars.read_csv`.
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
import polars as pl

from autotype.tables.table_file import open_file, read_file
from autotype.tables.text.csv_rows import count_regular_rows


def seconds(work: Callable[[], object]) -> float:
    """Return the least time of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
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
    count_regular_rows(io.BytesIO(text.encode()), ",", 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=500_000)
    options = parser.parse_args()
    print(f"{'file':<32}{'MB':>6}{'check':>8}{'polars':>8}{'read':>8}{'open':>8}{'ratios':>14}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts(options.rows).items():
            path = str(Path(folder, "a.csv"))
            Path(path).write_text(text)
            check_time = seconds(lambda text=text: check(text))
            plain = seconds(lambda path=path: pl.read_csv(path))
            read = seconds(lambda path=path: read_file(path))
            opened = seconds(lambda path=path: open_file(path, large=0))
            times = "".join(f"{t:>8.2f}" for t in (check_time, plain, read, opened))
            ratios = f"{read / plain:>7.1f}{opened / plain:>7.1f}"
            print(f"{name:<32}{len(text) / 1e6:>6.1f}{times}{ratios}")


if __name__ == "__main__":
    main()

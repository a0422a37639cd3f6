"""Memory and verdicts of inference on tables that engines hold, against pandas in the same run.

usage: python benchmarks/engine_scale.py memory [--rows N] [--folder FOLDER]
       python benchmarks/engine_scale.py agreement [DATA] [--rows N] [--frames N] [--engines A,B]

memory: peak resident memory of inference on a Parquet file of 40 columns by DuckDB and polars, on
ten times as many rows of 5 columns by DuckDB, and the extra memory of a pandas frame of 5 columns
as a share of the frame; each in a process of its own.

agreement: the frames of typed-columns blown up by drawing rows with replacement; the share of
columns that an engine's own sample gives the same verdict and order as pandas.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from labelled_columns import data_folder, read_frame, read_labels_table

import autotype
from autotype.frames import open_frame

_MEGABYTE = 1e6


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    memory = commands.add_parser("memory")
    memory.add_argument("--rows", type=int, default=10_000_000)
    memory.add_argument("--folder", default=tempfile.gettempdir())
    memory.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    memory.set_defaults(run=print_memory)
    agreement = commands.add_parser("agreement")
    agreement.add_argument("data", nargs="?", default="../shared/data")
    agreement.add_argument("--rows", type=int, default=1_000_000)
    agreement.add_argument("--frames", type=int, default=40)
    agreement.add_argument("--engines", default="duckdb,polars")
    agreement.set_defaults(run=print_agreement)
    options = parser.parse_args(argv)
    return options.run(options)


def print_memory(options: argparse.Namespace) -> int:
    """Measure each case in a fresh process, or the one that is named in this process."""
    if options.case:
        print(CASES[options.case](options))
        return 0
    print(f"{'':44s}{'wall s':>8s}{'CPU s':>8s}{'MB':>8s}")
    for case in CASES:
        command = [sys.executable, __file__, "memory", "--case", case]
        command += ["--rows", str(options.rows), "--folder", options.folder]
        subprocess.run(command, check=True)
    return 0


def parquet_by_duckdb(options: argparse.Namespace) -> str:
    import duckdb

    path = parquet_file(options)
    connection = duckdb.connect()
    return measured("40 columns of Parquet, DuckDB", lambda: connection.read_parquet(path))


def parquet_by_polars(options: argparse.Namespace) -> str:
    import polars as pl

    path = parquet_file(options)
    return measured("40 columns of Parquet, polars", lambda: pl.scan_parquet(path))


def many_rows(options: argparse.Namespace) -> str:
    import duckdb

    connection = duckdb.connect()
    query = f"""SELECT (hash(i) % 5)::INT a, (hash(i + 1) % 7)::INT b, (hash(i, 2) % 1000003) x,
        i::DOUBLE / 7 y, ['low', 'mid', 'high'][1 + (hash(i, 3) % 3)::INT] s
        FROM range({10 * options.rows}) t(i)"""
    return measured("10 times the rows, 5 columns, DuckDB", lambda: connection.sql(query))


def pandas_frame(options: argparse.Namespace) -> str:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{k}": rng.normal(size=options.rows) for k in range(3)})
    frame["a"], frame["b"] = (rng.integers(1, k, options.rows) for k in (6, 8))
    size = frame.memory_usage().sum() / _MEGABYTE
    autotype.infer_types(frame.head(2000))  # imports are not what is measured
    Path("/proc/self/clear_refs").write_text("5")
    before = peak_memory()
    line = measured("5 columns, pandas: extra memory", lambda: frame, above=before)
    return f"{line}, {float(line.split()[-1]) / size:.2f} times the frame"


CASES: dict[str, Callable[[argparse.Namespace], str]] = {
    "parquet-duckdb": parquet_by_duckdb,
    "parquet-polars": parquet_by_polars,
    "rows-duckdb": many_rows,
    "pandas": pandas_frame,
}


def measured(title: str, table: Callable[[], Any], *, above: float = 0.0) -> str:
    """Infer the types of a table, and format time and peak memory."""
    wall, cpu = time.perf_counter(), time.process_time()
    autotype.infer_types(table())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return f"{title:44s}{wall:8.1f}{cpu:8.1f}{peak_memory() - above:8.0f}"


def peak_memory() -> float:
    """Return the peak resident memory of this process in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1e3


def parquet_file(options: argparse.Namespace) -> str:
    """Write the Parquet file in another process, unless it exists."""
    path = Path(options.folder, f"autotype-scale-{options.rows}.parquet")
    if not path.exists():
        columns = []
        for j in range(40):
            columns.append(
                (
                    f"(hash(i, {j}) % {3 + j % 9})::INT AS i{j}",
                    f"['low', 'mid', 'high', 'top'][1 + (hash(i, {j}) % 4)::INT] AS s{j}",
                    f"(hash(i, {j}) % 1000003) / 1000.0::DOUBLE AS x{j}",
                    f"(hash(i, {j}) % 100003)::BIGINT AS k{j}",
                )[j % 4]
            )
        code = (
            f'import duckdb; duckdb.sql("COPY (SELECT {", ".join(columns)} FROM '
            f"range({options.rows}) t(i)) TO '{path}' (FORMAT parquet)\")"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
    return str(path)


def print_agreement(options: argparse.Namespace) -> int:
    """Compare the verdicts on blown-up frames, engine by engine."""
    folder = data_folder(options.data)
    open_frame.MAX_LOADED_CELLS = -1
    table = read_labels_table(folder, ("typed-columns",))
    files = sorted(table["file"].unique())
    chosen = np.random.default_rng(0).permutation(files)[: options.frames]
    same = dict.fromkeys(options.engines.split(","), 0)
    n_columns = 0
    for file in chosen:
        small = read_frame(folder, "typed-columns", file)
        rows = np.random.default_rng(1).integers(0, len(small), options.rows)
        frame = small.iloc[rows].reset_index(drop=True)
        expected = autotype.infer_types(frame)
        n_columns += len(expected.columns)
        for name in same:
            types = autotype.infer_types(ENGINES[name](frame))
            for one, other in zip(expected.columns, types.columns, strict=True):
                agrees = one.semantic_type == other.semantic_type and same_order(one, other)
                same[name] += agrees
                if not agrees:
                    print(
                        f"{file}: {name}: {one.name!r} {one.semantic_type} {one.probability:.2f} "
                        f"{one.order}, by pandas; {other.semantic_type} {other.probability:.2f} "
                        f"{other.order}",
                        flush=True,
                    )
    for name, count in same.items():
        print(f"{name:10s}{count:6d} of {n_columns} columns, {count / n_columns:.4f}")
    return 0


def same_order(one: autotype.ColumnType, other: autotype.ColumnType) -> bool:
    """Check whether two orders agree, up to reversal where the low end is not known."""
    if one.order is None or one.direction_known:
        return one.order == other.order
    return other.order in (one.order, one.order[::-1])


def _to_duckdb(frame: pd.DataFrame) -> Any:
    import duckdb

    return duckdb.connect().from_df(frame)


def _to_polars(frame: pd.DataFrame) -> Any:
    import polars as pl

    return pl.from_pandas(frame).lazy()


ENGINES: dict[str, Callable[[pd.DataFrame], Any]] = {"duckdb": _to_duckdb, "polars": _to_polars}


if __name__ == "__main__":
    raise SystemExit(main())

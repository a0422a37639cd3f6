"""Time and peak memory of inference against rows and columns, and the agreement of samples.

usage: python benchmarks/scale.py [PART ...] [--most-rows N] [--most-columns N] [--folder FOLDER]
       python benchmarks/scale.py agreement [--data DATA] [--frames N] [--engines A,B]

Each figure comes from a process of its own; CPU seconds are those of all its threads.

rows: 5 columns of 10,000 rows and more in Parquet by DuckDB and polars, and as a pandas frame; the
ratio to the bare count of the distinct values of the same columns by the same engine, and the
exponent by which time grows from one size to the next.
columns: 10 columns and more of 2,000 rows, as a pandas frame.
wide: 40 columns of a tenth of the most rows in Parquet, with the same ratio.
pandas: the memory that inference adds to a frame of 5 columns, one of them texts.
validate: a large table against the schema of its types, as a ratio to the same bare count.
workers: a frame of 40 columns by one worker and by two, in a process whose workers have started,
and in one that starts them.
agreement: the frames of typed-columns blown up by drawing rows with replacement; the share of
columns that an engine's own sample gives the same verdict and order as pandas' sample.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
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
from infer_speed import discrete_frame
from labelled_columns import data_folder, read_frame, read_labels_table

import autotype
from autotype.inference.frames import as_pandas as open_frame

_MEGABYTE = 1e6
_REPEATED_UP_TO = 1_000_000  # rows: longer runs are not repeated for their median
_ROW_COLUMNS = (0, 4, 1, 2, 3)  # two of whole numbers, one of texts, of numbers, of codes


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--most-rows", type=int, default=100_000_000)
    parser.add_argument("--most-columns", type=int, default=5000)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="for the Parquet files")
    parser.add_argument("--data", default="../shared/data", help="of agreement")
    parser.add_argument("--frames", type=int, default=40, help="of agreement")
    parser.add_argument("--engines", default="duckdb,polars", help="of agreement")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.measure:
        name, *arguments = json.loads(options.measure)
        print(json.dumps(MEASURES[name](*arguments)))
        return 0
    unknown = set(options.parts) - PARTS.keys()
    if unknown:
        parser.error(f"there is no part {unknown.pop()!r}; parts are {', '.join(PARTS)}")
    for name in options.parts or [name for name in PARTS if name != "agreement"]:
        print(f"\n{name}; load average {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")
        PARTS[name](options)
    return 0


def print_rows(options: argparse.Namespace) -> None:
    sizes = [10**k for k in range(4, 9) if 10**k <= options.most_rows]
    print(_HEADER)
    for engine in ("duckdb", "polars", "pandas"):
        before = None
        for rows in sizes:
            if engine == "pandas" and rows > 10_000_000:
                continue
            found = measure("infer", engine, parquet_file(options, rows, _ROW_COLUMNS), rows)
            print_figures(f"{engine}, {rows:,} rows x 5", found, rows, before, "rows")
            before = rows, found["cpu"]


def print_columns(options: argparse.Namespace) -> None:
    before = None
    print(_HEADER)
    for columns in (10, 100, 1000, 5000):
        if columns <= options.most_columns:
            found = measure("columns", columns)
            print_figures(f"pandas, 2,000 rows x {columns:,}", found, columns, before, "columns")
            before = columns, found["cpu"]


def print_wide(options: argparse.Namespace) -> None:
    rows = options.most_rows // 10
    print(_HEADER)
    for engine in ("duckdb", "polars"):
        found = measure("infer", engine, parquet_file(options, rows, range(40)), rows)
        print_figures(f"{engine}, {rows:,} rows x 40", found, rows, None, "rows")


def print_pandas(options: argparse.Namespace) -> None:
    for texts in (0, 1):
        rows = options.most_rows // 10
        found = measure("pandas_memory", rows, texts)
        print(
            f"{rows:,} rows x 5, {texts} of texts: {found['extra']:,.0f} MB above a frame of "
            f"{found['frame']:,.0f} MB, {found['extra'] / found['frame']:.2f} of it"
        )


def print_validate(options: argparse.Namespace) -> None:
    rows = options.most_rows // 10
    print(f"{'':34s}{'CPU s':>9s}{'bare':>9s}{'ratio':>7s}")
    for engine in ("duckdb", "polars"):
        found = measure("validate", engine, parquet_file(options, rows, _ROW_COLUMNS))
        cpu, bare = found["cpu"], found["bare"]
        print(f"{f'{engine}, {rows:,} rows x 5':34s}{cpu:9.2f}{bare:9.2f}{cpu / bare:7.2f}")


def print_workers(options: argparse.Namespace) -> None:
    started = measure("workers")
    runs = [(measure("first_call", 1), measure("first_call", 2)) for _ in range(5)]
    first = {str(n): statistics.median(run[n - 1]["wall"] for run in runs) for n in (1, 2)}
    for title, found in (("workers started", started), ("the first call", first)):
        one, two = found["1"], found["2"]
        print(
            f"40 columns x 50,000 rows, {title}: {one:.2f} s by one worker, {two:.2f} s by two: "
            f"{one / two:.2f}"
        )


_HEADER = f"{'':34s}{'wall s':>9s}{'CPU s':>9s}{'bare':>9s}{'ratio':>7s}{'MB':>8s}  growth"


def print_figures(
    title: str,
    found: dict[str, float],
    size: int,
    before: tuple[int, float] | None,
    of: str,
) -> None:
    growth = ""
    if before is not None:
        exponent = math.log(found["cpu"] / before[1]) / math.log(size / before[0])
        growth = f"  {of}^{exponent:.2f}"
    bare, ratio = f"{found['bare']:9.2f}", f"{found['cpu'] / found['bare']:7.2f}"
    print(
        f"{title:34s}{found['wall']:9.2f}{found['cpu']:9.2f}{bare}{ratio}{found['peak']:8.0f}"
        f"{growth}",
        flush=True,
    )


def measure(name: str, *arguments: Any) -> dict[str, float]:
    """Run a measure in a fresh process."""
    command = [sys.executable, __file__, "--measure", json.dumps([name, *arguments])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def measure_infer(engine: str, path: str, rows: int) -> dict[str, float]:
    """Measure inference on a Parquet file, its peak memory, and the bare count of its values."""
    frame, count = opened(engine, path)
    repeats = 3 if rows <= _REPEATED_UP_TO else 1
    warm_up()
    runs = [seconds(lambda: autotype.infer_types(frame)) for _ in range(repeats)]
    peak = peak_memory()
    bare = statistics.median(seconds(count)[1] for _ in range(repeats))
    wall, cpu = (statistics.median(some) for some in zip(*runs, strict=True))
    return {"wall": wall, "cpu": cpu, "peak": peak, "bare": bare}


def measure_columns(n_columns: int) -> dict[str, float]:
    """Measure inference on a wide pandas frame."""
    frame = mixed_frame(2000, n_columns)
    warm_up()
    wall, cpu = seconds(lambda: autotype.infer_types(frame))
    bare = seconds(frame.nunique)[1]
    return {"wall": wall, "cpu": cpu, "peak": peak_memory(), "bare": bare}


def measure_pandas_memory(rows: int, n_texts: int) -> dict[str, float]:
    """Measure what inference adds to the memory that a pandas frame occupies."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"x{k}": rng.normal(size=rows) for k in range(3 - n_texts)})
    frame["a"], frame["b"] = (rng.integers(1, k, rows) for k in (6, 8))
    if n_texts:
        levels = pd.Series(["low", "mid", "high", "top"], dtype="str")
        frame["s"] = levels.take(rng.integers(0, 4, rows)).reset_index(drop=True)
    size = frame.memory_usage(deep=True).sum() / _MEGABYTE
    warm_up()
    Path("/proc/self/clear_refs").write_text("5")
    before = peak_memory()
    autotype.infer_types(frame)
    return {"extra": peak_memory() - before, "frame": size}


def measure_validate(engine: str, path: str) -> dict[str, float]:
    """Measure the validation of a table against the schema of its types."""
    frame, count = opened(engine, path)
    head = frame.limit(2000).to_df() if engine == "duckdb" else frame.head(2000).collect()
    head = head if engine == "duckdb" else head.to_pandas()
    schema = autotype.to_schema(head, autotype.infer_types(frame))
    cpu = seconds(lambda: autotype.validate(frame, schema))[1]
    return {"cpu": cpu, "bare": seconds(count)[1]}


def measure_workers() -> dict[str, float]:
    """Measure the wall time of inference by one worker and by two, one after the other in turn."""
    frame = wide_frame()
    runs: dict[int, list[float]] = {1: [], 2: []}
    for n_jobs in (1, 2):
        autotype.infer_types(frame, n_jobs=n_jobs)  # starts the workers
    for _ in range(5):
        for n_jobs, found in runs.items():
            found.append(seconds(lambda n=n_jobs: autotype.infer_types(frame, n_jobs=n))[0])
    return {str(n): statistics.median(found) for n, found in runs.items()}


def measure_first_call(n_jobs: int) -> dict[str, float]:
    """Measure the wall time of inference in a process that has no workers yet."""
    frame = wide_frame()
    warm_up()
    return {"wall": seconds(lambda: autotype.infer_types(frame, n_jobs=n_jobs))[0]}


def wide_frame() -> pd.DataFrame:
    """Generate 40 discrete columns of 50,000 rows."""
    frame = pd.concat([discrete_frame(50_000), discrete_frame(50_000).add_suffix("b")], axis=1)
    frame.iloc[:, 20:] = frame.iloc[::-1, 20:].to_numpy()  # not the same rows as the first ones
    return frame


def opened(engine: str, path: str) -> tuple[Any, Callable[[], object]]:
    """Return a table, and the bare count of the distinct values of all its columns."""
    if engine == "duckdb":
        import duckdb

        relation = duckdb.connect().read_parquet(path)
        parts = ", ".join(f"count(DISTINCT {name})" for name in relation.columns)
        return relation, lambda: relation.aggregate(parts).fetchall()
    if engine == "polars":
        import polars as pl

        lazy = pl.scan_parquet(path)
        return lazy, lambda: lazy.select(pl.all().n_unique()).collect(engine="streaming")
    frame = pd.read_parquet(path)
    return frame, frame.nunique


def mixed_frame(n_rows: int, n_columns: int) -> pd.DataFrame:
    """Generate columns of levels, whole numbers, numbers and identifiers in turn."""
    rng = np.random.default_rng(0)
    latent = rng.normal(size=n_rows)
    columns: dict[str, Any] = {}
    for j in range(n_columns):
        score = latent + rng.normal(size=n_rows)
        if j % 4 == 0:
            levels = np.array([f"level {k}" for k in rng.permutation(3 + j % 5)], dtype=object)
            cuts = np.quantile(score, np.linspace(0, 1, len(levels) + 1)[1:-1])
            columns[f"c{j}"] = levels[np.digitize(score, cuts)]
        else:
            columns[f"c{j}"] = (score, rng.poisson(30, n_rows), rng.permutation(n_rows))[j % 4 - 1]
    return pd.DataFrame(columns)


def warm_up() -> None:
    """Import what inference needs, which is not what is measured."""
    autotype.infer_types(mixed_frame(2000, 5))


def seconds(task: Callable[[], object]) -> tuple[float, float]:
    """Measure the wall and the CPU seconds of a task."""
    wall, cpu = time.perf_counter(), time.process_time()
    task()
    return time.perf_counter() - wall, time.process_time() - cpu


def peak_memory() -> float:
    """Return the peak resident memory of this process in MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1e3


def parquet_file(options: argparse.Namespace, rows: int, numbers: Sequence[int]) -> str:
    """Write a Parquet file of columns of four kinds in turn, unless there is one."""
    path = Path(options.folder, f"autotype-scale-{rows}x{len(numbers)}.parquet")
    if not path.exists():
        columns = ", ".join(
            (
                f"(hash(i, {j}) % {3 + j % 9})::INT AS i{j}",
                f"['low', 'mid', 'high', 'top'][1 + (hash(i, {j}) % 4)::INT] AS s{j}",
                f"(hash(i, {j}) % 1000003) / 1000.0::DOUBLE AS x{j}",
                f"(hash(i, {j}) % 100003)::BIGINT AS k{j}",
            )[j % 4]
            for j in numbers
        )
        code = (
            f'import duckdb; duckdb.sql("COPY (SELECT {columns} FROM '
            f"range({rows}) t(i)) TO '{path}.part' (FORMAT parquet)\")"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
        os.replace(f"{path}.part", path)
    return str(path)


def print_agreement(options: argparse.Namespace) -> None:
    """Compare the verdicts on blown-up frames, engine by engine."""
    folder = data_folder(options.data)
    most_cells, open_frame.MAX_LOADED_CELLS = open_frame.MAX_LOADED_CELLS, -1
    rows = min(options.most_rows, 1_000_000)
    labels = read_labels_table(folder, ("typed-columns",))
    labelled = set(zip(labels["file"], labels["column"], strict=True))
    found = []
    for file in np.random.default_rng(0).permutation(sorted(labels["file"].unique()))[
        : options.frames
    ]:
        small = read_frame(folder, "typed-columns", file)
        drawn = np.random.default_rng(1).integers(0, len(small), rows)
        frame = small.iloc[drawn].reset_index(drop=True)
        expected = autotype.infer_types(frame)
        for name in options.engines.split(","):
            types = autotype.infer_types(ENGINES[name](frame))
            for one, other in zip(expected.columns, types.columns, strict=True):
                same = one.semantic_type == other.semantic_type and same_order(one, other)
                found.append((name, same, (file, one.name) in labelled, frame.size <= most_cells))
                if not same:
                    print(f"{file}: {one.name!r}: {described(one)}, by {name} {described(other)}")
    table = pd.DataFrame(found, columns=["engine", "same", "labelled", "loaded"])
    table["as it is"] = table["same"] | table["loaded"]
    for name, group in table.groupby("engine"):
        same, known = group["same"], group["labelled"]
        print(
            f"{name}: the same verdict of {same.sum()} of {len(group)} columns, {same.mean():.4f}; "
            f"of the {known.sum()} labelled ones {same[known].mean():.4f}; of all "
            f"{group['as it is'].mean():.4f} if tables of up to {most_cells:,} cells are loaded"
        )


def described(column: autotype.ColumnType) -> str:
    order = "" if column.order is None else f" {column.order}"
    return f"{column.semantic_type} {column.probability:.2f}{order}"


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
PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "rows": print_rows,
    "columns": print_columns,
    "wide": print_wide,
    "pandas": print_pandas,
    "validate": print_validate,
    "workers": print_workers,
    "agreement": print_agreement,
}
MEASURES: dict[str, Callable[..., dict[str, float]]] = {
    "infer": measure_infer,
    "columns": measure_columns,
    "pandas_memory": measure_pandas_memory,
    "validate": measure_validate,
    "workers": measure_workers,
    "first_call": measure_first_call,
}


if __name__ == "__main__":
    raise SystemExit(main())

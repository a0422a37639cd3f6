"""CPU seconds of `infer_types` beside other tools, a baseline, and its growth, in the same run.

usage: python benchmarks/infer_speed.py [DATA] [--repeats N] [--baseline FOLDER]
                                        [--parts frames,growth,rows,imports] [--rows N]

frames: whole frames beside pandas' `describe`, and skrub's Cleaner and TableReport if installed
(the extra `bench`); with `--baseline`, a folder with another installed autotype, the ratio of new
to old CPU seconds on adult, diamonds, ames and frames of typed-columns, interleaved in two
processes. growth: a column among 1,000 columns against one among 20, one of 20 levels against one
of 5, and ten columns of a frame of 600 against ten of one of 20. rows: 5 columns of 10 million
rows beside `describe`. imports: `import autotype` beside `import pandas`. All are medians, with
one BLAS thread.
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

_PARTS = ("frames", "growth", "rows", "imports")
_WHOLE = ("adult", "diamonds", "ames")
_EVERY = 9  # one in so many frames of typed-columns
# Of whichever autotype is found first: it uses nothing but the public call.
_SERVER = """
import sys, time
import pandas as pd, autotype
for path in sys.stdin:
    frame = pd.read_csv(path.strip(), low_memory=False, keep_default_na=False, na_values=[""])
    start = time.process_time()
    autotype.infer_types(frame)
    print(time.process_time() - start, flush=True)
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--baseline", help="folder with another installed autotype")
    parser.add_argument("--parts", default=",".join(_PARTS))
    parser.add_argument("--rows", type=int, default=10_000_000)
    options = parser.parse_args(argv)
    folder = data_folder(options.data)
    parts = options.parts.split(",")
    autotype.infer_types(discrete_frame(100))  # imports and caches are not what is measured
    if options.baseline:
        print_baseline(folder, options.baseline, options.repeats)
    if "frames" in parts:
        print_frames(folder, options.repeats)
    if "growth" in parts:
        print_growth(options.repeats)
    if "rows" in parts:
        print_rows(options.rows, options.repeats)
    if "imports" in parts:
        ours, plain = (import_median(name, options.repeats) for name in ("autotype", "pandas"))
        print_ratio("import autotype / import pandas", ours, plain)
    return 0


def print_ratio(name: str, one: float, other: float) -> None:
    print(f"{name:48s}{one:10.3f}{other:10.3f}{one / other:8.2f}", flush=True)


def discrete_frame(n_rows: int, n_columns: int = 20, n_levels: int | None = None) -> pd.DataFrame:
    """Generate discrete columns, by default of 3 to 12 levels, that share two latent variables."""
    rng = np.random.default_rng(0)
    latent = rng.standard_normal((n_rows, 2))
    columns = {}
    for j in range(n_columns):
        score = latent @ rng.standard_normal(2) + rng.standard_normal(n_rows)
        cuts = np.quantile(score, np.linspace(0, 1, (n_levels or 3 + j % 10) + 1)[1:-1])
        names = np.array([f"level {k}" for k in rng.permutation(len(cuts) + 1)], dtype=object)
        columns[f"c{j}"] = names[np.digitize(score, cuts)]
    return pd.DataFrame(columns)


def cpu_seconds(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def interleaved_medians(tasks: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """Measure the median CPU seconds of tasks that take turns."""
    seconds = [[cpu_seconds(task) for task in tasks] for _ in range(repeats)]
    return [statistics.median(column) for column in zip(*seconds, strict=True)]


def print_frames(folder: Path, repeats: int) -> None:
    """Compare whole frames with `describe`, and with skrub's Cleaner and TableReport."""
    rows = [("20 discrete columns x 50,000 rows", discrete_frame(50_000))]
    rows += [(name, read_frame(folder, "full-frames", f"frames/{name}.csv.gz")) for name in _WHOLE]
    peers = skrub_tasks()
    names = ["infer", "describe", *peers]
    print(f"{'CPU s, and ratio to infer_types':38s}" + "".join(f"{name:>18s}" for name in names))
    for name, frame in rows:
        tasks = [lambda f=frame: autotype.infer_types(f), lambda f=frame: f.describe(include="all")]
        tasks += [lambda f=frame, peer=peer: peer(f) for peer in peers.values()]
        ours, *others = interleaved_medians(tasks, repeats)
        cells = "".join(f"{other:10.3f} ({ours / other:5.2f})" for other in others)
        print(f"{name:38s}{ours:18.3f}{cells}", flush=True)
    print(f"{'a column of typed-columns, median':38s}{column_median(folder):18.3f}", flush=True)


def skrub_tasks() -> dict[str, Callable[[pd.DataFrame], object]]:
    """Return skrub's calls, none where it is not installed."""
    try:
        from skrub import Cleaner, TableReport
    except ImportError:
        print("skrub is not installed: pip install '.[bench]'")
        return {}
    return {
        "skrub.Cleaner": lambda frame: Cleaner().fit_transform(frame),
        "skrub.TableReport": lambda frame: TableReport(frame, verbose=0).html(),
    }


def print_growth(repeats: int) -> None:
    """Compare the cost of a column among many with few columns, and of many with few levels."""
    few, many = discrete_frame(1000, 20, 5), discrete_frame(1000, 1000, 5)
    long = discrete_frame(1000, 20, 20)
    tasks = [lambda frame=frame: autotype.infer_types(frame) for frame in (few, many, long)]
    at_few, at_many, of_many = interleaved_medians(tasks, repeats)
    print("CPU s a column, and ratio")
    print_ratio("among 1,000 columns / 20", at_many / 1000, at_few / 20)
    print_ratio("of 20 levels / 5", of_many / 20, at_few / 20)
    ten = list(many.columns[300:310])
    beside = {600: many.iloc[:, :600], 20: many.iloc[:, 300:320]}
    tasks = [lambda frame=frame: autotype.infer_types(frame, ten) for frame in beside.values()]
    print_ratio("ten columns of 600 / of 20", *interleaved_medians(tasks, repeats))


def print_rows(n_rows: int, repeats: int) -> None:
    """Compare five columns of many rows with `describe`."""
    rng = np.random.default_rng(0)
    score = rng.standard_normal(n_rows, dtype=np.float32)
    frame = pd.DataFrame(
        {
            "number": score + rng.standard_normal(n_rows, dtype=np.float32),
            "whole": rng.integers(0, 100_000, n_rows),
            "rating": np.digitize(score, [-1, 0, 1]) + 1,
            "text": pd.Categorical.from_codes(np.digitize(score, [0, 1]), ["low", "mid", "high"]),
            "flag": score > 0,
        }
    )
    tasks = [lambda: autotype.infer_types(frame), lambda: frame.describe(include="all")]
    ours, plain = interleaved_medians(tasks, repeats)
    print_ratio(f"5 columns x {n_rows:,} rows / describe", ours, plain)


def column_median(folder: Path) -> float:
    """Measure CPU seconds a discrete column, as the median over the labelled columns."""
    seconds = []
    for file, group in read_labels_table(folder, ("typed-columns",)).groupby("file"):
        frame = read_frame(folder, "typed-columns", file)
        n_discrete = max(1, sum(3 <= frame[name].nunique() <= 20 for name in frame))
        spent = cpu_seconds(lambda frame=frame: autotype.infer_types(frame))
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


def print_baseline(folder: Path, baseline: str, repeats: int) -> None:
    """Print the ratio of new to old CPU seconds, of two processes that take turns."""
    typed = sorted(read_labels_table(folder, ("typed-columns",))["file"].unique())[::_EVERY]
    tasks = {name: [folder / "full-frames" / "frames" / f"{name}.csv.gz"] for name in _WHOLE}
    tasks["typed-columns"] = [folder / "typed-columns" / file for file in typed]
    print(f"{'CPU s: new, baseline, ratio':48s}")
    with start_server(None) as new, start_server(baseline) as old:
        for name, frames in tasks.items():
            ratios, ours, theirs = [], [], []
            for turn in range(repeats + 1):
                spent = {new: 0.0, old: 0.0}
                for frame in frames:
                    for server in (new, old) if turn % 2 else (old, new):
                        spent[server] += ask(server, frame)
                if turn:  # the first one fills caches
                    ours.append(spent[new])
                    theirs.append(spent[old])
                    ratios.append(spent[new] / spent[old])
            print(
                f"{name:48s}{statistics.median(ours):10.3f}{statistics.median(theirs):10.3f}"
                f"{statistics.median(ratios):8.2f}",
                flush=True,
            )


def start_server(baseline: str | None) -> subprocess.Popen:
    """Start a process that infers the types of the frames whose paths it is given."""
    environment = dict(os.environ)
    if baseline is not None:
        environment["PYTHONPATH"] = str(Path(baseline).resolve())
    return subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=Path(__file__).parent,  # not the source, whose package would come first
    )


def ask(server: subprocess.Popen, path: Path) -> float:
    """Return the CPU seconds that a server takes for one frame."""
    server.stdin.write(f"{path.resolve()}\n")
    server.stdin.flush()
    return float(server.stdout.readline())


if __name__ == "__main__":
    sys.exit(main())

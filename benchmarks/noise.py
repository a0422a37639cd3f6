"""Report the verdicts on columns of noise: of dependent rows, and beside columns that are added.

usage: python benchmarks/noise.py [DATA] [--frames N] [--seed N]

Two figures. Of frames of noise whose rows are repeated, measured repeatedly, or drift in time: the
proportion of columns of opaque levels called ordinal, and called anything but undetermined. Of
generated frames, and of the labelled frames of DATA if it is given: the proportion of verdicts that
change when independent columns are added. Of frames of more rows than are used, the added columns
also change which rows are drawn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from labelled_columns import CORPORA, data_folder, read_frame, read_labels_table

import autotype
from autotype.inference.sampling.row_priority import default_max_rows

Draw = Callable[[np.random.Generator, int, int], np.ndarray]
N_ADDED = 5  # columns of noise beside the others
_LEVELS = (3, 4, 5, 6, 8)
_DISCRETE = ("ordinal", "categorical", "binary", "undetermined")


def independent(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw independent rows."""
    return rng.standard_normal((n_rows, n_columns))


def repeated(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw rows that are repeated 3 to 20 times, one after the other or in any order."""
    times = int(rng.integers(3, 21))
    rows = np.repeat(np.arange(-(-n_rows // times)), times)[:n_rows]
    if rng.random() < 0.5:
        rng.shuffle(rows)
    return independent(rng, n_rows, n_columns)[rows]


def measured(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw repeated measures of subjects; the last column is the subject."""
    times = int(rng.integers(3, 21))
    subject = np.repeat(np.arange(-(-n_rows // times)), times)[:n_rows]
    if rng.random() < 0.5:
        rng.shuffle(subject)
    own = rng.uniform(0.2, 1.0)
    values = np.sqrt(own) * independent(rng, n_rows, n_columns)[subject]
    values += np.sqrt(1.0 - own) * independent(rng, n_rows, n_columns)
    return np.column_stack([values, rng.permutation(n_rows)[subject]])


def walking(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw random walks."""
    return independent(rng, n_rows, n_columns).cumsum(axis=0)


def fading(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw autoregressive series of the first order."""
    values, kept = independent(rng, n_rows, n_columns), rng.uniform(0.6, 0.98)
    for row in range(1, n_rows):
        values[row] += kept * values[row - 1]
    return values


def drifting(rng: np.random.Generator, n_rows: int, n_columns: int) -> np.ndarray:
    """Draw noise about trends and seasons in time."""
    time = np.linspace(0.0, 1.0, n_rows)[:, None]
    trend = rng.normal(0.0, 2.0, n_columns) * time
    season = np.sin(2 * np.pi * (rng.uniform(1, 5) * time + rng.random(n_columns)))
    return trend + rng.uniform(0, 1) * season + 0.5 * independent(rng, n_rows, n_columns)


KINDS: tuple[Draw, ...] = (independent, repeated, measured, walking, fading, drifting)


def noise_frame(rng: np.random.Generator, draw: Draw) -> pd.DataFrame:
    """Draw a frame whose column `y` has opaque levels, beside numbers and levels of noise."""
    n_rows, n_columns = int(rng.choice([80, 200, 500, 1000])), int(rng.integers(3, 10))
    values = draw(rng, n_rows, n_columns)
    frame = pd.DataFrame({f"x{k}": column for k, column in enumerate(values.T)})
    names = ["y"] if rng.random() < 0.5 else ["y", *frame.columns[1::2][:3]]
    for name in names:
        latent = frame["x0"] if name == "y" else frame[name]
        frame[name] = tokens(rng, latent.rank(method="dense").to_numpy())
    return frame.drop(columns="x0")


def tokens(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """Cut values into levels, and name these by opaque strings in any order."""
    n_levels = int(rng.choice(_LEVELS))
    cuts = np.sort(rng.uniform(0.05, 0.95, n_levels - 1))
    names = np.array([f"q{k:02d}z" for k in rng.permutation(90)[:n_levels]])
    return names[np.searchsorted(np.quantile(values, cuts), values)]


def dependent_summary(n_frames: int, *, seed: int) -> pd.DataFrame:
    """Tabulate the verdicts on the opaque columns of frames of noise, by kind of dependence."""
    rows = []
    for number, draw in enumerate(KINDS):
        rng = np.random.default_rng([seed, number])
        for _ in range(n_frames):
            frame = noise_frame(rng, draw)
            types = autotype.infer_types(frame)
            opaque = [types[name] for name in frame if frame[name].dtype.kind not in "fi"]
            rows += [(draw.__name__, c.semantic_type) for c in opaque if c.n_levels > 2]
    said = pd.DataFrame(rows, columns=["rows", "said"])
    return said.groupby("rows", sort=False)["said"].agg(
        columns="size",
        ordinal=lambda part: part.eq("ordinal").mean(),
        decided=lambda part: part.ne("undetermined").mean(),
    )


def related_frame(rng: np.random.Generator) -> pd.DataFrame:
    """Draw a frame in which opaque columns, with an order or without, depend on the others."""
    n_rows, n_numbers = int(rng.choice([80, 200, 500, 1000])), int(rng.integers(2, 8))
    numbers = independent(rng, n_rows, n_numbers)
    frame = pd.DataFrame({f"x{k}": column for k, column in enumerate(numbers.T)})
    for k in range(4):
        strength = rng.uniform(0.0, 1.5)
        latent = strength * numbers[:, k % n_numbers] + rng.standard_normal(n_rows)
        levels = tokens(rng, latent)
        frame[f"y{k}"] = levels
        if k % 2:  # without an order: numbers that differ by level in any order
            own = dict(zip(np.unique(levels), rng.normal(0, strength, 99), strict=False))
            frame[f"z{k}"] = pd.Series(levels).map(own) + rng.standard_normal(n_rows)
            frame[f"w{k}"] = pd.Series(levels[::-1]).map(own) + rng.standard_normal(n_rows)
    return frame


def with_noise(frame: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Add independent numbers and levels to a frame."""
    added = {f"added {k}": rng.standard_normal(len(frame)) for k in range(N_ADDED - 1)}
    added["added"] = tokens(rng, rng.standard_normal(len(frame)))
    return pd.concat([frame, pd.DataFrame(added, index=frame.index)], axis=1)


def changed_verdicts(frames: Iterator[pd.DataFrame], *, seed: int) -> pd.DataFrame:
    """Count the verdicts on discrete columns that change when columns of noise are added."""
    rng, rows = np.random.default_rng(seed), []
    for frame in frames:
        frame = frame.reset_index(drop=True)
        before, after = autotype.infer_types(frame), autotype.infer_types(with_noise(frame, rng))
        rows += [
            (name, len(frame), before[name].semantic_type, after[name].semantic_type)
            for name in frame.columns
            if before[name].semantic_type in _DISCRETE and before[name].n_levels > 2
        ]
    table = pd.DataFrame(rows, columns=["column", "rows", "before", "after"])
    return table.assign(changed=table.before.ne(table.after))


def labelled_frames(folder: Path) -> Iterator[pd.DataFrame]:
    """Read the labelled frames of the corpora."""
    table = read_labels_table(folder)
    for corpus, file in table[["corpus", "file"]].drop_duplicates().itertuples(index=False):
        yield read_frame(folder, corpus, file)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", help=f"a folder of the corpora {', '.join(CORPORA)}")
    parser.add_argument("--frames", type=int, default=100, help="generated frames of each kind")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    print(dependent_summary(options.frames, seed=options.seed).round(4).to_string())
    rng = np.random.default_rng(options.seed)
    sources = {"generated": (related_frame(rng) for _ in range(2 * options.frames))}
    if options.data is not None:
        sources["labelled"] = labelled_frames(data_folder(options.data))
    for name, frames in sources.items():
        table = changed_verdicts(frames, seed=options.seed)
        is_drawn = table.rows > table.rows.map(default_max_rows)
        for rows, part in (("all rows", table[~is_drawn]), ("drawn rows", table[is_drawn])):
            print(f"\n{name}, {rows}: {part.changed.sum()} of {len(part)} verdicts change")
            if part.changed.any():
                print(part[part.changed].groupby(["before", "after"]).size().to_string())
    return 0


if __name__ == "__main__":
    sys.exit(main())

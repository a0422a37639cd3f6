"""Mutate the package line by line, and print which mutants the tests do not notice.

    pip install ".[test]" cosmic-ray pytest-cov
    python benchmarks/mutation.py --results mutants.jsonl

cosmic-ray lists the mutations and applies them. The sample is stratified over five families,
`inference/`, the solvers, `schema/`, `types/` and `tables/`, by their lines: random places in the
source, and one random mutation at each; those that cannot change behaviour are passed over
(`mutants.py`).

The suite runs once under coverage. A mutant then meets the tests of its module, those that reach
its statement first, short ones first; then the other tests that reach its statement, and the others
that reach its module, until `--seconds` of test time are spent. A mutant that no test reaches
survives.
One on which a test takes five times the time it took before, and ten seconds, is killed (timed
out). The mutants are written to copies of the tree in a temporary folder, never to the tree itself.

Started again with the same results file, it goes on where it stopped. `--again OLD` runs the
survivors in the results file OLD against the tests of today, and carries the other results over.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import importlib
import importlib.util
import json
import multiprocessing
import os
import py_compile
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

import pytest
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from coverage import CoverageData
from mutants import ROOT, Mutant, draw, families, find_again

N_FIRST = 20  # tests of a mutant that run before the others are collected
# Imported once, not for every mutant.
WARM = """hypothesis joblib numpy pandas pandera.pandas scipy.linalg scipy.optimize scipy.special
scipy.stats sklearn.linear_model sklearn.model_selection sklearn.svm threadpoolctl yaml"""
TIMES_BASELINE, EXTRA_SECONDS = 5, 10  # allowed to a test of a mutant before it counts as hung
PYTEST = ["-q", "-x", "--assert=plain", "-p", "no:cacheprovider", "--tb=no", "--hypothesis-seed=0"]


# --- which tests -------------------------------------------------------------------------------


class Durations:
    """Plugin of pytest that notes how long each test took, and whether it passed."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of a test."""
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)


class TimeLimits:
    """Plugin of pytest that ends the process when a test takes far longer than it should.

    It measures the time of the processor, so that other work on the machine kills no mutant.
    """

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    def pytest_configure(self) -> None:
        """Start the clock: the import of the package may hang, too."""
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        self.pytest_runtest_logfinish()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Set the time of a test."""
        limit = TIMES_BASELINE * self.seconds.get(nodeid, 10) + EXTRA_SECONDS
        signal.setitimer(signal.ITIMER_PROF, limit)

    def pytest_runtest_logfinish(self) -> None:
        """Set the time of all that is no test, such as the import of the package."""
        signal.setitimer(signal.ITIMER_PROF, 60)


def run_baseline(copy: Path, durations: Path, data: Path) -> None:
    """Run the whole suite once, on a copy of the tree, and write what each test reaches."""

    def suite() -> int:
        os.environ["COVERAGE_FILE"] = str(data)
        recorder = Durations()
        arguments = ["--cov", "--cov-context=test", "--cov-report=", "--cov-fail-under=0"]
        code = pytest.main(
            [option for option in PYTEST if option != "-x"] + arguments, plugins=[recorder]
        )
        passed = {t: s for t, s in recorder.seconds.items() if t not in recorder.failed}
        durations.write_text(json.dumps({"root": str(copy), "seconds": passed}), "utf-8")
        return code

    code, output = in_child(copy, suite, seconds=7200)
    if not durations.exists() or code not in (0, 1):
        raise SystemExit(f"the suite does not run on a copy of the tree:\n{output}")
    if code:  # tests that fail by themselves cannot judge a mutant
        print("Left out, since they fail without a mutation:", *failures(output), sep="\n  ")


def statement_lines(source: str, line: int) -> range:
    """Return the lines of the innermost statement at a line, without the body of a block."""
    best = range(line, line + 1)
    latest = 0
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt):
            continue
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        body = getattr(node, "body", None)
        last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
        if latest <= first <= line <= last:
            best, latest = range(first, last + 1), first
    return best


class Selection:
    """What the suite of the baseline reached, and how long it took."""

    def __init__(self, durations: Path, data: Path) -> None:
        baseline = json.loads(durations.read_text("utf-8"))
        self.root = Path(baseline["root"])
        self.seconds: dict[str, float] = baseline["seconds"]
        self.data = CoverageData(str(data))
        self.data.read()
        self.path, self.found = "", {}
        self.of_file = defaultdict(set)
        for test in self.seconds:
            self.of_file[test.split("::")[0]].add(test)

    def tests(self, mutant: Mutant, at_most: float) -> list[str]:
        """Return the tests for a mutant, in the order in which they run; none if none reach it."""
        contexts = self.contexts(mutant.path)
        lines = statement_lines((ROOT / mutant.path).read_text("utf-8"), mutant.line)
        at_line = {context for line in lines for context in contexts.get(line, ())}
        if not at_line:
            return []
        reaching = self.names(at_line)
        mirrors = [file for file in self.of_file if self.mirrors(Path(file), mutant.path)]
        of_module = set().union(*(self.of_file[file] for file in mirrors))
        near = self.names(set().union(*contexts.values()))

        def rank(test: str) -> tuple[bool, bool, float]:
            # Caches hide from coverage which tests use a line: those of the module come first.
            return test not in of_module, test not in reaching, self.seconds[test]

        chosen: list[str] = []
        spent = 0.0
        for test in sorted(reaching | of_module | near, key=rank):
            spent += self.seconds[test]
            if chosen and spent > at_most:
                break
            chosen.append(test)
        return chosen

    def contexts(self, path: str) -> dict[int, set[str]]:
        """Return what reached each line of a file; files come one after another."""
        if path != self.path:
            found = self.data.contexts_by_lineno(str(self.root / path))
            self.path, self.found = path, {line: set(of_line) for line, of_line in found.items()}
        return self.found

    def names(self, contexts: set[str]) -> set[str]:
        """Return the tests of coverage contexts such as `tests/test_a.py::test_b|run`.

        A fixture of a module runs in the set-up of the first test that asks for it: all tests of
        that file depend on it.
        """
        names = set()
        for context in contexts - {""}:
            test, _, phase = context.rpartition("|")
            names.add(test)
            if phase == "setup":
                names |= self.of_file[test.split("::")[0]]
        return names & set(self.seconds)

    @staticmethod
    def mirrors(file: Path, path: str) -> bool:
        """Return whether a file tests a module: the tree of tests mirrors the package."""
        module = Path(path).relative_to("autotype")
        return file.parent == "tests" / module.parent and (
            file.stem == f"test_{module.stem}" or file.stem.startswith(f"test_{module.stem}_")
        )


# --- running -----------------------------------------------------------------------------------


def copy_tree(folder: Path) -> Path:
    """Copy what git tracks, or would, and the compiled modules, to a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
    sources = [(ROOT / name, folder / name) for name in sorted(names)]
    spec = importlib.util.find_spec("autotype")
    if spec is None or spec.origin is None:
        raise SystemExit("autotype is not installed; install it: pip install '.[test]'")
    package = Path(spec.origin).parent
    for kernel in package.rglob("*.so"):
        sources.append((kernel, folder / "autotype" / kernel.relative_to(package)))
    for source, target in sources:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    # A mutant has the size and the second of its original: only a hash tells them apart.
    checked = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder / "autotype", quiet=2, invalidation_mode=checked)
    return folder


OWN_FAILURE = 70  # exit code where this command fails, and not a test


def in_child(copy: Path, work, seconds: float) -> tuple[int | None, str]:
    """Return the exit code (None: out of time) and the output of `work` in a forked process.

    The process inherits the imported libraries, which would take longer to import than most
    mutants to be killed.
    """
    output = copy.parent / f"{copy.name}.output"
    child = os.fork()
    if child == 0:
        os.setsid()
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        os.chdir(copy)
        sys.path.insert(0, str(copy))
        os.environ["PYTHONPATH"] = str(copy)
        code = OWN_FAILURE
        try:
            code = int(work())
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    end = time.monotonic() + seconds
    while not (done := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            done = os.waitpid(child, 0)
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # workers that it started and left
    text = output.read_text("utf-8", errors="replace")
    if os.WIFSIGNALED(done[1]):
        hung = os.WTERMSIG(done[1]) in (signal.SIGPROF, signal.SIGKILL)
        return (None if hung else 128 + os.WTERMSIG(done[1])), text
    if os.WEXITSTATUS(done[1]) == OWN_FAILURE:
        raise RuntimeError(text)
    return os.WEXITSTATUS(done[1]), text


def failures(output: str) -> list[str]:
    """Return the tests that the summary of pytest names."""
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)


COPY: Path  # of this worker


def start_worker(folder: str) -> None:
    """Make the copy of the tree that this worker mutates, with its tests compiled."""
    global COPY
    COPY = copy_tree(Path(tempfile.mkdtemp(dir=folder)))
    in_child(COPY, lambda: pytest.main([*PYTEST, "--collect-only"]), 600)
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def run_tests(seconds: dict[str, float]) -> tuple[int | None, str]:
    """Return exit code and output of tests, given with the seconds they take."""
    plugins = [TimeLimits(seconds)]
    limit = 300 + 4 * TIMES_BASELINE * sum(seconds.values())  # a test may sleep for ever
    code, output = in_child(COPY, lambda: pytest.main([*PYTEST, *seconds], plugins=plugins), limit)
    if code == 4 and "ERROR: not found" in output:  # the cases of a test depend on the module
        files = list(dict.fromkeys(test.split("::")[0] for test in seconds))
        code, output = in_child(
            COPY, lambda: pytest.main([*PYTEST, *files], plugins=plugins), 4 * limit
        )
    return code, output


def judge(mutant: Mutant, seconds: dict[str, float]) -> Mutant:
    """Run tests, given with the seconds they take, on a mutant."""
    tests = list(seconds)
    mutant.tests = len(tests)
    if not tests:
        mutant.status = "survived"
        mutant.by = "no test reaches it"
        return mutant
    target = COPY / mutant.path
    original = target.read_text("utf-8")
    text = mutate_code(original, get_operator(f"core/{mutant.operator}")(), mutant.occurrence)
    target.write_text(text, "utf-8")
    try:
        # Most mutants fall to the first tests, and it takes a while to collect all.
        for part in filter(None, (tests[:N_FIRST], tests[N_FIRST:])):
            code, output = run_tests({test: seconds[test] for test in part})
            if code != 0:
                break
    finally:
        target.write_text(original, "utf-8")
    mutant.status = {0: "survived", None: "timed out"}.get(code, "killed")
    mutant.by = "" if code == 0 else next(iter(failures(output)), f"exit code {code}")
    return mutant


def run(mutants: list[Mutant], options: argparse.Namespace, folder: Path) -> None:
    """Judge the mutants and append each to the results file."""
    for library in WARM.split():
        importlib.import_module(library)
    baseline = options.results.with_suffix(".durations.json")
    data = options.results.with_suffix(".coverage")
    if not baseline.exists() or not data.exists():
        print("Running the suite once, under coverage", flush=True)
        run_baseline(copy_tree(folder / "baseline"), baseline, data)
    selection = Selection(baseline, data)
    pool = ProcessPoolExecutor(
        options.jobs, multiprocessing.get_context("fork"), start_worker, (str(folder),)
    )
    with pool, options.results.open("a", encoding="utf-8") as results:
        waiting = []
        for mutant in mutants:
            tests = selection.tests(mutant, options.seconds)
            seconds = {test: selection.seconds[test] for test in tests}
            waiting.append(pool.submit(judge, mutant, seconds))
        for number, future in enumerate(as_completed(waiting), 1):
            mutant = future.result()
            results.write(json.dumps(asdict(mutant)) + "\n")
            results.flush()
            print(
                f"{number}/{len(waiting)} {mutant.status} {mutant.path}:{mutant.line}", flush=True
            )


# --- report ------------------------------------------------------------------------------------


def read_results(path: Path) -> list[Mutant]:
    """Read the mutants that have been judged."""
    if not path.exists():
        return []
    return [Mutant(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def print_report(mutants: list[Mutant]) -> None:
    """Print the counts by module, and each survivor."""
    modules = defaultdict(Counter)
    family_of = {str(p.relative_to(ROOT)): f for f, paths in families().items() for p in paths}
    for mutant in mutants:
        for group in (mutant.path, family_of.get(mutant.path, "gone"), "all"):
            modules[group][mutant.status] += 1
    print(f"\n{'module':58} {'killed':>8} {'timed out':>10} {'survived':>9}")
    for group, counts in sorted(modules.items(), key=lambda item: ("/" not in item[0], item[0])):
        share = counts["survived"] / counts.total()
        print(
            f"{group:58} {counts['killed']:8} {counts['timed out']:10} {counts['survived']:9}"
            + (f" {share:7.1%}" if "/" not in group else "")
        )
    for mutant in sorted(mutants, key=lambda mutant: (mutant.path, mutant.line)):
        if mutant.status == "survived":
            print(f"\n{mutant.path}:{mutant.line} {mutant.operator} {mutant.by}".rstrip())
            for sign, text in (("-", mutant.removed), ("+", mutant.added)):
                print("\n".join(f"  {sign} {line}" for line in text.splitlines()))


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=400, help="number of mutants (400)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample (0)")
    parser.add_argument("--results", type=Path, required=True, help="JSON lines, one a mutant")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at the same time (2)")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for a mutant (60)")
    parser.add_argument("--again", type=Path, metavar="OLD", help="results with the survivors")
    return parser.parse_args()


def main() -> None:
    """Draw the sample, judge what has not been judged, and print the report."""
    options = parse_options()
    options.results = options.results.resolve()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if options.again and not options.results.exists():
        carried = [old for old in read_results(options.again) if old.status != "survived"]
        lines = "".join(json.dumps(asdict(old)) + "\n" for old in carried)
        options.results.write_text(lines, "utf-8")
    if options.again:
        survivors = [old for old in read_results(options.again) if old.status == "survived"]
        found = [(old, find_again(old)) for old in survivors]
        for old, new in found:
            if new is None:
                print(f"No longer in the source: {old.path}:{old.line} {old.operator}")
        sample = [new for _, new in found if new is not None]
    else:
        sample = sorted(draw(options.sample, options.seed), key=lambda mutant: mutant.path)
    judged = {mutant.key for mutant in read_results(options.results)}
    with tempfile.TemporaryDirectory(prefix="autotype-mutants-") as folder:
        run([m for m in sample if m.key not in judged], options, Path(folder))
    drawn = {mutant.key for mutant in sample}
    results = read_results(options.results)
    print_report(results if options.again else [m for m in results if m.key in drawn])


if __name__ == "__main__":
    main()

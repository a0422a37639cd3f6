"""CPU seconds that the command line takes to start, beside pandas reading the same file.

usage: python benchmarks/startup_speed.py [FILE ...] [--rounds 5] [--baseline PATH]

For each file, examples/survey.csv and three of 30 rows by default, of English words, of German
ones and of numbers: `autotype infer FILE` and `autotype --version`, beside a process in which
pandas reads the file, one in which it is imported with autotype, and one in which it is imported
with the parts of SciPy that the models need, which no version can go below. With --baseline PATH,
a folder that holds another version of the package, that version takes its turns too. Each is a
process of its own; the figures are medians over rounds.

Measured is the installed package, as users have it: with bytecode, which a first round that does
not count writes, and with the vocabulary that the build has parsed. Where Python finds the folder
of the source instead, which holds no such vocabulary, a line says so, and the figures are higher
by 0.04 s.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
SURVEY = Path(__file__).resolve().parent.parent / "examples" / "survey.csv"
SCRIPT = "import sys; from _autotype_command import main; sys.exit(main())"
MODULE = "import sys; from autotype.cli import main; sys.exit(main())"  # versions without a script


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", metavar="FILE", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--baseline", metavar="PATH", help="folder of another version")
    options = parser.parse_args(argv)
    lexicon = resources.files("autotype.lexicon").joinpath("words")
    built = lexicon.joinpath("vocabulary.txt").is_file()
    print(f"autotype {'as installed' if built else 'in the folder of its source'}: {lexicon}")
    with tempfile.TemporaryDirectory() as folder:
        for path in options.files or [str(SURVEY), *write_small_files(folder)]:
            measure(os.path.abspath(path), options.rounds, options.baseline)
    return 0


def write_small_files(folder: str) -> list[str]:
    """Write files of two columns and 30 rows, which need different parts of the vocabulary."""
    values = {
        "size": ["S", "M", "L"],
        "Zufriedenheit": ["gering", "mittel", "hoch"],
        "n": [1, 2, 5],
    }
    for name, own in values.items():
        rows = [f"{own[k % 3]},{k % 3 * 10 + k % 7}" for k in range(30)]
        text = "\n".join([f"{name},price", *rows]) + "\n"
        Path(folder, f"{name}.csv").write_text(text, encoding="utf-8")
    return [str(Path(folder, f"{name}.csv")) for name in values]


def measure(path: str, rounds: int, baseline: str | None) -> None:
    """Print what each process costs, and how many times pandas reading the file."""
    reading = f"import pandas; pandas.read_csv({path!r})"
    tasks: dict[str, tuple[list[str], str | None]] = {
        "pandas reads it": (["-c", reading], None),
        "pandas, SciPy imported": (["-c", f"{reading}; import scipy.linalg, scipy.special"], None),
        "autotype imported": (["-c", f"{reading}; import autotype"], None),
        "autotype --version": (["-c", SCRIPT, "--version"], None),
        "autotype infer": (["-c", SCRIPT, "infer", path], None),
    }
    if baseline is not None:
        program = SCRIPT if any(Path(baseline).glob("_autotype_command*")) else MODULE
        tasks["before: autotype infer"] = (["-c", program, "infer", path], baseline)
    seconds: dict[str, list[float]] = {task: [] for task in tasks}
    for turn in range(rounds + 1):
        for task, (arguments, package) in tasks.items():
            used = cpu_seconds(arguments, package)
            if turn:  # the first one compiles the modules
                seconds[task].append(used)
    least = statistics.median(seconds["pandas reads it"])
    print(f"{path}: CPU seconds, medians of {rounds}, and as a multiple of the first")
    for task, found in seconds.items():
        print(f"  {task:26s}{statistics.median(found):7.2f}{statistics.median(found) / least:7.2f}")


def cpu_seconds(arguments: Sequence[str], package: str | None) -> float:
    """CPU seconds of a Python process, of the system too."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if package is not None:
        search = [package, *filter(None, [environment.get("PYTHONPATH")])]
        environment["PYTHONPATH"] = os.pathsep.join(search)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    # Not in the current folder, from which Python would import the source.
    folder = tempfile.gettempdir()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())

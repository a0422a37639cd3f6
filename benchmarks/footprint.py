"""Size on disk and time to import of each package that ``pip install .`` brings.

Sizes include the bytecode that pip writes. Times are CPU time of an import in a process of its own
that has imported NumPy and pandas, the median of five.

    python benchmarks/footprint.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from importlib.util import cache_from_source

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

IMPORTED = {
    "chardet": "chardet",
    "numpy": "numpy",
    "pandas": "pandas",
    "scipy": "scipy.linalg, scipy.optimize, scipy.sparse, scipy.special",
    "scikit-learn": "sklearn.linear_model",
    "filelock": "filelock",
    "joblib": "joblib",
    "narwhals": "narwhals",
    "pandera": "pandera.pandas",
    "pyyaml": "yaml",
    "threadpoolctl": "threadpoolctl",
    "tomlkit": "tomlkit",
    "tqdm": "tqdm",
}


def needed(name: str, found: dict[str, Distribution]) -> dict[str, Distribution]:
    """Add a distribution and what it needs, extras aside, to those found."""
    name = canonicalize_name(name)
    if name not in found:
        found[name] = distribution(name)
        for line in found[name].requires or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                needed(requirement.name, found)
    return found


def megabytes(installed: Distribution) -> float:
    """Return the size of a distribution's files and of their bytecode."""
    paths = {str(installed.locate_file(file)) for file in installed.files or []}
    paths |= {cache_from_source(path) for path in paths if path.endswith(".py")}
    total = 0
    for path in paths:
        try:
            with open(path, "rb") as file:
                total += file.seek(0, 2)
        except OSError:
            continue
    return total / 1e6


def milliseconds(name: str) -> float:
    """Return the median CPU time of an import, after NumPy and pandas."""
    before = {"numpy": "sys", "pandas": "numpy"}.get(name, "numpy, pandas")
    code = f"import time, {before}; t = time.process_time(); import {IMPORTED[name]}\n"
    code += "print(time.process_time() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(5)
    ]
    return 1000 * statistics.median(times)


def main() -> None:
    """Print the table, the largest first."""
    sizes = {name: megabytes(found) for name, found in needed("autotype-ordinal", {}).items()}
    for name, size in sorted(sizes.items(), key=lambda item: -item[1]):
        time = f"{milliseconds(name):6.0f} ms" if name in IMPORTED else ""
        print(f"{name:20} {size:7.1f} MB {time}")
    print(f"{'all':20} {sum(sizes.values()):7.1f} MB")


if __name__ == "__main__":
    main()

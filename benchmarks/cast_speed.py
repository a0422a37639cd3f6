"""CPU seconds of apply_types, to_schema and validate, beside pandas' astype and pandera.

usage: python benchmarks/cast_speed.py [--rows 1000000] [--rounds 5] [--baseline PATH]

Each round runs every task once, in a process of its own whose first calls are not counted; with
--baseline PATH, a folder that holds another version of the package, a round runs both, one after
the other. The figures are medians over the rounds. The data are drawn here; no file is read.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

os.environ.setdefault("OMP_NUM_THREADS", "1")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--baseline", metavar="PATH", help="folder of another version")
    parser.add_argument("--one-round", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.one_round:
        print(json.dumps(one_round(options.rows)))
        return 0
    versions = {"now": None} | ({"baseline": options.baseline} if options.baseline else {})
    rounds: dict[str, list[dict[str, float]]] = {version: [] for version in versions}
    for _ in range(options.rounds):
        for version, path in versions.items():
            rounds[version].append(child_round(options.rows, path))
    medians = {
        version: {task: statistics.median(one[task] for one in found) for task in found[0]}
        for version, found in rounds.items()
    }
    print(f"{options.rows:,} rows, ms of CPU, medians of {options.rounds}")
    for task, (_, peer) in TASKS.items():
        ours = medians["now"][task]
        line = f"{task:32s}{1e3 * ours:9.1f}"
        line += f"   {peer} {1e3 * medians['now'][peer]:.1f}: {ours / medians['now'][peer]:.2f}"
        if "baseline" in medians:
            before = medians["baseline"][task]
            line += f"   before {1e3 * before:.1f}: {ours / before:.2f}"
        print(line)
    return 0


# Task -> what is called and on what, and its peer.
TASKS = {
    "apply_types, str": (("apply_types", "texts"), "astype, str"),
    "apply_types, object": (("apply_types", "objects"), "astype, object"),
    "apply_types, typed already": (("apply_types", "typed"), "astype, typed already"),
    "to_schema": (("to_schema", "texts"), "pandera.infer_schema"),
    "validate, str": (("validate", "texts"), "astype, str"),
    "validate, typed already": (("validate", "typed"), "pandera, typed already"),
}


def child_round(n_rows: int, path: str | None) -> dict[str, float]:
    """Run a round in a process of its own, with the package in a folder."""
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = os.pathsep.join(
            [path, *filter(None, [environment.get("PYTHONPATH")])]
        )
    command = [sys.executable, __file__, "--rows", str(n_rows), "--one-round"]
    child = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(child.stdout.splitlines()[-1])


def one_round(n_rows: int) -> dict[str, float]:
    """CPU seconds of each task and each peer."""
    import numpy as np
    import pandas as pd
    import pandera.pandas as pa

    import autotype  # noqa: F401 - registers df.ordinal

    rng = np.random.default_rng(0)
    cities = np.array([f"city {k}" for k in range(12)])
    texts = pd.DataFrame(
        {
            "size": np.array(["XS", "S", "M", "L", "XL"])[rng.integers(5, size=n_rows)],
            "city": cities[rng.integers(12, size=n_rows)],
            "rating": rng.integers(1, 6, size=n_rows),
            "amount": rng.standard_normal(n_rows),
        }
    )
    types = texts.ordinal.infer_types()
    typed = texts.ordinal.apply_types(types)
    frames = {
        "texts": texts,
        "objects": texts.astype({"size": object, "city": object}),
        "typed": typed,
    }
    schema = texts.ordinal.to_schema(types)
    given = {"apply_types": types, "to_schema": types, "validate": schema}
    tasks: dict[str, Callable[[], object]] = {
        task: lambda call=call, name=name: getattr(frames[name].ordinal, call)(given[call])
        for task, ((call, name), _) in TASKS.items()
    }
    tasks |= {
        "astype, str": lambda: texts.astype(typed.dtypes),
        "astype, object": lambda: frames["objects"].astype(typed.dtypes),
        "astype, typed already": lambda: typed.astype(typed.dtypes),
        "pandera.infer_schema": lambda: pa.infer_schema(texts),
        "pandera, typed already": lambda: schema.validate(typed),
    }
    return {task: cpu_seconds(run) for task, run in tasks.items()}


def cpu_seconds(task: Callable[[], object]) -> float:
    """CPU seconds of the second call."""
    task()
    start = time.process_time()
    task()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())

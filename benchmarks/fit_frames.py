"""Fit ordinal targets of real frames end to end, and compare with baselines.

usage: python benchmarks/fit_frames.py [DATA]

For each frame: the model that ``df.ordinal.fit`` chose, its mean absolute error in ranks by
cross-validation next to a multinomial logistic regression and the median level, and the CPU time of
inference, scoring and fitting together.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import pandas as pd
from labelled_columns import data_folder

import autotype  # noqa: F401 - registers df.ordinal

# File, target, columns that determine the target by definition, and an order that has to be stated.
TARGETS: tuple[tuple[str, str, tuple[str, ...], dict], ...] = (
    ("ames", "Exter Qual", (), {}),
    ("diamonds", "cut", (), {}),
    ("car", "class", (), {"class": ["unacc", "acc", "good", "vgood"]}),
    ("adult", "education", ("education-num",), {}),
    ("titanic", "class", ("pclass", "fare"), {}),
)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    folder = data_folder(parser.parse_args(argv).data)
    rows = {}
    for name, target, excluded, known in TARGETS:
        path = folder / "full-frames" / "frames" / f"{name}.csv.gz"
        frame = pd.read_csv(path, low_memory=False, keep_default_na=False, na_values=[""])
        rows[f"{name} {target}"] = figures(frame.drop(columns=[*excluded]), target, known)
    print(pd.DataFrame(rows).T.to_string(float_format="{:.3f}".format))
    return 0


def figures(frame: pd.DataFrame, target: str, known: dict) -> dict[str, object]:
    started = time.process_time()
    model = frame.ordinal.fit(target, frame.ordinal.infer_types(known=known))
    seconds = time.process_time() - started
    mae = model.scores["mae"]
    return {
        "rows": model.n_rows,
        "dropped": model.n_dropped,
        "model": model.choice.name,
        "MAE": mae.iloc[0],
        "logistic": mae["logistic"],
        "median": mae["median level"],
        "CPU s": seconds,
    }


if __name__ == "__main__":
    sys.exit(main())

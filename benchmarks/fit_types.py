"""Fit the model of the nine semantic types on whole labelled frames, and report it held out.

usage: python benchmarks/fit_types.py FOLDER... [--write]

A folder is of one of three forms: raw files with every column labelled, survey exports, whose
labels have positions, or discrete columns of clean frames. Files are read by `read_table`. Folds
keep a family together, also where it stands in several folders. The figures are those of the folds,
of the columns of raw files; the last line is in sample. ``--write`` fits all columns, and writes
`autotype/inference/profile/type_model.json` and the sizes of sets, `autotype/types/type_set.json`.

A column counts as right where its type is the truth, or one that the labels let pass besides.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from labelled_columns import examine, read_frame
from raw_frames import LabelledFrame, read_frames
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

import autotype
from autotype.inference.column import Column
from autotype.inference.profile import type_model
from autotype.inference.profile.type_model import FACTS, TYPES, TypeModel
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.verdict import column_verdict, type_choice
from autotype.inference.verdict.column_verdict import weigh_orders
from autotype.types import column_type

TARGET = Path(type_model.__file__).with_name("type_model.json")
SETS = Path(column_type.__file__).with_name("type_set.json")
PENALTY = 0.1
N_FOLDS = 10
# Weight of a column by the form of its folder; raw files are what the model is for.
WEIGHTS = {"raw": 1.0, "export": 0.5, "clean": 0.25}
FAMILY_POWER = 0.4  # a family of n columns counts as n ** (1 - 0.4)
ALSO = 0.25  # of the target, for the other types that pass
CONSTANTS = {"floor": 0.4, "mixed": 0.55, "speaks_ordinal": 0.7, "speaks_categorical": 0.1}
SHARPNESS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
_MARGIN = 0.015  # of the level of sets, for families unlike those of the fit


@dataclass(frozen=True)
class TypedColumn:
    """A labelled column with what is known of it before its type is chosen."""

    form: str
    file: str
    family: str
    truth: str
    passing: frozenset[str]
    column: Column

    @property
    def is_fact(self) -> bool:
        """Whether dtype or the number of values settle its type."""
        return type_choice.settled_by_fact(self.column)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    columns = [column for folder in options.folders for column in gather(folder)]
    columns = [column for column in columns if column.truth in TYPES]
    raw = np.array([column.form == "raw" for column in columns])
    held_out, sharpness = cross_validate(columns)
    families = len({column.family for column in columns})
    print(f"{len(columns)} columns of {families} families, {raw.sum()} of raw files")
    print(f"sharpness {sharpness}")
    report("held out", columns, held_out, raw)
    fitted = fit([column for column in columns if not column.is_fact], sharpness=sharpness)
    fitted |= {"facts": fact_probabilities(columns)}
    report("in sample", columns, probabilities(columns, type_model.read_type_model(fitted)), raw)
    sets = set_levels(columns, held_out)
    print(f"sets: {sets['levels']}")
    if options.write:
        fitted["fitted"] |= {"data": [describe(folder) for folder in options.folders]}
        type_model.read_type_model(fitted)
        TARGET.write_text(as_lines(fitted), encoding="utf-8")
        SETS.write_text(json.dumps(sets, indent=1) + "\n", encoding="utf-8")
        print(f"wrote {TARGET.name} and {SETS.name}")
    return 0


def gather(folder: Path) -> list[TypedColumn]:
    """Weigh the evidence on the labelled columns of a folder."""
    labels = pd.read_csv(folder / "labels.csv", nrows=1)
    if (folder / "frames.csv").is_file() and "also" in labels:
        form = "export" if "position" in labels else "raw"
        return [c for f in read_frames(folder) for c in _examine(f, form)]
    return [c for f in _clean_frames(folder) for c in _examine(f, "clean")]


def _clean_frames(folder: Path) -> Iterator[LabelledFrame]:
    labels = pd.read_csv(folder / "labels.csv").assign(also="")
    for file, group in labels.groupby("file", sort=True):
        frame = read_frame(folder.parent, folder.name, str(file))
        places = [frame.columns.get_loc(name) for name in group["column"]]
        yield LabelledFrame(str(file), "", frame, group.assign(position=places))


def _examine(labelled: LabelledFrame, form: str) -> list[TypedColumn]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sample = sample_frame(labelled.frame, max_levels=20, seed=0)
        examine(sample)
        weigh_orders([c for c in sample.columns if c.is_candidate and not c.error])
        type_choice.describe_types(sample.columns, sample.columns)
    found = []
    for row in labelled.labels.itertuples():
        also = ["text" if kind == "list" else kind for kind in row.also.split(";") if kind]
        truth = "text" if row.truth == "list" else row.truth
        passing = frozenset({truth, *also} - {"ambiguous"})
        family = labelled.family or row.family
        column = sample.columns[row.position]
        if column.hashable:
            found.append(TypedColumn(form, labelled.file, family, truth, passing, column))
    return found


def names_of_features(columns: Sequence[TypedColumn]) -> list[str]:
    """Return the features that are computed and vary, those of the present model first."""
    present = type_model.load_type_model().features
    found = {name for c in columns for name in c.column.type_features}
    varying = {
        name for name in found if len({c.column.type_features.get(name) for c in columns}) > 1
    }
    return [*(name for name in present if name in found), *sorted(varying - {*present})]


def design(
    columns: Sequence[TypedColumn], names: Sequence[str]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return features, target probabilities of the types, and weights."""
    rows = [[c.column.type_features.get(name, math.nan) for name in names] for c in columns]
    X = np.array(rows, dtype=float)
    Y = np.zeros((len(columns), len(TYPES)))
    for row, column in zip(Y, columns, strict=True):
        others = column.passing - {column.truth}
        row[TYPES.index(column.truth)] = 1.0 - ALSO * bool(others)
        for kind in others:
            row[TYPES.index(kind)] = ALSO / len(others)
    n_family = Counter((c.form, c.family) for c in columns)
    scales = [(c.file, frozenset(map(str, c.column.known_levels)), c.truth) for c in columns]
    n_scale = Counter(scales)
    weight = [
        WEIGHTS[c.form]
        * n_family[c.form, c.family] ** -FAMILY_POWER
        * (n_scale[scale] ** -0.5 if scale[1] else 1.0)
        for c, scale in zip(columns, scales, strict=True)
    ]
    return X, Y, np.array(weight) / np.mean(weight)


def fit(columns: Sequence[TypedColumn], *, sharpness: float = 1.0) -> dict[str, Any]:
    """Fit the model on columns that no fact settles, as `type_model.json` holds it."""
    names = names_of_features(columns)
    X, Y, weight = design(columns, names)
    means, scales = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    means, scales = np.nan_to_num(means).round(5), np.where(scales > 1e-6, scales, 1.0).round(5)
    Z = np.clip(np.nan_to_num((X - means) / scales), -4, 4)
    rows, kinds = np.nonzero(Y)
    model = LogisticRegression(C=PENALTY, max_iter=600)
    model.fit(Z[rows], kinds, sample_weight=weight[rows] * Y[rows, kinds])
    weights = np.zeros((len(names), len(TYPES)))
    weights[:, model.classes_] = model.coef_.T
    intercepts = np.full(len(TYPES), -20.0)
    intercepts[model.classes_] = model.intercept_
    return {
        "types": list(TYPES),
        "fitted": {
            "package_version": autotype.__version__,
            "date": date.today().isoformat(),
            "command": "python benchmarks/fit_types.py FOLDER... --write",
            "penalty": PENALTY,
            "n_columns": len(columns),
        },
        "sharpness": round(sharpness, 3),
        "constants": CONSTANTS,
        "facts": {kind: [1.0 / len(TYPES)] * len(TYPES) for kind in FACTS},
        "intercepts": intercepts.round(5).tolist(),
        "features": {
            name: [float(means[j]), float(scales[j]), *weights[j].round(4).tolist()]
            for j, name in enumerate(names)
        },
    }


def cross_validate(columns: Sequence[TypedColumn], *, seed: int = 0) -> tuple[np.ndarray, float]:
    """Compute the probabilities of each column by a model that never saw its family.

    Returns
    -------
    found : ndarray of shape (n_columns, 9)
    sharpness : float
        The one for which the most probable type is as often right as its probability says.
    """
    families = np.array([column.family for column in columns])
    folds = GroupKFold(N_FOLDS, shuffle=True, random_state=seed).split(families, groups=families)
    parts = []
    for train, test in folds:
        seen = [columns[k] for k in train]
        stored = fit([c for c in seen if not c.is_fact]) | {"facts": fact_probabilities(seen)}
        parts.append((test, type_model.read_type_model(stored)))

    def held_out(sharpness: float) -> np.ndarray:
        found = np.zeros((len(columns), len(TYPES)))
        for test, model in parts:
            model = replace(model, sharpness=sharpness)
            found[test] = probabilities([columns[k] for k in test], model)
        return found

    sharpness = min(SHARPNESS, key=lambda value: top_loss(columns, held_out(value)))
    return held_out(sharpness), sharpness


def top_loss(columns: Sequence[TypedColumn], found: np.ndarray) -> float:
    """Compute the log loss of the most probable type being right, of columns of raw files."""
    rows = [k for k, c in enumerate(columns) if c.form == "raw" and not c.is_fact]
    sizes = Counter(columns[k].family for k in rows)
    loss = 0.0
    for k in rows:
        best = int(found[k].argmax())
        p = min(max(found[k][best], 1e-6), 1 - 1e-6)
        is_right = TYPES[best] in columns[k].passing
        loss -= sizes[columns[k].family] ** -0.5 * math.log(p if is_right else 1 - p)
    return loss


def fact_probabilities(columns: Sequence[TypedColumn]) -> dict[str, list[float]]:
    """Count how often a fact is right, with one more column of each type."""
    found = {}
    for fact in FACTS:
        held = [c for c in columns if c.is_fact and c.column.semantic_type == fact]
        right = sum(fact in c.passing for c in held)
        sure = (right + 1) / (len(held) + 2)
        others = (1.0 - sure) / (len(TYPES) - 1)
        found[fact] = [round(sure if kind == fact else others, 5) for kind in TYPES]
    return found


def probabilities(columns: Sequence[TypedColumn], model: TypeModel) -> np.ndarray:
    """Compute the probabilities that would be reported."""
    type_choice.load_type_model = lambda: model
    found = []
    for column in columns:
        c = column.column
        if column.is_fact:
            found.append(model.facts[c.semantic_type if c.semantic_type in FACTS else "constant"])
            continue
        c.type_probabilities = type_choice.weighed_probabilities(c, model)
        if c.is_candidate:
            z = type_choice.mixed_log_odds(c)
            p = column_verdict.reported(1 / (1 + math.exp(-max(-30.0, min(z, 30.0)))), [c])
            c.type_probabilities = type_choice.split_by(c.type_probabilities, p)
        found.append(np.array(list(c.type_probabilities.values())))
    return np.array(found)


def named(columns: Sequence[TypedColumn], found: np.ndarray) -> list[str]:
    """Name the types as the package would, batteries aside."""
    names = []
    for column, row in zip(columns, found, strict=True):
        c = column.column
        c.type_probabilities = dict(zip(TYPES, row.tolist(), strict=True))
        chosen = type_choice.choose_type(c, True if c.is_candidate else None)
        if chosen is None:
            p = row[0] / max(row[0] + row[1], 1e-12)
            chosen = "ordinal" if p >= 2 / 3 else "categorical" if p <= 1 / 3 else "undetermined"
        names.append(chosen)
    return names


def report(title: str, columns: Sequence[TypedColumn], found: np.ndarray, part: np.ndarray) -> None:
    """Print right, wrong, undecided, and how sure the most probable type is."""
    names = named(columns, found)
    table = pd.DataFrame(
        {
            "truth": [c.truth for c in columns],
            "family": [c.family for c in columns],
            "right": [n in c.passing for n, c in zip(names, columns, strict=True)],
            "undecided": [name == "undetermined" for name in names],
            "best": [
                TYPES[row.argmax()] in c.passing for row, c in zip(found, columns, strict=True)
            ],
            "top": found.max(axis=1),
        }
    )[part]
    gap = table.groupby((table["top"] * 10).astype(int).clip(upper=9))[["top", "best"]].sum()
    ece = (gap["top"] - gap["best"]).abs().sum() / len(table)
    right, undecided = table["right"].mean(), table["undecided"].mean()
    print(
        f"{title}: right={right:.3f} wrong={1 - right - undecided:.3f} undecided={undecided:.3f} "
        f"families={table.groupby('family')['right'].mean().mean():.3f} "
        f"always named={table['best'].mean():.3f} ece={ece:.3f}"
    )
    print(
        "  " + " ".join(f"{k}={v:.2f}" for k, v in table.groupby("truth")["right"].mean().items())
    )


def set_levels(columns: Sequence[TypedColumn], found: np.ndarray) -> dict[str, Any]:
    """Compute the mass of a set that holds what passes at each level, by families of raw files."""
    rows = [k for k, c in enumerate(columns) if c.form == "raw"]
    needed, weight = [], []
    sizes = Counter(columns[k].family for k in rows)
    for k in rows:
        along = np.argsort(-found[k])
        mass = 0.0
        for j in along:
            if TYPES[j] in columns[k].passing:
                break
            mass += found[k][j]
        needed.append(mass)
        weight.append(sizes[columns[k].family] ** -0.5)
    needed, weight = np.array(needed), np.array(weight)
    order = np.argsort(needed)
    along = np.cumsum(weight[order]) / weight.sum()
    masses = {}
    for level in LEVELS:
        k = np.searchsorted(along, min(level + _MARGIN, along[-1]))
        masses[str(level)] = round(float(needed[order][min(k, len(order) - 1)]), 5)
    for level, mass in masses.items():
        kept = [
            (np.sort(found[k])[::-1].cumsum() - np.sort(found[k])[::-1] <= mass).sum() for k in rows
        ]
        print(
            f"  sets of {level}: hold {np.mean(needed <= mass):.3f}, mean size {np.mean(kept):.2f}"
        )
    return {
        "format": 1,
        "meaning": "a type is in a set if the more probable types add up to this or less",
        "command": "python benchmarks/fit_types.py FOLDER... --write",
        "levels": masses,
    }


def describe(folder: Path) -> dict[str, Any]:
    labels = folder / "labels.csv"
    digest = sha256(labels.read_bytes()).hexdigest()
    return {"folder": folder.name, "labels_sha256": digest, "n_columns": len(pd.read_csv(labels))}


def as_lines(stored: dict[str, Any]) -> str:
    """Write a model with one line per feature."""
    rows = ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in stored["features"].items())
    head = json.dumps({k: v for k, v in stored.items() if k != "features"}, indent=1)
    return f'{head[:-2]},\n "features": {{\n{rows}\n }}\n}}\n'


if __name__ == "__main__":
    raise SystemExit(main())

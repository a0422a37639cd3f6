"""Published files of which every column is labelled: read them as the package does."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import autotype


@dataclass(frozen=True)
class LabelledFrame:
    """One frame, and the labels of its columns.

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
    """Yield the frames of a folder with `frames.csv`, `labels.csv` and `frames/`.

    Labels name their columns; those of survey exports also have positions, counted from 1. Columns
    that are not found are named in a warning.
    """
    labels = pd.read_csv(folder / "labels.csv", keep_default_na=False)
    described = pd.read_csv(folder / "frames.csv", keep_default_na=False)
    families = dict(zip(described["file"], described["family"], strict=True))
    for file, group in labels.groupby("file", sort=True):
        name = Path(str(file)).name
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # doubts about the reading
                frame = autotype.read_table(folder / "frames" / name).frame
        except Exception as error:
            warnings.warn(f"{file}: not read: {type(error).__name__}: {error}", stacklevel=2)
            continue
        places = _places(group, [str(name).strip() for name in frame.columns])
        lost = places < 0
        if lost.any():
            warnings.warn(f"{file}: not found: {list(group['column'][lost])}", stacklevel=2)
        yield LabelledFrame(name, families[name], frame, group.assign(position=places)[~lost])


def _places(group: pd.DataFrame, names: list[str]) -> pd.Series:
    """Return the position of each labelled column, -1 where it is not found."""
    if "position" in group:
        places = group["position"].astype(int) - 1
        return places.where(places < len(names), -1)
    wanted = [name.strip().lstrip("#").strip() for name in group["column"]]
    places = [names.index(name) if name in names else -1 for name in wanted]
    if len(names) == len(group) and places.count(-1) > len(names) / 2:  # a file without names
        places = list(range(len(names)))
    return pd.Series(places, index=group.index)

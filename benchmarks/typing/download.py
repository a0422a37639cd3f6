"""Fetch the frames that no package holds: ARFF files of a public repository, at a fixed commit."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pandas as pd
from labelled_frames import checksum, read_frame_table

SECONDS = 60
_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s", re.IGNORECASE)


def download(
    folder: Path, labels: Path, *, opener: Callable[..., io.BufferedIOBase] = urlopen
) -> int:
    """Fetch every frame of the source ``download`` into a folder, as CSV.

    A file whose content has not the checksum of `frames.csv` is not kept.

    Parameters
    ----------
    folder : Path
        Made if missing; files that it holds are not fetched again.
    labels : Path
        Beside which `frames.csv` lies.
    opener : callable
        From a URL and a `timeout` to an open response.

    Returns
    -------
    int
        0, or 1 if a file could not be fetched or is another one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    frames = read_frame_table(labels)
    failed = 0
    for row in frames[frames["source"] == "download"].itertuples():
        path = folder / f"{Path(row.item).stem}.csv"
        if path.is_file():
            continue
        try:
            with opener(row.item, timeout=SECONDS) as response:
                frame = read_arff(response.read().decode())
        except (OSError, ValueError) as problem:
            print(f"{row.item}: {problem}")
            failed += 1
            continue
        if checksum(frame) != row.sha256:
            print(f"{row.item}: its content is not that of the labels (checksum)")
            failed += 1
            continue
        frame.to_csv(path, index=False)
        print(f"{path}, {len(frame)} rows")
    return 1 if failed else 0


def read_arff(text: str) -> pd.DataFrame:
    """Read a frame from ARFF, all cells as text; "?" is a missing one.

    `scipy.io.arff` refuses quoted values in the rows.

    Raises
    ------
    ValueError
        If there is no attribute, or a row has another number of cells.
    """
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("%")]
    names = [found[1].strip("'\"") for found in map(_ATTRIBUTE.match, lines) if found]
    starts = [k for k, line in enumerate(lines) if line.lower() == "@data"]
    if not names or not starts:
        raise ValueError("no ARFF: it needs @attribute and @data")
    rows = list(csv.reader(lines[starts[0] + 1 :], quotechar="'", skipinitialspace=True))
    wrong = [row for row in rows if len(row) != len(names)]
    if wrong:
        raise ValueError(f"a row has {len(wrong[0])} cells, expected {len(names)}: {wrong[0]}")
    cells = [[None if cell.strip() == "?" else cell.strip() for cell in row] for row in rows]
    return pd.DataFrame(cells, columns=names)

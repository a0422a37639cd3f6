"""Write the frames of the benchmark in the layout that the fits of the learned files read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pandas as pd
from answers import is_number
from labelled_frames import LabelledFrame

NAME = "public"


def write_corpus(frames: Iterable[LabelledFrame], folder: Path) -> Path:
    """Write `public/labels.csv` and the frames as CSV into a folder.

    Returns
    -------
    Path
        The folder of the corpus.
    """
    corpus = folder / NAME
    (corpus / "frames").mkdir(parents=True, exist_ok=True)
    rows = []
    for frame in frames:
        file = f"frames/{frame.name.replace('/', '-')}.csv"
        frame.data.to_csv(corpus / file, index=False)
        for row in frame.labels.itertuples():
            values = frame.data[row.column]
            rows.append(
                {
                    "dataset": frame.name,
                    "file": file,
                    "column": row.column,
                    "truth": row.truth,
                    "order": json.dumps(row.order, ensure_ascii=False),
                    "coding": "number" if is_number(values) else "text",
                    "family": row.family,
                }
            )
    pd.DataFrame(rows).to_csv(corpus / "labels.csv", index=False)
    return corpus

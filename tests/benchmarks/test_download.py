from __future__ import annotations

import io
from urllib.error import URLError

import download
import labelled_frames
import pandas as pd
import pytest

ARFF = """% A comment.
@relation pens
@attribute size {small, 'very large', mid}
@attribute width numeric
@data
small, 1.5
'very large', ?
?, 3
"""


@pytest.fixture
def labels(tmp_path):
    frame = pd.DataFrame({"size": ["small", "very large", None], "width": [1.5, None, 3]})
    (tmp_path / "frames.csv").write_text(
        "frame,source,item,rows,columns,sha256,licence\n"
        f"download/pens,download,https://x.example/a/pens.arff,3,2,"
        f"{labelled_frames.checksum(frame)},CC0\n"
    )
    return tmp_path / "labels.csv"


class Opener:
    """Answers every URL with one text, or fails."""

    def __init__(self, text: str = ARFF, problem: Exception | None = None) -> None:
        self.text, self.problem, self.urls = text, problem, []

    def __call__(self, url: str, *, timeout: float) -> io.BytesIO:
        self.urls.append(url)
        if self.problem is not None:
            raise self.problem
        return io.BytesIO(self.text.encode())


def test_a_frame_is_fetched_once(labels, tmp_path, capsys) -> None:
    opener, folder = Opener(), tmp_path / "frames"
    assert download.download(folder, labels, opener=opener) == 0
    assert download.download(folder, labels, opener=opener) == 0
    assert opener.urls == ["https://x.example/a/pens.arff"]
    assert "pens.csv, 3 rows" in capsys.readouterr().out
    row = next(labelled_frames.read_frame_table(labels).itertuples())
    frame = labelled_frames.read_frame(row, labels=labels, downloads=folder)
    assert labelled_frames.checksum(frame) == row.sha256


@pytest.mark.parametrize(
    ("opener", "message"),
    [
        (Opener(ARFF.replace("1.5", "1.6")), "its content is not that of the labels (checksum)"),
        (Opener("<html>"), "no ARFF: it needs @attribute and @data"),
        (Opener(ARFF + "mid\n"), "a row has 1 cells, expected 2: ['mid']"),
        (Opener(problem=URLError("no network")), "<urlopen error no network>"),
    ],
)
def test_what_cannot_be_had_is_not_kept(labels, tmp_path, capsys, opener, message) -> None:
    folder = tmp_path / "frames"
    assert download.download(folder, labels, opener=opener) == 1
    assert message in capsys.readouterr().out
    assert list(folder.iterdir()) == []

"""Makes the modules of `benchmarks/` and `benchmarks/typing/` importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path += [str(BENCHMARKS), str(BENCHMARKS / "typing")]


@pytest.fixture
def own_labels(tmp_path) -> Path:
    """Labels with one frame beside them, as someone contributes them."""
    frame = pd.DataFrame(
        {
            "pain": ["none", "mild", "severe", "mild", "?"] * 6,
            "ward": [3, 1, 2, 1, 3] * 6,
            "score": [0.1, 1.2, 2.9, 0.8, 1.5] * 6,
        }
    )
    frame.to_csv(tmp_path / "clinic.csv", index=False)
    (tmp_path / "frames.csv").write_text(
        "frame,source,item,rows,columns,sha256,licence\nclinic,file,clinic.csv,,,,CC0\n"
    )
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "frame,column,family,truth,order,off_scale,reason,arguable,fitted\n"
        'clinic,pain,clinic,ordinal,"[""none"", ""mild"", ""severe""]","[""?""]",degree,,no\n'
        "clinic,ward,clinic,categorical,,,number of a ward,,no\n"
    )
    return labels

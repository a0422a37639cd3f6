"""Dates and times that SPSS, Stata and SAS store as numbers with a format."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.tables.labelled.stored_dates import date_kind, stored_dates
from tests.tables.labelled.sas_writer import write_sas7bdat

pyreadstat = pytest.importorskip("pyreadstat")

DAY = datetime.date(2020, 3, 1)
TO_SPSS = (DAY - datetime.date(1582, 10, 14)).days * 86_400
TO_STATA = (DAY - datetime.date(1960, 1, 1)).days


@pytest.mark.parametrize(
    ("form", "number", "wanted"),
    [
        ("EDATE10", TO_SPSS, DAY),
        ("MOYR8", TO_SPSS, DAY),
        ("QYR6", TO_SPSS, DAY),
        ("DATETIME20", TO_SPSS + 1.5, pd.Timestamp("2020-03-01 00:00:01.5")),
        ("TIME8", 3_661.0, datetime.time(1, 1, 1)),
        ("TIME8", 90_000.0, pd.Timedelta(hours=25)),
        ("DTIME12", 60.0, pd.Timedelta(minutes=1)),
        ("DATE11", 1e300, 1e300),
        ("F8.2", 2.5, 2.5),
    ],
)
def test_formats_of_spss(tmp_path: Path, form: str, number: float, wanted: Any) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        pd.DataFrame({"x": [number, np.nan]}), str(path), variable_format={"x": form}
    )
    held = autotype.read_table(path).frame["x"]
    assert held[0] == wanted
    assert pd.isna(held[1])


@pytest.mark.parametrize(
    ("form", "number", "wanted"),
    [
        ("%td", TO_STATA, DAY),
        ("%dD_m_Y", TO_STATA, DAY),
        ("%-tdDD/NN/CCYY", TO_STATA, DAY),
        ("%tw", 60 * 52 + 8, datetime.date(2020, 2, 26)),
        ("%tm", 60 * 12 + 2, DAY),
        ("%tq", -1, datetime.date(1959, 10, 1)),
        ("%thCCYY", 121, datetime.date(2020, 7, 1)),
        ("%ty", 2020, 2020),
        ("%tcDD_Mon_CCYY", TO_STATA * 86_400_000, pd.Timestamp(DAY)),
        ("%tcHH:MM:SS", 3_661_000, datetime.time(1, 1, 1)),
        ("%tm", 1e6, 1e6),
        ("%9.0g", 3, 3),
    ],
)
def test_formats_of_stata(form: str, number: float, wanted: Any) -> None:
    values = pd.Series([number, np.nan, ".a"], dtype=object)
    kind = date_kind(form, "dta")
    held = stored_dates(values, kind, "dta") if kind else values
    assert held[0] == wanted
    assert pd.isna(held[1])
    assert held[2] == ".a"


@pytest.mark.parametrize(
    ("form", "number", "wanted"),
    [
        ("YYMMDDN8", TO_STATA, DAY),
        ("MONYY7", TO_STATA, DAY),
        ("NLDATE20", TO_STATA, DAY),
        ("DTDATE9", TO_STATA * 86_400.0, pd.Timestamp(DAY)),
        ("TOD8", 60.0, datetime.time(0, 1)),
        ("BEST12", 4.0, 4),
    ],
)
def test_formats_of_sas(tmp_path: Path, form: str, number: float, wanted: Any) -> None:
    columns = {"x": [number, None] * 9, "y": ["a"] * 18}
    path = write_sas7bdat(tmp_path / "a.sas7bdat", columns, {"x": form})
    held = autotype.read_table(path).frame["x"]
    assert held[0] == wanted
    assert pd.isna(held[1])


def test_durations_are_kept_in_spss(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": pd.to_timedelta([1.5, 90_000, None], "s")})
    autotype.write_table(frame, tmp_path / "a.sav")
    assert (
        autotype.read_table(tmp_path / "a.sav").frame["x"].tolist()[:2] == frame["x"].tolist()[:2]
    )

"""Texts of rows that are known are split as they were joined, but for known ones."""

import json

import pytest

from autotype.tables.text.dialect import find_dialect
from tests.tables.text.golden.renew import FILE, misread


def test_what_is_misread_is_known():
    known = json.loads(FILE.read_text("utf-8"))
    found = misread()
    assert found.keys() == known.keys()
    assert found == known


@pytest.mark.parametrize(
    "text",
    [
        "Report\nwhen,x,y\n" + "2020-01-01 10:00,5,6\n" * 9,
        "Report\nroom,n,m\n" + "Room 1,5,7\n" * 9,
        "Report of 2020\nid,v\n" + "Big room 1,5\n" * 9,
        "a b,c d\n1 000,2 000\n3 000,4 000\n",
    ],
)
def test_commas_below_names_with_commas_separate_cells(text):
    assert find_dialect(text).delimiter == ","

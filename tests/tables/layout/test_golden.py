"""Tables as published, put together from parts, are read as they were made but for known ones."""

import json

from tests.tables.layout.golden.renew import FILE, misread


def test_what_is_misread_is_known():
    known = json.loads(FILE.read_text("utf-8"))
    found = misread()
    assert found.keys() == known.keys()
    assert found == known

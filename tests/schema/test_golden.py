"""What schemas require, what is said of batches at their limits and beyond, and other tools' forms.

The golden file is `tests/schema/golden/schemas.json`; `renew.py` beside it writes it again.
"""

import json

import pytest

from tests.schema.golden.renew import FILE, contract

GOLDEN = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def found():
    return contract()


@pytest.mark.parametrize(("part", "key"), [(part, key) for part in GOLDEN for key in GOLDEN[part]])
def test_as_in_the_golden_file(part, key, found):
    assert found[part].keys() == GOLDEN[part].keys()
    assert found[part][key] == GOLDEN[part][key]

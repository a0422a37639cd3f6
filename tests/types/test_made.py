"""What is said of made types, of statements on them, and of later types."""

import json

from tests.types.golden.made import MADE, N_MADE, made


def test_what_is_said_stays():
    known = json.loads(MADE.read_text("utf-8"))
    assert {k: made(k) for k in range(N_MADE)} == dict(enumerate(known))

"""What schemas of made frames require, and what is said of batches that differ."""

import json

import pandas as pd
import pytest

from tests.schema.golden.made import MADE, N_MADE, made, plain


@pytest.mark.skipif(pd.__version__ < "3", reason="cells of failures are of other dtypes")
@pytest.mark.filterwarnings("ignore")
def test_what_is_required_and_said_stays():
    known = map(json.loads, json.loads(MADE.read_text("utf-8")))
    assert {k: plain(made(k)) for k in range(N_MADE)} == dict(enumerate(known))

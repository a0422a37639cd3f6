"""Names in all languages, beside numbers and like ranks, are not called ordinal with confidence."""

import importlib.util
import sys

import pytest

from autotype.lexicon.languages import codes

STEP = 19  # of the sets: prime to the number of their forms


@pytest.fixture(scope="module")
def sets(repository):
    file = repository / "benchmarks" / "nominal_sets.py"
    spec = importlib.util.spec_from_file_location("nominal_sets", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["nominal_sets"] = module
    spec.loader.exec_module(module)
    return module


def test_all_languages_have_sets_of_all_forms(sets):
    table = sets.tomllib.loads(sets.SETS.read_text(encoding="utf-8"))
    assert set(table["languages"]) == set(codes())
    every = list(sets.nominal_sets())
    assert len(every) >= 2000
    assert all(len(set(levels)) == len(levels) >= 3 for _, _, levels in every)


def test_few_are_called_ordinal(sets):
    some = list(sets.nominal_sets())[::STEP]
    assert len(sets.confident(some)) <= 2


def test_no_decoy_is_called_ordinal(sets):
    decoys = [each for each in sets.nominal_sets() if each[0] == "decoy"]
    assert sets.confident(decoys) == []

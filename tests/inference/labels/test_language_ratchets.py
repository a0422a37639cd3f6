"""What each language reads, by rule: nothing may be lost, and the loss of a rule is noticed."""

import importlib.util
import sys
from collections import defaultdict

import pytest

from autotype.lexicon import quantities
from autotype.lexicon.languages import ENGLISH, Language, codes, language

pytestmark = pytest.mark.slow

WHOLE = {code: language(code) for code in codes()}
# How a language splits strings into words, which is not switched off.
SPLITTING = (
    "_plain_phrases", "_protected", "_phrases", "_unlisted", "_ambiguous", "_texts", "known_words",
)  # fmt: skip
RULES = ("degrees", "scales", "numbers", "ranges", "rates", "off-scale", "names")


@pytest.fixture(scope="module")
def ratchets(repository):
    file = repository / "benchmarks" / "language_ratchets.py"
    spec = importlib.util.spec_from_file_location("language_ratchets", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["language_ratchets"] = module  # where its dataclass looks for types
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stored(ratchets):
    counts = ratchets.stored_counts()
    assert set(counts) == set(codes()), "run `python benchmarks/language_ratchets.py --write`"
    return counts


@pytest.mark.parametrize("code", codes())
def test_no_language_reads_less_than_it_did(ratchets, stored, code):
    counts = ratchets.count(code)
    assert {rule: n for rule, (_, n) in counts.items()} == {
        rule: n for rule, (_, n) in stored[code].items()
    }, "other cases than stored: run `python benchmarks/language_ratchets.py --write`"
    fallen = {
        rule: (read, n)
        for rule, (read, n) in counts.items()
        if read / n < ratchets.least(stored[code][rule])
    }
    assert fallen == {}


def test_the_page_shows_what_is_stored(ratchets, stored):
    assert ratchets.as_markdown(stored) in ratchets.PAGE.read_text(encoding="utf-8")


def test_each_rule_has_cases_in_each_language(ratchets, stored):
    assert tuple(ratchets.TABLES) == RULES
    few = {
        (code, rule): counts[rule]
        for code, counts in stored.items()
        for rule in RULES
        if counts[rule][1] < 3 or counts[rule][0] < 1
    }
    assert few == {}


def switch_off(patch, code, tables):
    """Read the labels of a language as if its file lacked some tables."""
    whole = WHOLE[code]
    whole.load()
    whole_table = whole.table | whole.lists
    kept = {key: table for key, table in whole_table.items() if key not in tables}
    reduced = Language(code, kept)
    built = [*SPLITTING]
    built += ["scales", "scale_index"] if "scale" not in tables else []
    built += ["name_lists", "name_keys"] if "names" not in tables else []
    reduced.__dict__.update({name: getattr(whole, name) for name in built})
    if "off_scale" in tables:  # phrases for a missing value are off any scale, too
        reduced.__dict__["missing_keys"] = frozenset()
        reduced.__dict__["judging"] = dict.fromkeys(whole.judging, frozenset())
    for name, module in list(sys.modules.items()):
        if name.startswith("autotype.") and getattr(module, "language", None) is language:
            patch.setattr(module, "language", {**WHOLE, code: reduced}.__getitem__)
    if code == ENGLISH:  # numbers of all languages are read by its words
        patch.setattr(quantities, "_english", lambda key: defaultdict(dict, kept.get(key, {})))


def forget_english():
    """Forget what was built from the English words around numbers."""
    for function in vars(quantities).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("code", codes())
def test_a_rule_that_is_switched_off_is_noticed(ratchets, stored, monkeypatch, code, rule):
    if code == ENGLISH:
        forget_english()
    switch_off(monkeypatch, code, ratchets.TABLES[rule])
    own = [case for case in ratchets.cases()[code] if case.rule == rule]
    most_unread = len(own) * (1 - ratchets.least(stored[code][rule]))
    n_unread = 0
    for case in own:  # only as many as it takes
        n_unread += not case.is_read()
        if n_unread > most_unread:
            break
    if code == ENGLISH:
        forget_english()
    assert n_unread > most_unread

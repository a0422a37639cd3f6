"""SECURITY.md names, for each promise, tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| ")][1:]


def named(text: str) -> list[tuple[str, str]]:
    """Return file and name of each test of a text, whose files stand before their tests."""
    path, found = "", []
    for name in re.findall(r"`(tests/[\w/]+\.py|test_\w+)`", text):
        if name.endswith(".py"):
            path = name
        else:
            found.append((path, name))
    return found


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip()[:40] for row in ROWS])
def test_each_promise_is_attacked_by_a_test(row) -> None:
    assert len(row) == 3
    assert named(row[2])


@pytest.mark.parametrize(("path", "name"), dict.fromkeys(named(PAGE)))
def test_the_tests_are_there(path, name) -> None:
    source = (ROOT / path).read_text("utf-8")
    assert re.search(rf"^\s*def {name}\(", source, re.M)

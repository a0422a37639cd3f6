"""The browser that the tests of the report page share."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


def load_chromium():
    path = Path(__file__).with_name("chromium.py")
    spec = importlib.util.spec_from_file_location("integration_chromium", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def shared_browser() -> Iterator:
    chromium = load_chromium()
    executable = chromium.find_chromium()
    if executable is None:
        pytest.skip("Chromium is not installed")
    with chromium.Browser(executable) as browser:
        yield browser

"""A server for each test, an environment without keys, and an empty cache folder."""

from __future__ import annotations

import pytest

from tests.inference.judges.chat_servers import running_server


@pytest.fixture
def server():
    with running_server() as server:
        yield server


@pytest.fixture(autouse=True)
def _no_keys_and_no_cache(monkeypatch, tmp_path) -> None:
    for name in ("AUTOTYPE_JUDGE_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))

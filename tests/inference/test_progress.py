from __future__ import annotations

import io
import sys

import pytest

from autotype.inference.progress import track


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def error_stream(monkeypatch, stream: io.StringIO) -> io.StringIO:
    """Replace stderr by a stream; not a fixture, as pytest swaps it after those."""
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


@pytest.mark.parametrize("progress", [None, True, False])
def test_items_pass_unchanged(progress, monkeypatch) -> None:
    error_stream(monkeypatch, Terminal())
    assert list(track(iter("abc"), total=3, progress=progress)) == ["a", "b", "c"]


def test_silent_where_nobody_watches(monkeypatch) -> None:
    stream = error_stream(monkeypatch, io.StringIO())
    list(track(range(3)))
    assert stream.getvalue() == ""


def test_silent_without_a_stream(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert list(track(range(3))) == [0, 1, 2]


def test_silent_on_a_terminal_for_short_work(monkeypatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    list(track(range(3)))
    assert terminal.getvalue() == ""


def test_a_bar_on_a_terminal_for_long_work(monkeypatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    monkeypatch.setattr("autotype.inference.progress.DELAY", 0.0)
    list(track(range(3)))
    assert "0/3" in terminal.getvalue()


def test_a_bar_in_a_job_that_asks_for_one(monkeypatch) -> None:
    stream = error_stream(monkeypatch, io.StringIO())
    list(track(iter(range(3)), total=3, progress=True))
    assert "0/3" in stream.getvalue()


def test_false_wins_on_a_terminal(monkeypatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())
    list(track(range(3), progress=False))
    assert terminal.getvalue() == ""


def test_lazy(monkeypatch) -> None:
    error_stream(monkeypatch, Terminal())
    drawn = []
    items = track((drawn.append(j) for j in range(3)), total=3)
    next(items)
    assert drawn == [0]


def test_a_bar_in_a_notebook(monkeypatch) -> None:
    stream = error_stream(monkeypatch, io.StringIO())
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    monkeypatch.setattr("autotype.inference.progress.DELAY", 0.0)
    list(track(range(3)))
    assert "0/3" in stream.getvalue()


def test_an_interruption_takes_the_bar_away(monkeypatch) -> None:
    terminal = error_stream(monkeypatch, Terminal())

    def items():
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(track(items(), total=3, progress=True))
    assert terminal.getvalue().endswith("\r")

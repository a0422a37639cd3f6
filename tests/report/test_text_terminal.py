from __future__ import annotations

import io
import os
import shutil
import sys

import pytest

from autotype.report.text import table_width, wants_color
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def no_color_variables(monkeypatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize(
    ("environment", "on_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour(monkeypatch, environment, on_terminal, elsewhere) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(Terminal()) is on_terminal
    assert wants_color(io.StringIO()) is elsewhere


def test_no_stream_and_a_closed_one() -> None:
    closed = io.StringIO()
    closed.close()
    assert not wants_color(None)
    assert not wants_color(closed)
    assert table_width(closed) == 100


@pytest.mark.parametrize(("columns", "room"), [(30, 60), (80, 80), (300, 100)])
def test_room(monkeypatch, columns, room) -> None:
    size = os.terminal_size((columns, 24))
    monkeypatch.setattr(shutil, "get_terminal_size", lambda fallback: size)
    assert table_width(Terminal()) == room
    assert table_width(io.StringIO()) == 100


class TestToText:
    report = TypeReport([ColumnType("size", "ordinal", 0.9, order=("S", "M"))], n_rows=3)

    def test_follows_standard_output(self, monkeypatch) -> None:
        monkeypatch.setattr(sys, "stdout", Terminal())
        assert "\x1b[" in self.report.to_text()
        assert "\x1b[" not in self.report.to_text(color=False)
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        assert self.report.to_text() == str(self.report) == repr(self.report)

    def test_what_is_printed_is_plain_wherever_it_goes(self, monkeypatch) -> None:
        monkeypatch.setattr(sys, "stdout", Terminal())
        assert "\x1b[" not in str(self.report) + repr(self.report)

    def test_ipython_shows_it_in_colour(self, monkeypatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        written: list[str] = []

        class Printer:
            text = staticmethod(written.append)

        self.report._repr_pretty_(Printer(), False)
        assert written == [self.report.to_text(color=True)]

    def test_too_narrow(self) -> None:
        with pytest.raises(ValueError, match="width must be at least 60 columns of text, got 10"):
            self.report.to_text(width=10)

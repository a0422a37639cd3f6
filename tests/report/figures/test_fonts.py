"""Labels of all scripts are drawn, or numbered where no font has their letters."""

from __future__ import annotations

import warnings

import pytest
from matplotlib import font_manager, pyplot, rc_context

from autotype.report.figures import fonts


@pytest.fixture
def ax():
    yield pyplot.subplots()[1]
    pyplot.close("all")


def label(ax, names) -> list[str]:
    ax.set_yticks(range(len(names)), names)
    fonts.finish(ax, "top")
    return [text.get_text() for text in ax.get_yticklabels()]


def know_fonts(monkeypatch, *names: str, installed: tuple[str, ...] = ()) -> None:
    """Let matplotlib know some fonts only, and the machine have these files."""
    listed = [entry for entry in font_manager.fontManager.ttflist if entry.name in names]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", listed)
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: list(installed))


def test_default_font_where_it_has_all_letters(ax) -> None:
    assert label(ax, ["good", "добре", "καλό"]) == ["good", "добре", "καλό"]
    assert ax.get_yticklabels()[0].get_fontfamily() == ["sans-serif"]


def test_another_font_is_named(ax) -> None:
    with rc_context({"font.family": ["cmr10"]}):
        assert label(ax, ["good", "добре"]) == ["good", "добре"]
        families = ax.get_yticklabels()[1].get_fontfamily()
        assert families[0] == "cmr10"
        assert len(families) > 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of letters that are not drawn
            ax.figure.canvas.draw()


def test_a_font_that_was_installed_after_matplotlib_listed_them(ax, monkeypatch, tmp_path) -> None:
    file = font_manager.findfont("DejaVu Sans")
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")
    with rc_context({"font.family": ["cmr10"]}):
        know_fonts(monkeypatch, "cmr10", installed=(str(broken), file))
        assert label(ax, ["good", "добре"]) == ["good", "добре"]
        assert ax.get_yticklabels()[1].get_fontfamily() == ["cmr10", "DejaVu Sans"]


def test_words_without_a_font_are_numbered(ax, monkeypatch) -> None:
    know_fonts(monkeypatch, "DejaVu Sans")
    ax.set_title("만족도: ordinal", loc="left")
    with pytest.warns(UserWarning, match=r"\[1\] 불만, .*\[3\] 만족도; install"):
        assert label(ax, ["불만 (3)", "매우 만족"]) == ["[1] (3)", "[2]"]
    assert ax.get_title(loc="left") == "[3]: ordinal"


def test_scripts_without_font(monkeypatch) -> None:
    know_fonts(monkeypatch, "DejaVu Sans")
    assert fonts.scripts_without_font() == ["Chinese", "Hindi", "Japanese", "Korean", "Thai"]

"""The README and the guides keep their word: their Python and their commands run."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def load_outputs():
    path = Path(__file__).resolve().parent.parent / "docs" / "outputs.py"
    spec = importlib.util.spec_from_file_location("docs_outputs", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


outputs = load_outputs()


def without_figures(text: str) -> list[str]:
    """Lines whose decimals, shares and spacing do not count: recalibration may move them."""
    text = re.sub(r"[<>]?\d+\.\d+|\d+%", "#", text.replace("-", " "))
    text = re.sub(r"(Categories \(\d+), object\)", r"\1, str)", text)  # pandas 2 and 3
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("page", outputs.PAGES, ids=lambda page: page.name)
def test_code_runs_and_prints_what_the_page_says(page, tmp_path, child_environment) -> None:
    runs = outputs.run_page(page.read_text(encoding="utf-8"), tmp_path, child_environment)
    for run in runs:
        if run.claimed is not None:
            assert without_figures(run.printed) == without_figures(run.claimed), (
                f"{run.code}\nprints something else; python docs/outputs.py writes it down"
            )


def test_the_readme_has_something_to_run() -> None:
    text = outputs.PAGES[0].read_text(encoding="utf-8")
    blocks = outputs.BLOCK.findall(text)
    assert any(language == "python" for language, _ in blocks)
    assert any(outputs.commands(code) for language, code in blocks if language == "sh")


def test_a_failing_command_is_an_error(tmp_path, child_environment) -> None:
    page = "```sh\nautotype infer none.csv\n```\n"
    with pytest.raises(RuntimeError, match=r"exits with 2: .*none\.csv: no such file"):
        outputs.run_page(page, tmp_path, child_environment)


def test_chained_commands() -> None:
    code = "pip install . && autotype infer a.csv\npytest\n"
    assert outputs.commands(code) == ["autotype infer a.csv"]

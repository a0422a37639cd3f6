from __future__ import annotations

import pandas as pd
import pytest

import autotype
from autotype import plots

FRAME = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})


def test_a_column_is_drawn_with_or_without_its_types() -> None:
    types = autotype.infer_types(FRAME)
    for ax in (plots.plot(FRAME, "size"), autotype.plot(FRAME, "size", types, kind="counts")):
        assert [label.get_text() for label in ax.get_yticklabels()] == ["S", "M", "L", "XL"]
        ax.figure.clear()


def test_an_unknown_column() -> None:
    with pytest.raises(autotype.errors.UnknownColumnError, match="did you mean 'size'"):
        autotype.plot(FRAME, "sise")


def test_plots_of_reports_are_the_same_functions() -> None:
    from autotype.report.figures import plots as report_plots

    assert plots.plot_report is report_plots.plot_report

"""Plots of columns and reports; each returns matplotlib Axes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from autotype.report.figures.likert import plot_drift, plot_likert
from autotype.report.figures.plots import plot_column, plot_report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from autotype.types.column_types import ColumnTypes

__all__ = ["plot", "plot_column", "plot_drift", "plot_likert", "plot_report"]


def plot(
    frame: Any,
    column: Hashable,
    types: ColumnTypes | None = None,
    *,
    kind: str | None = None,
    ax: Axes | None = None,
    color: Any = None,
) -> Axes:
    """Draw a column's levels: on the ordinal model's latent scale, or by their counts.

    Parameters
    ----------
    frame : frame
        Any frame that `autotype.infer_types` takes.
    column : column name
        A discrete column of the frame.
    types : TypeReport, optional
        Its types; by default they are inferred.
    kind, ax, color
        See `plot_column`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UnknownColumnError
        If there is no such column.
    ValueError
        If the column has no levels, such as a continuous one.
    MissingExtraError
        If matplotlib is not installed.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
    >>> autotype.plot(frame, "size").get_title(loc="left")
    'size: ordinal, P(ordinal) 0.98'
    """
    if types is None:
        from autotype.inference.pipeline import infer_types

        typed = infer_types(frame, [column])[column]
    else:
        typed = types[column]
    return plot_column(typed, kind=kind, ax=ax, color=color)


def __dir__() -> list[str]:
    return sorted(__all__)

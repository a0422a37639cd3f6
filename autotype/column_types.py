"""The words that all layers share: the type of one column, and the report of a frame."""

from __future__ import annotations

import difflib
import json
import math
import os
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import pandas as pd

from autotype.atomic_file import write_text
from autotype.exceptions import UnknownColumnError

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from pandera.pandas import DataFrameModel, DataFrameSchema
    from sklearn.compose import ColumnTransformer

    from autotype.drift.comparison import TypeComparison

SemanticType = Literal[
    "ordinal",
    "categorical",
    "binary",
    "continuous",
    "count",
    "datetime",
    "identifier",
    "text",
    "constant",
    "undetermined",
]
SEMANTIC_TYPES: tuple[str, ...] = get_args(SemanticType)

# Odds of two to one are a verdict, anything between is not.
ORDINAL_FROM = 2 / 3
CATEGORICAL_UP_TO = 1 / 3


@dataclass(frozen=True)
class ColumnType:
    """What one column means, and why.

    Attributes
    ----------
    name : hashable
        The column's name as the frame gives it.
    semantic_type : str
        One of ``SEMANTIC_TYPES``.
    probability : float
        P(ordinal | labels, data) in [0, 1]; NaN where the question does not arise.
    order : tuple or None
        Levels, lowest first; None unless `semantic_type` is ``"ordinal"``.
    best_order : tuple or None
        The best order found for any discrete column, also where the verdict is not ordinal.
    order_probability : float
        P(`best_order` is exactly right, up to reversal, if the column is ordinal) in [0, 1]; NaN
        where there is no order.
    direction_known : bool
        Whether low and high ends are known, or only the order up to reversal.
    levels : mapping
        Level -> exact count in the whole frame, in `best_order` where there is one. Empty for
        columns that are not discrete.
    n_levels : int
        Number of distinct values, missing ones aside.
    n_rows_used : int
        Rows that the data evidence rests on.
    off_scale : tuple
        Levels such as "don't know" that have no place on the scale.
    ties : tuple of tuple
        Stretches of `best_order` whose levels the data do not tell apart; their order among
        themselves is a guess.
    alternatives : tuple of (order, weight)
        The next best orders with their posterior weights.
    evidence : mapping
        The numbers behind the verdict, by name.
    reasons : tuple of str
        Sentences that say why, weightiest first.
    """

    name: Hashable
    semantic_type: SemanticType
    probability: float = math.nan
    order: tuple | None = None
    best_order: tuple | None = None
    order_probability: float = math.nan
    direction_known: bool = False
    levels: Mapping[Any, int] = field(default_factory=dict)
    n_levels: int = 0
    n_rows_used: int = 0
    off_scale: tuple = ()
    ties: tuple[tuple, ...] = ()
    alternatives: tuple[tuple[tuple, float], ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def reason(self) -> str:
        """The weightiest reason, in one sentence."""
        return self.reasons[0] if self.reasons else ""

    def explain(self) -> str:
        """Give the verdict and its reasons, in sentences with their numbers.

        Examples
        --------
        >>> from autotype.column_types import ColumnType
        >>> print(ColumnType("id", "identifier", reasons=("Every value is unique.",)).explain())
        'id' is an identifier. Every value is unique.
        """
        return " ".join([self._headline(), *self.reasons])

    def _headline(self) -> str:
        text = f"{self.name!r} {_PREDICATES[self.semantic_type]}"
        if not math.isnan(self.probability):
            text += f" (probability of ordinal {format_probability(self.probability)})"
        if self.order is not None:
            text += f", in the order {format_order(self.order, self.direction_known)}"
            if not math.isnan(self.order_probability):
                sure = format_probability(self.order_probability)
                text += f" (exactly right with probability {sure})"
        return text + "."


_PREDICATES = {
    "ordinal": "is ordinal",
    "categorical": "is categorical",
    "binary": "is binary",
    "continuous": "is continuous",
    "count": "holds counts",
    "datetime": "holds dates or times",
    "identifier": "is an identifier",
    "text": "holds free text",
    "constant": "is constant",
    "undetermined": "is undetermined: it may be ordinal or categorical",
}


def format_order(order: Sequence, direction_known: bool) -> str:
    """Write an order of levels as text, lowest first.

    Examples
    --------
    >>> format_order(("low", "mid", "high"), direction_known=True)
    'low < mid < high'
    >>> format_order(("low", "mid", "high"), direction_known=False)
    'low - mid - high (or the reverse)'
    """
    if direction_known:
        return " < ".join(map(format_level, order))
    return " - ".join(map(format_level, order)) + " (or the reverse)"


def format_level(level: Any) -> str:
    """Write a level as text; whole numbers that missing values made floats, as whole numbers.

    Examples
    --------
    >>> format_level(3.0), format_level(2.5), format_level("3.0")
    ('3', '2.5', '3.0')
    """
    if isinstance(level, float) and level.is_integer() and abs(level) < 1e15:
        return str(int(level))
    return str(level)


def format_probability(probability: float) -> str:
    """Write a probability with two digits, and none as certain.

    Examples
    --------
    >>> [format_probability(p) for p in (0.0001, 0.5, 0.9999, math.nan)]
    ['<0.01', '0.50', '>0.99', '']
    """
    if math.isnan(probability):
        return ""
    if probability < 0.005:
        return "<0.01"
    return ">0.99" if probability >= 0.995 else f"{probability:.2f}"


class TypeReport(Mapping[Hashable, ColumnType]):
    """The types of a frame's columns: a mapping from column name to `ColumnType`.

    Columns stand in the frame's order. Where a name occurs more than once, ``report[name]`` is
    its first column; `columns` and `to_frame` hold all of them.

    Parameters
    ----------
    columns : sequence of ColumnType
        In the frame's column order.
    names : pandas.Index, optional
        The column labels; keeps a MultiIndex and its level names.
    n_rows : int
        Rows of the frame.

    Examples
    --------
    >>> from autotype.column_types import ColumnType, TypeReport
    >>> report = TypeReport([ColumnType("id", "identifier"), ColumnType("sex", "binary")], n_rows=9)
    >>> list(report), report["sex"].semantic_type
    (['id', 'sex'], 'binary')
    """

    def __init__(
        self, columns: Sequence[ColumnType], *, names: pd.Index | None = None, n_rows: int = 0
    ) -> None:
        self.columns = tuple(columns)
        self.n_rows = n_rows
        if names is None:
            names = pd.Index([c.name for c in self.columns], dtype=object, tupleize_cols=False)
        self.names = names
        self._by_name: dict[Hashable, ColumnType] = {}
        for column in self.columns:
            self._by_name.setdefault(column.name, column)

    def __getitem__(self, name: Hashable) -> ColumnType:
        try:
            return self._by_name[name]
        except KeyError:
            close = difflib.get_close_matches(str(name), [str(n) for n in self._by_name], n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise UnknownColumnError(f"the report holds no column {name!r}{hint}") from None

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def to_frame(self) -> pd.DataFrame:
        """Give the report as a frame with one row a column, indexed by column name.

        Returns
        -------
        pandas.DataFrame
            Columns ``semantic_type``, ``probability``, ``order``, ``best_order``,
            ``direction_known``, ``n_levels``, ``n_rows_used``, ``off_scale``, ``reason``.
        """
        table = {key: [getattr(c, key) for c in self.columns] for key in _TABLE_COLUMNS}
        frame = pd.DataFrame(
            {key: pd.Series(cells, dtype=_TABLE_COLUMNS[key]) for key, cells in table.items()}
        )
        frame.index = self.names
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Give the report as plain Python values, ready for JSON."""
        from autotype.report.summarise import summarise

        return summarise(self)

    def to_json(self, path: str | os.PathLike | None = None, *, indent: int | None = 2) -> str:
        """Give the report as JSON text; write it to `path` too where one is given.

        The file is written beside its place and then renamed, so that no reader sees half of it.
        """
        text = json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)
        if path is not None:
            write_text(path, text + "\n")
        return text

    def to_html(self, path: str | os.PathLike | None = None) -> str:
        """Give the report as a page that stands alone; write it to `path` too where one is given.

        The page needs no network. It shows an overview of all columns, and for each discrete one
        the verdict, the order with its counts, the two models' scores, and the latent scale. The
        file is written beside its place and then renamed.

        Parameters
        ----------
        path : path, optional
            Where to write the page.

        Returns
        -------
        str
            The page.

        Raises
        ------
        MissingExtraError
            If Jinja2 is not installed.

        Examples
        --------
        >>> from autotype.column_types import ColumnType, TypeReport
        >>> TypeReport([ColumnType("id", "identifier")], n_rows=9).to_html()[:15]
        '<!doctype html>'
        """
        from autotype.report.html import as_page

        page = as_page(self)
        if path is not None:
            write_text(path, page)
        return page

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw how probably each column is ordinal.

        The same as `autotype.report.plots.plot_report` with this report; see there.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.
        """
        from autotype.report.plots import plot_report

        return plot_report(self, ax=ax)

    def to_text(self, *, color: bool | None = None, width: int | None = None) -> str:
        """Give the report as an aligned table of text.

        Parameters
        ----------
        color : bool, optional
            Whether to colour the types. By default where standard output is a terminal, unless
            ``NO_COLOR`` is set; ``FORCE_COLOR`` asks for it anywhere.
        width : int, optional
            Most columns of text, >= 60; by default those of the terminal, and at most 100.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If `width` is too small for a table.

        Examples
        --------
        >>> from autotype.column_types import ColumnType, TypeReport
        >>> print(TypeReport([ColumnType("id", "identifier")]).to_text(color=False))
        column  type        P(ordinal)  levels  order
        ------  ----------  ----------  ------  -----
        id      identifier                   0
        <BLANKLINE>
        1 column, 0 rows: 1 identifier
        """
        from autotype.report.terminal import room_on, wants_color
        from autotype.report.text import NARROWEST, as_text

        if width is not None and width < NARROWEST:
            raise ValueError(f"width must be at least {NARROWEST} columns of text, got {width}")
        return as_text(
            self,
            width=room_on(sys.stdout) if width is None else width,
            color=wants_color(sys.stdout) if color is None else color,
        )

    def make_encoder(self, **options: Any) -> ColumnTransformer:
        """Make a scikit-learn transformer that encodes each column by its type.

        The same as `autotype.fitting.encode.make_encoder` with this report; see there.
        """
        from autotype.fitting.encode import make_encoder

        return make_encoder(self, **options)

    @classmethod
    def from_json(cls, text_or_path: str | os.PathLike) -> TypeReport:
        """Read a report from the JSON text that `to_json` gives, or from its file.

        The same as `autotype.report.read_json.report_from_json`; see there.

        Examples
        --------
        >>> from autotype.column_types import ColumnType, TypeReport
        >>> report = TypeReport([ColumnType("id", "identifier")], n_rows=9)
        >>> TypeReport.from_json(report.to_json()) == report
        True
        """
        from autotype.report.read_json import report_from_json

        return report_from_json(text_or_path)

    @classmethod
    def from_schema(cls, schema: DataFrameSchema | type[DataFrameModel]) -> TypeReport:
        """Give the types that a pandera schema states; levels without counts.

        The same as `autotype.schema.read_types.types_from_schema`; see there.
        """
        from autotype.schema.read_types import types_from_schema

        return types_from_schema(schema)

    @classmethod
    def from_arrow(cls, source: pyarrow.Table | pyarrow.Schema) -> TypeReport:
        """Give the types that ``df.ordinal.to_arrow`` noted, also by way of Parquet.

        The same as `autotype.schema.arrow.types_from_arrow`; see there.
        """
        from autotype.schema.arrow import types_from_arrow

        return types_from_arrow(source)

    def compare(self, other: TypeReport, **options: Any) -> TypeComparison:
        """Tell what changed from this report to another: columns, types, orders, levels, shares.

        The same as `autotype.drift.compare.compare_types`; see there for the options.

        Examples
        --------
        >>> from autotype.column_types import ColumnType, TypeReport
        >>> before = TypeReport([ColumnType("size", "ordinal", order=("S", "M"))])
        >>> after = TypeReport([ColumnType("size", "categorical")])
        >>> before.compare(after)["size"].changes
        ('type',)
        """
        from autotype.drift.compare import compare_types

        return compare_types(self, other, **options)

    def to_frictionless(self, path: str | os.PathLike | None = None) -> dict[str, Any]:
        """Give the report as a Frictionless Table Schema; write it to `path` too where given.

        The same as `autotype.schema.frictionless.to_frictionless`; see there.
        """
        from autotype.schema.frictionless import to_frictionless

        return to_frictionless(self, path)

    def __str__(self) -> str:
        from autotype.report.text import as_text

        return as_text(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.to_text())  # IPython shows it, so it may be in colour

    def _repr_html_(self) -> str:
        from autotype.report.notebook import as_html

        return as_html(self)


_TABLE_COLUMNS = {
    "semantic_type": "str",
    "probability": "float64",
    "order": "object",
    "best_order": "object",
    "order_probability": "float64",
    "direction_known": "bool",
    "n_levels": "int64",
    "n_rows_used": "int64",
    "off_scale": "object",
    "reason": "str",
}

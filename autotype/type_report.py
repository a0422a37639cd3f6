"""The types of a frame's columns, as one value that shows itself and hands itself on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from autotype.column_type import ColumnType
from autotype.errors import UnknownColumnError
from autotype.files.atomic_file import write_text
from autotype.wording import did_you_mean

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from pandera.pandas import DataFrameModel, DataFrameSchema
    from sklearn.compose import ColumnTransformer

    from autotype.drift.comparison import TypeComparison


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
    >>> from autotype import ColumnType, TypeReport
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
            hint = did_you_mean(name, self._by_name)
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
            ``order_probability``, ``direction_known``, ``n_levels``, ``n_rows_used``,
            ``off_scale``, ``reason``: the attributes of `ColumnType`.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"))
        >>> TypeReport([size]).to_frame()[["semantic_type", "probability", "order"]]
             semantic_type  probability   order
        size       ordinal          0.9  (S, M)
        """
        table = {key: [getattr(c, key) for c in self.columns] for key in _TABLE_COLUMNS}
        frame = pd.DataFrame(
            {key: pd.Series(cells, dtype=_TABLE_COLUMNS[key]) for key, cells in table.items()}
        )
        frame.index = self.names
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Give the report as plain Python values, ready for JSON.

        The same as `autotype.export.json_write.summarise` with this report; see there for the keys.
        """
        from autotype.export.json_write import summarise

        return summarise(self)

    def to_json(self, path: str | os.PathLike | None = None, *, indent: int | None = 2) -> str:
        """Give the report as JSON text; write it to `path` too where one is given.

        The file is written beside its place and then renamed, so that no reader sees half of it.

        Parameters
        ----------
        path : path, optional
            Where to write it.
        indent : int or None, default=2
            As in `json.dumps`: None puts all on one line.

        Returns
        -------
        str
            `from_json` reads it.

        Raises
        ------
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> TypeReport([], n_rows=9).to_json(indent=None)
        '{"format_version": 1, "autotype_version": "...", "n_rows": 9, "columns": []}'
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
        >>> from autotype import ColumnType, TypeReport
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
        >>> from autotype import ColumnType, TypeReport
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

    def make_encoder(
        self,
        *,
        exclude: Hashable | Sequence[Hashable] = (),
        scale: bool = True,
        text: Literal["drop", "tfidf"] = "drop",
    ) -> ColumnTransformer:
        """Make a scikit-learn transformer that encodes each column by its type.

        The same as `autotype.fitting.encoder.make_encoder` with this report; see there.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 5})
        >>> encoder = autotype.infer_types(frame).make_encoder(scale=False)
        >>> encoder.fit_transform(frame[:3]).tolist()
        [[0.0], [1.0], [2.0]]
        """
        from autotype.fitting.encoder import make_encoder

        return make_encoder(self, exclude=exclude, scale=scale, text=text)

    @classmethod
    def from_json(cls, text_or_path: str | os.PathLike) -> TypeReport:
        """Read a report from the JSON text that `to_json` gives, or from its file.

        The same as `autotype.export.json_read.report_from_json`; see there.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> report = TypeReport([ColumnType("id", "identifier")], n_rows=9)
        >>> TypeReport.from_json(report.to_json()) == report
        True
        """
        from autotype.export.json_read import report_from_json

        return report_from_json(text_or_path)

    @classmethod
    def from_schema(cls, schema: DataFrameSchema | type[DataFrameModel]) -> TypeReport:
        """Give the types that a pandera schema states; levels without counts.

        The same as `autotype.schema.read_types.types_from_schema`; see there.

        Examples
        --------
        >>> import pandera.pandas as pa
        >>> sizes = pa.Column(pa.Category(["S", "M", "L"], ordered=True))
        >>> TypeReport.from_schema(pa.DataFrameSchema({"size": sizes}))["size"].order
        ('S', 'M', 'L')
        """
        from autotype.schema.read_types import types_from_schema

        return types_from_schema(schema)

    @classmethod
    def from_arrow(cls, source: pyarrow.Table | pyarrow.Schema) -> TypeReport:
        """Give the types that ``df.ordinal.to_arrow`` noted, also by way of Parquet.

        The same as `autotype.export.arrow.types_from_arrow`; see there.

        Examples
        --------
        >>> import pyarrow
        >>> sizes = pyarrow.array(["S", "M", "S"]).dictionary_encode()
        >>> TypeReport.from_arrow(pyarrow.table({"size": sizes}))["size"].semantic_type
        'categorical'
        """
        from autotype.export.arrow import types_from_arrow

        return types_from_arrow(source)

    def compare(
        self, other: TypeReport, *, alpha: float = 0.01, min_distance: float = 0.05
    ) -> TypeComparison:
        """Tell what changed from this report to another: columns, types, orders, levels, shares.

        The same as `autotype.drift.compare.compare_types`; see there for the options.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> before = TypeReport([ColumnType("size", "ordinal", order=("S", "M"))])
        >>> after = TypeReport([ColumnType("size", "categorical")])
        >>> before.compare(after)["size"].changes
        ('type',)
        """
        from autotype.drift.compare import compare_types

        return compare_types(self, other, alpha=alpha, min_distance=min_distance)

    def to_frictionless(self, path: str | os.PathLike | None = None) -> dict[str, Any]:
        """Give the report as a Frictionless Table Schema; write it to `path` too where given.

        The same as `autotype.export.frictionless.to_frictionless`; see there.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> TypeReport([size]).to_frictionless()["fields"][0]["categoriesOrdered"]
        True
        """
        from autotype.export.frictionless import to_frictionless

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


def check_report(types: object) -> None:
    """Refuse what is no report where one is needed.

    Raises
    ------
    TypeError
        Saying what was got, and where reports come from.
    """
    if not isinstance(types, TypeReport):
        raise TypeError(
            f"expected a TypeReport, got {type(types).__name__}; df.ordinal.infer_types() gives "
            "one, TypeReport.from_json(path) reads one"
        )


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

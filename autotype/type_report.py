"""TypeReport: the types of a frame's columns, with display and export."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from autotype.types.atomic_file import write_text
from autotype.types.column_mapping import ColumnMapping
from autotype.types.column_type import ColumnType
from autotype.types.data_warning import DataWarning
from autotype.types.nan_equality import nan_key

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.fitting.frame_encoder import OrdinalFrameEncoder
    from autotype.types.decisions.decision import Statement
    from autotype.types.decisions.questions import Question
    from autotype.types.drift.comparison import TypeComparison


class TypeReport(ColumnMapping[ColumnType]):
    """The types of a frame's columns: a mapping from column name to `ColumnType`.

    Columns are in the frame's order. Of a repeated name, ``report[name]`` is the first column;
    `columns` and `to_frame` hold all of them. Two reports are equal if all columns, the names of
    the column labels, the number of rows, the sample and the warnings are, with NaN equal to NaN.

    Parameters
    ----------
    columns : sequence of ColumnType
        In the frame's column order.
    names : pandas.Index, optional
        The column labels; keeps a MultiIndex and its level names.
    n_rows : int
        Rows of the frame.
    sample : str
        Which rows the models saw, and how they were drawn; empty if all of them.
    warnings : sequence of DataWarning
        What looks wrong in the data, and what to do about it.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> report = TypeReport([ColumnType("id", "identifier"), ColumnType("sex", "binary")], n_rows=9)
    >>> list(report), report["sex"].semantic_type
    (['id', 'sex'], 'binary')
    """

    _OWNER = "the report holds no column"

    # Of reports pickled by earlier versions.
    sample: str = ""
    warnings: tuple[DataWarning, ...] = ()

    def __init__(
        self,
        columns: Sequence[ColumnType],
        *,
        names: pd.Index | None = None,
        n_rows: int = 0,
        sample: str = "",
        warnings: Sequence[DataWarning] = (),
    ) -> None:
        super().__init__(columns)
        self.n_rows = n_rows
        self.sample = sample
        self.warnings = tuple(warnings)
        if names is None:
            names = pd.Index([c.name for c in self.columns], dtype=object, tupleize_cols=False)
        self.names = names

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TypeReport):
            return NotImplemented
        same_labels = nan_key(list(self.names.names)) == nan_key(list(other.names.names))
        same_rows = self.n_rows == other.n_rows and self.sample == other.sample
        same_warnings = _cells(self.warnings) == _cells(other.warnings)
        return same_labels and same_rows and same_warnings and self.columns == other.columns

    def __hash__(self) -> int:
        return hash((self.n_rows, self.columns))

    def to_frame(self) -> pd.DataFrame:
        """Return a frame with one row a column, indexed by column name.

        Returns
        -------
        pandas.DataFrame
            Columns ``semantic_type``, ``probability``, ``order``, ``best_order``,
            ``order_probability``, ``direction_known``, ``n_levels``, ``n_rows_used``,
            ``off_scale``, ``reason``, ``provenance``, ``note``: the attributes of `ColumnType`.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"))
        >>> TypeReport([size]).to_frame()[["semantic_type", "probability", "order"]]
             semantic_type  probability   order
        size       ordinal          0.9  (S, M)
        """
        from autotype.types.codec.json_values import as_unicode

        table = {key: [getattr(c, key) for c in self.columns] for key in _TABLE_COLUMNS}
        for key in ("reason", "note"):
            table[key] = [as_unicode(text) for text in table[key]]
        frame = pd.DataFrame(
            {key: pd.Series(cells, dtype=_TABLE_COLUMNS[key]) for key, cells in table.items()}
        )
        frame.index = self.names
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain Python values, ready for JSON.

        The keys are described in ``autotype/types/codec/type_report.schema.json``, a JSON Schema.

        Raises
        ------
        UnwritableTypesError
            If a name or a level is an object of a class that cannot be read back, such as a
            member of an Enum.
        """
        from autotype.types.codec.json_write import encode_report

        return encode_report(self)

    def to_json(self, path: str | os.PathLike | None = None, *, indent: int | None = 2) -> str:
        """Return the report as JSON text, and write it to `path` if given.

        The file is written under a temporary name and renamed, so that no reader sees half of it.

        Parameters
        ----------
        path : path, optional
            File to write.
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
        UnwritableTypesError
            If a name or a level is an object of a class that cannot be read back, such as a
            member of an Enum.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> TypeReport([], n_rows=9).to_json(indent=None)
        '{"format_version": 1, "autotype_version": "...", "n_rows": 9, ... "columns": []}'
        """
        text = json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)
        if path is not None:
            write_text(path, text + "\n")
        return text

    def to_html(self, path: str | os.PathLike | None = None, *, table: str | None = None) -> str:
        """Return the report as a self-contained HTML page, and write it to `path` if given.

        The page needs no network. It shows questions on uncertain columns, an overview, and for
        each column its type, missing values and a picture of its values; for discrete ones also
        the order with its counts, the two models' scores, and the latent scale. Types and orders
        can be corrected on it, and downloaded as a file that ``known`` and `revise` read. The page
        is written under a temporary name and renamed.

        Parameters
        ----------
        path : path, optional
            File to write.
        table : str, optional
            The name of the table, for the title and the name of the file of decisions.

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

        page = as_page(self, table=table)
        if path is not None:
            write_text(path, page)
        return page

    def revise(
        self,
        decisions: Mapping[Hashable, Statement] | str | os.PathLike | None = None,
        /,
        **columns: Statement,
    ) -> TypeReport:
        """Return a report with corrected types and orders, without a new inference.

        Parameters
        ----------
        decisions : mapping or path, optional
            Column name -> what it is: a semantic type; the levels of an ordinal column, lowest
            first; or a mapping with some of ``type``, ``order``, ``off_scale`` (levels that are not
            on the scale) and ``note``. ``"ordinal"`` alone takes the best order found. Or the file
            of decisions that `to_known` or the report page wrote.
        **columns
            The same, for columns whose names are Python names; these take precedence.

        Returns
        -------
        TypeReport
            Its corrected columns have the provenance ``"revised"``; their evidence is kept.

        Raises
        ------
        UnknownColumnError
            If the report does not hold a column.
        KnownTypesError
            If a type is unknown, or an order leaves out a level or names one twice.
        UnreadableTypesError
            If the file is none of decisions.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> plan = ColumnType("plan", "categorical", 0.1, levels={"Lyra": 5, "Vega": 4}, n_levels=2)
        >>> revised = TypeReport([plan], n_rows=9).revise(plan=["Vega", "Lyra"])
        >>> print(revised["plan"].explain())
        'plan' is ordinal (probability of ordinal >0.99), in the order Vega < Lyra (exactly right
        with probability >0.99). Stated by the user (revise). Inferred: categorical (P(ordinal) 0.10).
        """  # noqa: E501 - the last line is the output
        from autotype.types.decisions.revise import revise_columns

        return self._with(revise_columns(self.columns, decisions, columns), self.warnings)

    def questions(self, *, certainty: float = 0.8) -> list[Question]:
        """Return the questions whose answers settle the most columns, most useful first.

        Columns that share their levels, such as the items of a questionnaire, are one question.

        Parameters
        ----------
        certainty : float
            Verdicts that are right with this probability, order and direction included, are not
            asked for, in (0, 1].

        Returns
        -------
        list of Question
            Each has ``columns``, ``levels``, a proposed answer (``semantic_type``, ``order``,
            ``off_scale``, ``probability``) and a ``text``; `revise` and ``known`` take what its
            method ``answer`` returns.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> levels = {"qx": 5, "zv": 4, "kk": 3}
        >>> names = ("q1", "q2", "q3")
        >>> report = TypeReport([ColumnType(n, "undetermined", 0.4, levels=levels) for n in names])
        >>> (question,) = report.questions()
        >>> print(question.text)
        Do the levels of 'q1', 'q2', 'q3' (qx, zv, kk) have an order? Proposed: no order (probability 0.60).
        >>> report.revise(question.answer(["kk", "qx", "zv"]))["q2"].order
        ('kk', 'qx', 'zv')
        """  # noqa: E501 - the output is one line
        from autotype.types.decisions.questions import find_questions

        return find_questions(self.columns, certainty=certainty)

    def to_known(
        self, path: str | os.PathLike | None = None, *, stated: bool = False
    ) -> dict[Hashable, Statement]:
        """Return the decisions that the report holds, and write them to `path` if given.

        ``infer_types(frame, known=...)`` and ``autotype infer --known`` read them; the next
        inference then concerns only columns that are new or undecided.

        Parameters
        ----------
        path : path, optional
            File to write: TOML if its name ends in ``.toml``, JSON if in ``.json``.
        stated : bool
            Whether to leave out the verdicts of inference, and keep only what persons have stated
            by ``known`` or `revise`.

        Returns
        -------
        dict
            Column name -> type, order, or a mapping of both and more, see `revise`: ordinal and
            categorical verdicts, with their probabilities, and all that is stated. The other types
            follow from simple rules.

        Raises
        ------
        UnknownFormatError
            If the name of the file ends otherwise.
        KnownTypesError
            If two columns of one name have different types.
        UnwritableTypesError
            If a level is of a class that cannot be read back.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", 0.9, order=("S", "M"), direction_known=True)
        >>> TypeReport([size, ColumnType("id", "identifier")]).to_known()
        {'size': {'order': ['S', 'M'], 'probability': 0.9}}
        """
        from autotype.types.decisions.known_file import write_known
        from autotype.types.decisions.revise import collect_decisions

        decisions = collect_decisions(self.columns, stated=stated)
        if path is not None:
            write_known(path, decisions)
        return decisions

    def without_values(self) -> TypeReport:
        """Return a report without values of columns that are not discrete, for sharing.

        Names, types, counts of missing and distinct values and the levels of discrete columns stay;
        examples, frequent values, histograms and levels of all other columns go.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> report = autotype.infer_types(pd.DataFrame({"id": ["R-1", "R-2", "R-3"]}))
        >>> list(report["id"].levels), list(report.without_values()["id"].levels)
        (['R-1', 'R-2', 'R-3'], [])
        """
        columns = [column.without_values() for column in self.columns]
        listed = {nan_key(column.name) for column in columns if column.levels}
        warnings = [
            warning
            for warning in self.warnings
            if not warning.quotes_levels or nan_key(warning.column) in listed
        ]
        return self._with(columns, warnings)

    def _with(self, columns: Sequence[ColumnType], warnings: Sequence[DataWarning]) -> TypeReport:
        """Return the report of the same rows and names with other columns and warnings."""
        return TypeReport(
            columns, names=self.names, n_rows=self.n_rows, sample=self.sample, warnings=warnings
        )

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the probability that each column is ordinal.

        The same as `autotype.plots.plot_report` with this report.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.
        """
        from autotype.report.plots import plot_report

        return plot_report(self, ax=ax)

    def to_text(self, *, color: bool | None = None, width: int | None = None) -> str:
        """Return the report as an aligned table of text.

        Parameters
        ----------
        color : bool, optional
            Whether to colour the types. By default if standard output is a terminal, unless
            ``NO_COLOR`` is set; ``FORCE_COLOR`` turns it on anywhere.
        width : int, optional
            Maximal number of columns of text, >= 60; by default that of the terminal, at most 100.

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
        from autotype.report.text import NARROWEST, as_text, table_width, wants_color

        if width is not None and width < NARROWEST:
            raise ValueError(f"width must be at least {NARROWEST} columns of text, got {width}")
        return as_text(
            self,
            width=table_width(sys.stdout) if width is None else width,
            color=wants_color(sys.stdout) if color is None else color,
        )

    def make_encoder(
        self,
        *,
        target: Hashable | None = None,
        exclude: Hashable | Sequence[Hashable] = (),
        ordinal: Literal["ranks", "thresholds", "indicators"] = "ranks",
        scale: bool = True,
        text: Literal["drop", "tfidf"] = "drop",
    ) -> OrdinalFrameEncoder:
        """Make a scikit-learn transformer that encodes each column by its type.

        Parameters
        ----------
        target : column name, optional
            The target of the model, to be left out.
        exclude : column name or sequence of them
            Further columns to leave out.
        ordinal : {"ranks", "thresholds", "indicators"}
            Encoding of ordinal columns; see `autotype.OrdinalFrameEncoder`.
        scale : bool
            Whether to standardise numbers and ranks.
        text : {"drop", "tfidf"}
            Whether to drop free text, or to weight its words and pairs of words.

        Returns
        -------
        OrdinalFrameEncoder
            Unfitted.

        Raises
        ------
        UnknownColumnError
            If `target` or `exclude` names a column that the report does not hold.
        ValueError
            If a parameter is none of its values, or if the names of the columns are not text or not
            unique.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 5, "price": range(20)})
        >>> encoder = autotype.infer_types(frame).make_encoder(target="price", scale=False)
        >>> encoder.fit_transform(frame[:3]).tolist()
        [[0.0], [1.0], [2.0]]
        """
        from autotype.fitting.frame_encoder import make_encoder

        return make_encoder(
            self, target=target, exclude=exclude, ordinal=ordinal, scale=scale, text=text
        )

    @classmethod
    def from_json(cls, text_or_path: str | os.PathLike) -> TypeReport:
        """Read a report from the JSON text that `to_json` returns, or from its file.

        Parameters
        ----------
        text_or_path : str or path
            A text that starts with ``{`` is read as JSON, any other as the path of a file.

        Returns
        -------
        TypeReport
            Equal to the one that was written: levels, names and weights included.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        UnreadableTypesError
            If it is not JSON, not a report, of a newer format than this version reads, longer
            than 256 Mi characters, or nested deeper than 100 lists and objects. It is a
            ValueError. No content of a file is ever executed.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> report = TypeReport([ColumnType("id", "identifier")], n_rows=9)
        >>> TypeReport.from_json(report.to_json()) == report
        True
        """
        from autotype.types.codec.json_read import columns_from_json

        parts = columns_from_json(text_or_path)
        return cls(
            parts.columns,
            names=parts.names,
            n_rows=parts.n_rows,
            sample=parts.sample,
            warnings=parts.warnings,
        )

    @classmethod
    def from_schema(cls, schema: DataFrameSchema | type[DataFrameModel]) -> TypeReport:
        """Read the types that a pandera schema states; levels without counts.

        Parameters
        ----------
        schema : pandera DataFrameSchema or DataFrameModel
            From `autotype.to_schema` or `autotype.read_schema`, or any other. Of a schema that
            autotype did not make: an ordered Category is ordinal, another one categorical (binary
            if it has two levels), truth values are binary, floats continuous, whole numbers
            counts, unique columns identifiers, and texts text; ``undetermined`` without a dtype.

        Raises
        ------
        TypeError
            If `schema` is neither.
        UnreadableTypesError
            If its levels, or the metadata that `autotype.to_schema` stores, are damaged.

        Examples
        --------
        >>> import pandera.pandas as pa
        >>> sizes = pa.Column(pa.Category(["S", "M", "L"], ordered=True))
        >>> TypeReport.from_schema(pa.DataFrameSchema({"size": sizes}))["size"].order
        ('S', 'M', 'L')
        """
        from autotype.schema.read_types import columns_from_schema

        return cls(columns_from_schema(schema))

    @classmethod
    def from_arrow(cls, source: pyarrow.Table | pyarrow.Schema) -> TypeReport:
        """Read the types that ``df.ordinal.to_arrow`` stored, also by way of Parquet.

        Parameters
        ----------
        source : pyarrow.Table or pyarrow.Schema
            From ``pyarrow.parquet.read_table``, or ``read_schema`` if the metadata suffice.

        Returns
        -------
        TypeReport
            One column for each field with metadata, or, in a table, with a dictionary: ordered
            ones are ordinal, others categorical.

        Raises
        ------
        TypeError
            If `source` is neither.
        UnreadableTypesError
            If the metadata of a field are damaged.

        Examples
        --------
        >>> import pyarrow
        >>> sizes = pyarrow.array(["S", "M", "S"]).dictionary_encode()
        >>> TypeReport.from_arrow(pyarrow.table({"size": sizes}))["size"].semantic_type
        'categorical'
        """
        from autotype.types.codec.arrow import columns_from_arrow

        columns, n_rows = columns_from_arrow(source)
        return cls(columns, n_rows=n_rows)

    def compare(
        self, other: TypeReport, *, alpha: float = 0.01, min_distance: float = 0.05
    ) -> TypeComparison:
        """Compare this report with a later one: columns, types, orders, levels, shares.

        Parameters
        ----------
        other : TypeReport
            For instance of the next batch.
        alpha : float
            Probability of a false alarm in the shares, over all columns together, in (0, 1).
        min_distance : float
            Differences in shares below this total variation distance are not called changes
            however significant they are, in [0, 1].

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> before = TypeReport([ColumnType("size", "ordinal", order=("S", "M"))])
        >>> after = TypeReport([ColumnType("size", "categorical")])
        >>> before.compare(after)["size"].changes
        ('type',)
        """
        from autotype.types.drift.compare import compare_types

        return compare_types(self, other, alpha=alpha, min_distance=min_distance)

    def to_frictionless(self, path: str | os.PathLike | None = None) -> dict[str, Any]:
        """Return the report as a Frictionless Table Schema, and write it to `path` if given.

        Returns
        -------
        dict
            ``fields``, one for each column; those with levels hold ``categories`` and, unless
            undetermined, ``categoriesOrdered``.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> TypeReport([size]).to_frictionless()["fields"][0]["categoriesOrdered"]
        True
        """
        from autotype.types.codec.frictionless import to_frictionless

        return to_frictionless(self, path)

    def __str__(self) -> str:
        from autotype.report.text import as_text

        return as_text(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.to_text())  # IPython shows it, so it may be in colour

    def _repr_html_(self) -> str:
        from autotype.report.notebook import as_html

        return as_html(self)


def _cells(warnings: tuple[DataWarning, ...]) -> list[Any]:
    return [nan_key((w.kind, w.message, w.remedy, w.column)) for w in warnings]


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
    "provenance": "str",
    "note": "str",
}

"""The function `infer_types`, and the TypeReport that it returns, with display and export."""

from __future__ import annotations

import os
import sys
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from autotype.errors import MissingExtraError
from autotype.types.atomic_file import as_json, write_text
from autotype.types.codebook import Codebook, codebook_warnings
from autotype.types.column_types import ColumnTypes
from autotype.types.drift.comparison import ColumnComparisons

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from pandera.pandas import DataFrameModel, DataFrameSchema

    from autotype.fitting.frame_encoder import OrdinalFrameEncoder
    from autotype.inference.judges.label_judge import LabelJudge
    from autotype.report.widget import ReviewWidget
    from autotype.types.decisions.decision import Statement
    from autotype.types.decisions.questions import Question


def infer_types(
    frame: Any,
    columns: Hashable | Sequence[Hashable] | None = None,
    *,
    features: Hashable | Sequence[Hashable] | None = None,
    known: Mapping[Hashable, Statement] | str | os.PathLike | None = None,
    codebook: Codebook | str | os.PathLike | None = None,
    scales: Mapping[str, Any] | str | os.PathLike | None = None,
    weights: Hashable | None = None,
    max_levels: int = 20,
    max_rows: int | None = None,
    label_text: bool = True,
    label_judge: LabelJudge | None = None,
    max_seconds: float | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool | None = None,
) -> TypeReport:
    """Infer the semantic type of each column, and the order of its levels if it is ordinal.

    Parameters
    ----------
    frame : frame
        Of pandas, polars (lazy too), pyarrow (a Table or Dataset), DuckDB, Dask, PySpark, Ibis, or
        another library that narwhals reads; or what `autotype.read_table` returns. It is not
        changed. Lazy tables of more than 20 million cells stay in their engine, which counts them
        and draws the rows.
    columns : column name or sequence of them, optional
        Columns to type; all by default. The others serve as predictors all the same. Of more than
        100 others in memory, 32 are read: those with like levels, and those on which the requested
        ones depend most in a sample of rows.
    features : column name or sequence of them, optional
        Columns that may serve as predictors; all by default.
    known : mapping or path, optional
        What is known: column name -> a semantic type, or the levels of an ordinal column, lowest
        first, or a mapping with some of ``type``, ``order``, ``off_scale`` and ``note``, also with
        a `Scale` of `TypeReport.scales` in the place of a name; or the
        TOML or JSON file that `TypeReport.to_known` or the report page wrote, or the codebook that
        `TypeReport.to_codebook` wrote. It takes precedence over any evidence, and its columns are
        not inferred.
    codebook : Codebook or path, optional
        What is written about the columns: value labels, question texts, missing values; or the
        file that `Codebook.read` reads. It is evidence, and the report holds the labels. It wins
        over what a labelled file states of itself.
    scales : path or mapping, optional
        Your own vocabulary, for all tables: the TOML or JSON file that `TypeReport.to_scales`
        writes, or its tables. ``[scales.NAME]`` has ``levels``, lowest first, and may have
        ``synonyms``, ``off_scale``, and the ``columns`` that it is for; ``[sets]`` has levels
        without an order; ``[columns]`` has ``ids``, names of columns of identifiers, and
        ``missing``, what means a missing value. A column whose levels are all known has the type
        and order of the scale with certainty; a level that the scale lacks is named by a warning,
        and inference places it. It outranks labels and data, not `known`.
    weights : column name, optional
        A column of numbers from 0 up: how many each row stands for, as in a survey that drew some
        people more often than others. Counts stay counts; `ColumnType.weighted_shares` holds the
        weighted proportions, which pages, plots, `fit` and `TypeReport.compare` use. A row without
        a weight counts nothing there. They have no part in the types.
    max_levels : int
        Most levels of a column whose order is searched, >= 3.
    max_rows : int, optional
        Rows that the models see, >= 1; levels rare among them are topped up. By default 1,000, or
        one in 125 of a larger frame up to 8,000. Counts are exact whatever the size.
    label_text : bool
        Whether to use the level labels as evidence. Without them the verdict rests on the other
        columns and the column's name, and does not depend on how the levels are called.
    label_judge : callable, optional
        A second opinion on labels, for instance a language model: takes a column's name and
        levels, returns (probability of ordinal, order or None), or None. One more piece of
        evidence; called in this process, once a discrete column, or once for all if it has a
        method ``judge_all``. `autotype.judges` has one for servers of language models.
    max_seconds : float, optional
        Time limit, > 0. After it, only the labels of the remaining columns are examined, and their
        reasons say so; columns with few levels come first. Counting is not cut short.
    n_jobs : int, optional
        Workers, as in joblib: None means 1 or the setting of ``joblib.parallel_config``, -1 all
        cores. The result does not depend on it.
    random_state : int
        Seed of the row sample.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal only, for long work.

    Returns
    -------
    TypeReport
        One `ColumnType` for each requested column, in the frame's order.

    Raises
    ------
    UnknownColumnError
        If `columns`, `features`, `known` or `weights` name a column that is not in the frame.
    TypeError, ValueError
        If an option has the wrong type or is out of range.
    UnreadableTypesError
        If `known` or `scales` is no such file. It is a ValueError.
    WeightsError
        If `weights` holds something else than numbers from 0 up. It is a ValueError.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"quality": ["poor", "good", "fair", "excellent"] * 5})
    >>> autotype.infer_types(frame)["quality"].order
    ('poor', 'fair', 'good', 'excellent')
    """
    from autotype.inference import pipeline
    from autotype.tables.table import Table
    from autotype.types.decisions.scales_file import read_scales

    table = frame if isinstance(frame, Table) else None
    if isinstance(codebook, str | os.PathLike):
        from autotype.tables.codebooks.read import read_codebook

        codebook = read_codebook(os.fspath(codebook))
    elif not isinstance(codebook, Codebook | None):
        got = type(codebook).__qualname__
        raise TypeError(f"codebook must be a Codebook, or the path of one, got {got}")
    if isinstance(known, str | os.PathLike):
        from autotype.tables.codebooks.output import read_known

        known = cast("Mapping[Hashable, Statement]", read_known(known))
    given = codebook
    if table is not None and table.codebook.columns:
        codebook = table.codebook if given is None else given.over(table.codebook)
    types = pipeline.infer_types(
        frame if table is None else table.frame,
        columns,
        features=features,
        known=known,
        codebook=codebook,
        scales=None if scales is None else read_scales(scales),
        weights=weights,
        max_levels=max_levels,
        max_rows=max_rows,
        label_text=label_text,
        label_judge=label_judge,
        max_seconds=max_seconds,
        n_jobs=n_jobs,
        random_state=random_state,
        progress=progress,
    )
    if table is not None:
        types.reading = table.reading
        types.warnings = (*table.findings, *types.warnings)
    if given is not None:
        types.warnings = (*types.warnings, *codebook_warnings(given, types.columns))
    return TypeReport(types)


class TypeReport(ColumnTypes):
    """The types of a frame's columns: a mapping from column name to `ColumnType`.

    Columns are in the frame's order. Of a repeated name, ``report[name]`` is the first column;
    `columns` and `to_frame` hold all of them. Two reports are equal if all columns, the names of
    the column labels, the number of rows, the sample, the reading and the warnings are, with NaN
    equal to NaN.

    Parameters
    ----------
    columns : sequence of ColumnType, or mapping of them
        In the frame's column order. Of a mapping such as `OrdinalTyper.types_`, all else is taken
        over, too.
    names : pandas.Index, optional
        The column labels; keeps a MultiIndex and its level names.
    n_rows : int
        Rows of the frame.
    sample : str
        Which rows the models saw, which columns were read, and how they were chosen; empty if all.
    warnings : sequence of DataWarning
        What looks wrong in the data, and what to do about it.
    reading : Reading, optional
        How the file was read, of types of what `autotype.read_table` returns; None without a file.
    weights : hashable, optional
        Name of the column of weights of the rows; None without one.
    checks : mapping, optional
        Of a report that `from_schema` reads: column name -> name of a check -> its arguments, such
        as the limits of a range. `to_sql` and the exports for other tools write them. Neither the
        comparison of two reports nor the files of a report include them; `autotype.write_schema`
        stores a schema.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> report = TypeReport([ColumnType("id", "identifier"), ColumnType("sex", "binary")], n_rows=9)
    >>> list(report), report["sex"].semantic_type
    (['id', 'sex'], 'binary')
    """

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain Python values, ready for JSON.

        The keys are described in ``autotype/types/codec/type_report.schema.json``, a JSON Schema.

        Raises
        ------
        UnwritableTypesError
            If a name or a level is an object of a class that cannot be read back, such as a
            member of an Enum.
        """
        from autotype.types.codec.report_json import encode_report

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
        return as_json(self.to_dict(), path, indent=indent)

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
            on the scale) and ``note``. ``"ordinal"`` alone takes the best order found. A `Scale` of
            `scales` in the place of a name decides on its columns. Or the file of decisions that
            `to_known` or the report page wrote.
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

    def review(self) -> ReviewWidget:
        """Return a widget for a notebook on which types and orders can be corrected.

        It is the report's page. Each decision changes ``widget.types`` at once, and
        ``widget.code`` repeats all of them.

        Returns
        -------
        ReviewWidget
            With `types`, a new report, and `code`.

        Raises
        ------
        MissingExtraError
            If anywidget or Jinja2 is not installed.
        """
        try:
            from autotype.report.widget import ReviewWidget
        except ImportError:
            message = "review in a notebook needs anywidget"
            raise MissingExtraError(message, extra="notebook") from None
        return ReviewWidget(self)

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
            write_known(path, decisions, [column.name for column in self.columns])
        return decisions

    def to_scales(self, path: str | os.PathLike | None = None) -> dict[str, Any]:
        """Return the scales and sets that were corrected, and write them to `path` if given.

        ``infer_types(frame, scales=...)`` and ``autotype infer --scales`` read them, for any table
        with columns of these levels.

        Parameters
        ----------
        path : path, optional
            File to write: TOML if its name ends in ``.toml``, JSON if in ``.json``. The scales of
            a file that is there stay in it, with its comments; a correction replaces that of
            the same levels.

        Returns
        -------
        dict
            The tables of the file: of columns whose type was stated by ``scales``, ``known`` or
            `revise`, the orders as ``scales``, the levels of categorical ones as ``sets``, and the
            names of identifiers. Levels that are numbers, or that have several orders, are for
            their columns only.

        Raises
        ------
        UnknownFormatError
            If the name of the file ends otherwise.
        UnreadableTypesError
            If the file is there, and holds no scales.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "categorical", levels={"S": 4, "M": 5, "L": 1})
        >>> TypeReport([size]).revise(size=["S", "M", "L"]).to_scales()
        {'scales': {'size': {'levels': ['S', 'M', 'L']}}}
        """
        from autotype.types.decisions.scales_file import corrected_scales, read_scales, write_scales

        before = read_scales(path if path is not None and os.path.exists(path) else {})
        tables = corrected_scales(self.columns, before)
        if path is not None:
            write_scales(path, tables)
        return tables

    def to_codebook(self, path: str | os.PathLike) -> None:
        """Write a codebook that people can read and correct.

        It has the question, the type and the measure of each column, and a row for each level, in
        order, with its label, its count, and whether it is off the scale. `Codebook.read` reads
        its labels, and ``known=`` the types and orders, whose columns are then not inferred; a
        type that is deleted is inferred, and so is that of an ordinal column whose order is not
        known. Values that occur in no row have no count, and are no
        part of an order.

        Parameters
        ----------
        path : str or path
            Its name ends in ``.xlsx``, ``.csv``, ``.json``, ``.md`` or ``.html``.

        Raises
        ------
        UnknownFormatError
            If it ends otherwise.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "codebook.csv")
        ...     TypeReport([size]).to_codebook(path)
        ...     print(path.read_text())
        variable,question,type,measure,value,category label,count,off scale
        size,,ordinal,ordinal,S,S,4,
        size,,,,M,M,5,
        <BLANKLINE>
        """
        from autotype.tables.codebooks.output import write_codebook

        write_codebook(self.columns, path)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the probability that each column is ordinal.

        The same as `autotype.plots.plot_report` with this report.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.
        """
        from autotype.report.figures.plots import plot_report

        return plot_report(self, ax=ax)

    def category_orders(self) -> dict[Hashable, list[Any]]:
        """Return the levels of each ordinal column in their order, for libraries that plot.

        Returns
        -------
        dict
            Name of a column -> its levels, lowest first, then those off the scale. It is what
            plotly calls ``category_orders``; ``order`` of seaborn, ``sort`` of Altair and
            ``limits`` of plotnine take the list of one column.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["M", "S", "L", "n/a"] * 10, "price": range(40)})
        >>> autotype.infer_types(frame).category_orders()
        {'size': ['S', 'M', 'L', 'n/a']}
        """
        return {c.name: [*c.order, *c.off_scale] for c in self.columns if c.order is not None}

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
            If a parameter is not one of its values, or if the names of the columns are not text or
            not unique.

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
        from autotype.types.codec.report_json import types_from_json

        return cls(types_from_json(text_or_path))

    @classmethod
    def from_schema(cls, schema: DataFrameSchema | type[DataFrameModel]) -> TypeReport:
        """Read the types that a pandera schema states; levels without counts.

        Parameters
        ----------
        schema : pandera DataFrameSchema or DataFrameModel
            From `autotype.to_schema` or `autotype.read_schema`, or any other. Of a schema that
            autotype did not make: an ordered Category is ordinal, another one categorical (binary
            if it has two levels), booleans are binary, floats continuous, integers
            counts, unique columns identifiers, and strings text; ``undetermined`` without a dtype.

        Returns
        -------
        TypeReport
            Its `checks` are those of the schema, which `to_sql`, `to_dbt`,
            `to_great_expectations` and `to_pointblank` write.

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
        from autotype.schema.exports import checks_of_schema
        from autotype.schema.read_types import columns_from_schema

        types = cls(columns_from_schema(schema))
        return cls(types.columns, checks=checks_of_schema(schema, types))

    @classmethod
    def from_arrow(cls, source: pyarrow.Table | pyarrow.Schema) -> TypeReport:
        """Read the types that `to_arrow` stored, also by way of Parquet.

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

        compared = compare_types(self, other, alpha=alpha, min_distance=min_distance)
        return TypeComparison(compared.columns)

    def to_arrow(self, frame: Any) -> pyarrow.Table:
        """Make an Arrow table of a frame, with these types applied, that keeps levels and order.

        Parameters
        ----------
        frame : frame
            The frame that was typed, or another with columns of the same names, in memory: of
            pandas, polars, pyarrow, or another library that narwhals reads. It is not changed.

        Returns
        -------
        pyarrow.Table
            Columns with levels are dictionaries, ordered for ordinal columns; durations stay plain,
            since Parquet would lose their unit. The metadata of each field hold its type, which
            `from_arrow` reads. ``pyarrow.parquet.write_table`` keeps all of it; polars reads
            ordinal columns of strings as ``Enum``.

        Raises
        ------
        MissingExtraError
            If pyarrow is not installed.
        TypeError
            If the frame is lazy, or no frame.
        UnwritableTableError
            If Arrow cannot hold a column, for instance one of mixed objects or of integers
            beyond 64 bits, or its name; the message names it. It is a ValueError.

        Notes
        -----
        Parquet itself keeps dictionaries of strings only: an ordinal column of numbers is read back
        as numbers, and an empty one without levels. Both are restored from the metadata by
        ``frame.ordinal.apply_types(TypeReport.from_arrow(table))``.

        Examples
        --------
        >>> import pandas as pd, autotype
        >>> frame = pd.DataFrame({"size": ["M", "S", "L"] * 5})
        >>> table = autotype.infer_types(frame).to_arrow(frame)
        >>> table.schema.field("size").type.ordered
        True
        """
        from autotype.inference.frames.apply_types import apply_types
        from autotype.inference.frames.as_pandas import as_pandas
        from autotype.types.codec.arrow import as_arrow

        return as_arrow(apply_types(as_pandas(frame, "to_arrow"), self), self)

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

    def to_sql(
        self,
        table: str = "batch",
        *,
        dialect: Literal["postgresql", "duckdb", "sqlite"] = "postgresql",
    ) -> str:
        """Write statements that create a table whose columns have these types.

        A report of `infer_types` states levels only; one of `from_schema` also missing values,
        ranges and uniqueness.

        Parameters
        ----------
        table : str
            The table's name.
        dialect : {"postgresql", "duckdb", "sqlite"}
            In the first two, strings with an order have a type of their own, made by ``CREATE TYPE
            ... AS ENUM``, which sorts by the order, and compares by it (in DuckDB with a literal
            that is cast: ``'S'::batch_size``). SQLite has no such types: there and for all other
            levels a CHECK lists them, without order.

        Returns
        -------
        str
            ``CREATE TYPE`` statements and one ``CREATE TABLE``. Levels off the scale come first in
            their type, below the lowest. Dates and amounts that are strings stay strings, except
            plain numbers and dates of ISO 8601, as far as the report shows the values. Integers
            beyond 64 bits are ``NUMERIC(38)``, which SQLite rounds.

        Raises
        ------
        ValueError
            If there is no such dialect.
        UnwritableTypesError
            If a name or a level cannot be written as SQL, two names are one to the database, as
            those that differ in case only are to DuckDB and SQLite, or there are no columns.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> print(TypeReport([size]).to_sql("shop"))
        CREATE TYPE "shop_size" AS ENUM ('S', 'M');
        CREATE TABLE "shop" (
          "size" "shop_size"
        );
        >>> print(TypeReport([size]).to_sql("shop", dialect="sqlite"))
        CREATE TABLE "shop" (
          "size" TEXT CHECK ("size" IN ('S', 'M'))
        );
        """
        from autotype.schema.exports import to_sql

        return to_sql(self, table, dialect=dialect)

    def to_dbt(self, model: str = "batch") -> str:
        """Write the ``schema.yml`` of a dbt model (dbt 1.10.5 and later).

        A report of `infer_types` states levels only; one of `from_schema` also missing values and
        uniqueness.

        Parameters
        ----------
        model : str
            The model's name.

        Returns
        -------
        str
            YAML with the tests ``accepted_values``, ``not_null`` and ``unique``, which dbt has by
            itself; ranges would need a package. The order of levels is in the column's description
            and in ``meta``, since dbt has no notion of it.

        Raises
        ------
        UnwritableTypesError
            If a level is neither a string nor a number, boolean or date.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> print(TypeReport([size]).to_dbt("shop"), end="")
        version: 2
        models:
        - name: shop
          columns:
          - name: size
            description: 'Ordinal: S < M'
            config:
              meta:
                order:
                - S
                - M
            data_tests:
            - accepted_values:
                arguments:
                  values:
                  - S
                  - M
        """
        from autotype.schema.exports import to_dbt

        return to_dbt(self, model)

    def to_great_expectations(self, name: str = "batch") -> dict[str, Any]:
        """Return a suite of Great Expectations (1.0 and later).

        A report of `infer_types` states levels only; one of `from_schema` also missing values,
        ranges and uniqueness.

        Parameters
        ----------
        name : str
            The suite's name.

        Returns
        -------
        dict
            ``great_expectations.ExpectationSuite(**suite)`` is the suite; as JSON it is the file
            of a suite. The order of levels is in the meta data of an expectation. Levels that are
            dates are not listed, since JSON holds none.

        Raises
        ------
        UnwritableTypesError
            If a level is neither a string nor a number, boolean or date.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> TypeReport([size]).to_great_expectations()["expectations"][1]["kwargs"]
        {'column': 'size', 'value_set': ['S', 'M']}
        """
        from autotype.schema.exports import to_great_expectations

        return to_great_expectations(self, name)

    def to_pointblank(self, table: str | None = None) -> str:
        """Write a validation plan of pointblank, in its YAML.

        A report of `infer_types` states levels only; one of `from_schema` also missing values,
        ranges and uniqueness.

        Parameters
        ----------
        table : str, optional
            The table that the plan names: a file that exists, or what else pointblank reads. By
            default none: ``pointblank.yaml_interrogate(plan, set_tbl=frame)`` checks a frame.

        Returns
        -------
        str
            Missing values pass in columns that may have some. The order of levels is the order in
            which they are listed. Booleans and dates are not listed: pointblank finds none among
            those of a column.

        Raises
        ------
        UnwritableTypesError
            If a level is neither a string nor a number, boolean or date.

        Examples
        --------
        >>> from autotype import ColumnType, TypeReport
        >>> size = ColumnType("size", "ordinal", order=("S", "M"), levels={"S": 4, "M": 5})
        >>> print(TypeReport([size]).to_pointblank("shop.csv"), end="")
        tbl: shop.csv
        steps:
        - col_exists:
            columns:
            - size
        - col_vals_in_set:
            columns:
            - size
            set:
            - S
            - M
            - null
        """
        from autotype.schema.exports import to_pointblank

        return to_pointblank(self, table)

    def __str__(self) -> str:
        from autotype.report.text import as_text

        return as_text(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.to_text())  # IPython shows it, so it may be in colour

    def _repr_html_(self) -> str:
        from autotype.report.notebook import as_html

        return as_html(self)


class TypeComparison(ColumnComparisons):
    """The changes between two reports; true if there are any.

    A mapping from column name to `ColumnComparison`: columns of the first report in its order,
    then those that are new. The n-th columns of a repeated name are compared with each other;
    ``comparison[name]`` is the first, `columns` holds all of them.

    Attributes
    ----------
    changed : tuple of ColumnComparison
        The columns with changes.

    Examples
    --------
    >>> from autotype import ColumnType, TypeReport
    >>> before = TypeReport([ColumnType("size", "ordinal", order=("S", "M"))])
    >>> comparison = before.compare(TypeReport([ColumnType("size", "categorical")]))
    >>> bool(comparison), comparison["size"].explain()
    (True, "'size': It was ordinal and is categorical.")
    """

    def to_html(
        self,
        path: str | os.PathLike | None = None,
        *,
        before: str = "the report before",
        after: str = "The report after",
    ) -> str:
        """Return the changes as a self-contained HTML page, and write it to `path` if given.

        Parameters
        ----------
        path : path, optional
            File to write.
        before, after : str
            Names of the two reports, for the title.

        Raises
        ------
        MissingExtraError
            If Jinja2 is not installed.
        """
        from autotype.report.findings import as_comparison_page

        page = as_comparison_page([self.to_dict() | {"before": before, "file": after}])
        if path is not None:
            write_text(path, page + "\n")
        return page

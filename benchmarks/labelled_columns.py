"""The labelled corpora: loading, hiding or recoding level texts, and gathering evidence.

Three forms of a column: `plain`, as it is; `codes`, text levels replaced by integers (ordinal: in
their order; categorical: alphabetically); `blind`, levels replaced by meaningless tokens.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from autotype.inference.column import Column, FrameSample, count_alike
from autotype.inference.evidence.equivalent_columns import find_equivalents, read_with_equivalents
from autotype.inference.evidence.gather import gather_all
from autotype.inference.evidence.predictors import encode
from autotype.inference.profile.formats import set_format
from autotype.inference.profile.stray_levels import (
    find_stray_levels,
    find_stray_rows,
    set_aside,
    texts_of_one_row,
)
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame

FORMS = ("plain", "codes", "blind")
CORPORA = ("typed-columns", "columns", "wild")
MAX_LEVELS = 20


@dataclass(frozen=True)
class LabelledColumn:
    """One labelled column in one form, with its evidence.

    Attributes
    ----------
    dataset, column, family, corpus, coding, language : str
        Where it comes from; `coding` is ``"text"`` or ``"number"`` in the source.
    form : str
        One of `FORMS`.
    ordinal : bool
        The truth.
    true_order : tuple
        Levels in their true order, as the evidence names them; empty where categorical.
    evidence : Column or None
        None where triage typed the column.
    triaged : str or None
        The type by triage.
    """

    dataset: str
    column: str
    family: str
    corpus: str
    coding: str
    language: str
    form: str
    ordinal: bool
    true_order: tuple
    evidence: Column | None
    triaged: str | None


def data_folder(argument: str, corpora: tuple[str, ...] = CORPORA) -> Path:
    """Check the data folder that a benchmark was given; exit with one line if it is missing."""
    folder = Path(argument)
    if not folder.is_dir():
        sys.exit(f"data folder {folder} is missing; give the folder that holds {corpora[0]}/")
    return folder


def read_labels_table(folder: Path, corpora: tuple[str, ...] = CORPORA) -> pd.DataFrame:
    """Read the labels of some corpora; columns that the first holds too are dropped."""
    tables = []
    for corpus in corpora:
        table = pd.read_csv(folder / corpus / "labels.csv").assign(corpus=corpus)
        if "also_in" in table and corpus != corpora[0]:
            table = table[table["also_in"].isna()]
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def read_frame(folder: Path, corpus: str, file: str) -> pd.DataFrame:
    """Read one frame; only empty fields are missing."""
    path = folder / corpus / file
    return pd.read_csv(path, low_memory=False, keep_default_na=False, na_values=[""])


def gather(
    folder: Path,
    *,
    corpora: tuple[str, ...] = CORPORA,
    forms: tuple[str, ...] = FORMS,
    n_jobs: int = 2,
) -> list[LabelledColumn]:
    """Gather the evidence on every labelled column, in each form."""
    table = read_labels_table(folder, corpora)
    groups = list(table.groupby(["corpus", "file"], sort=True))
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_gather_frame)(folder, corpus, file, group, forms)
        for (corpus, file), group in groups
    )
    return [column for part in parts for column in part]


def _gather_frame(
    folder: Path, corpus: str, file: str, group: pd.DataFrame, forms: tuple[str, ...]
) -> list[LabelledColumn]:
    frame = read_frame(folder, corpus, file)
    found = []
    for form in forms:
        for data, rows in _in_form(frame, group, form):
            sample = sample_frame(data, max_levels=MAX_LEVELS, seed=0)
            examine(sample, [data.columns.get_loc(row.column) for row, _ in rows])
            for row, mapping in rows:
                column = sample.columns[data.columns.get_loc(row.column)]
                evidence = column if column.semantic_type is None else None
                kind = column.semantic_type
                found.append(_labelled(row, corpus, form, mapping, evidence=evidence, kind=kind))
    return found


def examine(sample: FrameSample, positions: Sequence[int] | None = None) -> None:
    """Type the columns of a sample by rules, and gather the evidence on some candidates."""
    lone = list(map(texts_of_one_row, sample.columns))
    stray_rows = find_stray_rows(sample.columns, lone)
    for column, texts in zip(sample.columns, lone, strict=True):
        find_stray_levels(column, texts, stray_rows)
        set_aside(column)
        set_format(column)
        triage(column, max_levels=MAX_LEVELS)
        if column.known_levels and column.numbers is None:
            column.reading = column.labels
    design = encode(sample.columns)
    alike = count_alike(sample.columns)
    for j in range(len(sample.columns)) if positions is None else positions:
        column = sample.columns[j]
        if column.semantic_type is None:
            equivalents = find_equivalents(sample, j)
            column.excluded = [j, *(c.position for c, _ in equivalents)]
            column.reading = read_with_equivalents(column, equivalents)
            column.n_alike = alike[j]
            gather_all([column], design, n_jobs=1)


def _in_form(frame: pd.DataFrame, group: pd.DataFrame, form: str) -> Iterator[tuple]:
    """Yield frames to type, each with its labelled rows and their level -> new level mappings.

    A plain frame serves all its columns at once; the other forms change one column at a time.
    """
    rows = list(group.itertuples())
    if form == "plain":
        yield frame, [(row, None) for row in rows]
        return
    for row in rows:
        levels = pd.unique(frame[row.column].dropna())
        if form == "codes" and row.coding != "text":
            continue
        mapping = _codes(levels, row) if form == "codes" else _tokens(levels, row)
        values = frame[row.column].astype(object).map(mapping, na_action="ignore")
        if form == "codes":
            values = pd.Series(values, dtype="Int64")
        yield frame.assign(**{row.column: values}), [(row, mapping)]


def _codes(levels: np.ndarray, row) -> dict:
    ranked = [v for v in json.loads(row.order) if v in {str(level) for level in levels}]
    rest = sorted(str(level) for level in levels if str(level) not in ranked)
    code = {text: k for k, text in enumerate([*ranked, *rest], start=1)}
    return {level: code[str(level)] for level in levels}


def _tokens(levels: np.ndarray, row) -> dict:
    rng = np.random.default_rng(abs(hash_text(f"{row.dataset}/{row.column}")))
    drawn = rng.choice(65536, size=len(levels), replace=False)
    return {
        level: f"v{code:04x}" for level, code in zip(sorted(levels, key=str), drawn, strict=True)
    }


def hash_text(text: str) -> int:
    """Compute a hash that does not change between runs."""
    return int(pd.util.hash_array(np.array([text], dtype=object))[0] >> np.uint64(1))


def _labelled(row, corpus: str, form: str, mapping: dict | None, *, evidence, kind):
    order = json.loads(row.order) if row.truth == "ordinal" else []
    if mapping is not None:
        by_text = {as_text(level): token for level, token in mapping.items()}
        order = [by_text.get(level, level) for level in order]
    return LabelledColumn(
        dataset=row.dataset,
        column=row.column,
        family=row.family,
        corpus=corpus,
        coding=row.coding,
        language=language_of(row),
        form=form,
        ordinal=row.truth == "ordinal",
        true_order=tuple(as_text(level) for level in order),
        evidence=evidence,
        triaged=kind,
    )


def language_of(row) -> str:
    """Return the language of a row of labels: English, unless it names another."""
    stated = getattr(row, "lang", None)
    return stated if isinstance(stated, str) else "en"


def as_text(level) -> str:
    """Return a level as comparable text: 1, 1.0 and '1' are the same."""
    try:
        number = float(level)
    except (TypeError, ValueError):
        return str(level)
    return str(int(number)) if number.is_integer() else str(number)


def order_is_exact(true_order: tuple, found: tuple | None) -> bool:
    """Return whether the found order, or its reverse, has the true levels in their order."""
    shared = [level for level in map(as_text, found or ()) if level in true_order]
    expected = [level for level in true_order if level in shared]
    return len(shared) > 1 and shared in (expected, expected[::-1])

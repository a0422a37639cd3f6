"""Infer the semantic type of every column: sample, clean, triage, gather evidence, decide."""

from __future__ import annotations

import os
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from autotype.inference.column import Column, FrameSample, SharedScale, count_alike
from autotype.inference.evidence.equivalent_columns import find_equivalents, read_with_equivalents
from autotype.inference.evidence.gather import gather_all
from autotype.inference.evidence.predictors import encode
from autotype.inference.evidence.screen import screen
from autotype.inference.frames.as_pandas import open_frame
from autotype.inference.frames.columns import Columns
from autotype.inference.judges.label_judge import JudgeVerdict, LabelJudge, check_judge
from autotype.inference.known_types import read_known, type_from_known
from autotype.inference.options import check_options, positions_of
from autotype.inference.profile.column_profile import profile_column
from autotype.inference.profile.data_warnings import find_data_warnings
from autotype.inference.profile.formats import set_format, with_format
from autotype.inference.profile.multi_select import with_questions
from autotype.inference.profile.stray_levels import (
    find_stray_levels,
    find_stray_rows,
    set_aside,
    texts_of_one_row,
    with_stray_levels,
)
from autotype.inference.profile.triage import triage
from autotype.inference.profile.type_model import TYPES
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.scales.find_scales import find_scales
from autotype.inference.scales.pooled import judged_once, measure_judge, settle_members, voters_of
from autotype.inference.scales.shared_scales import keep_common, read_scales, share_types
from autotype.inference.scales.user_scales import weigh_stated
from autotype.inference.verdict.column_verdict import decide_all, type_from_rules, weigh_orders
from autotype.inference.verdict.type_choice import choose_type, weigh_types, with_type
from autotype.inference.weighting import read_weights, with_weights
from autotype.types.codebook import Codebook
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.data_warning import DataWarning
from autotype.types.decisions.decision import Statement
from autotype.types.decisions.revise import as_statements
from autotype.types.decisions.scales_file import UserScales
from autotype.types.dtype_marks import marked_columns


def infer_types(
    frame: Any,
    columns: Hashable | Sequence[Hashable] | None = None,
    *,
    features: Hashable | Sequence[Hashable] | None = None,
    known: Mapping[Hashable, Statement] | str | os.PathLike | None = None,
    codebook: Codebook | None = None,
    scales: UserScales | None = None,
    weights: Hashable | None = None,
    max_levels: int = 20,
    max_rows: int | None = None,
    label_text: bool = True,
    label_judge: LabelJudge | None = None,
    max_seconds: float | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool | None = None,
) -> ColumnTypes:
    """Infer the semantic type of each column, and the order of its levels if it is ordinal.

    The parameters and errors are those of `autotype.infer_types`, which returns a `TypeReport` of
    these types.
    """
    check_options(
        max_levels=max_levels,
        max_rows=max_rows,
        max_seconds=max_seconds,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    deadline = None if max_seconds is None else time.time() + max_seconds
    check_judge(label_judge)
    opened = open_frame(frame)
    held = opened.names
    every = held if isinstance(held, pd.Index) else pd.Index(held, dtype=object)
    places = positions_of(every, columns, option="columns")
    usable = set(positions_of(every, features, option="features"))
    stated = {} if known is None else as_statements(known, every, option="known")
    kept: Sequence[int] = range(len(every))
    n_left_out = 0
    if columns is not None and isinstance(opened, Columns):
        needed = {*places, *positions_of(every, list(stated), option="known")}
        needed |= set() if weights is None else {*positions_of(every, (weights,), option="weights")}
        kept, n_left_out = screen(opened, needed, usable, max_levels=max_levels, seed=random_state)
        opened = opened.narrowed(kept) if len(kept) < len(every) else opened
    sample = sample_frame(opened, max_rows=max_rows, max_levels=max_levels, seed=random_state)
    weighing = None if weights is None else read_weights(opened, sample, weights)
    by_place = dict(zip(kept, sample.columns, strict=True))
    requested = [by_place[j] for j in places]
    attrs = getattr(frame, "attrs", None) or {}
    labels = (codebook or Codebook.from_attrs(attrs)) if label_text else None
    for column in sample.columns:
        column.label_text = label_text
        if labels:
            column.entry = labels.entry_of(column.name, list(column.known_levels))
    doubted = read_known(sample, stated, marked=marked_columns(frame), scales=scales)
    shared, found_wrong = _clean(sample, requested)
    _type_by_rules(sample, shared, max_levels)
    offered = encode(sample.columns, [j in usable for j in kept])
    offered = replace(offered, n_left_out=n_left_out)
    read = _with_voters(sample, requested)
    candidates = [column for column in read if column.is_candidate]
    _read_candidates(sample, candidates, judged_once(candidates, label_judge, progress=progress))
    gather_all(candidates, offered, n_jobs=n_jobs, deadline=deadline, progress=progress)
    types = _decide(sample, read)
    names = [column.name for column in requested]
    found = [types[column] for column in requested]
    found, of_weights = with_weights(found, requested, opened, weighing, suggest=label_text)
    return ColumnTypes(
        found,
        names=every[places],
        n_rows=sample.n_rows,
        sample=" ".join(filter(None, [sample.origin, _of_columns(len(every), kept, len(places))])),
        warnings=(*found_wrong, *(w for w in doubted if w.column in names), *of_weights),
        weights=weights,
    )


def _of_columns(n_columns: int, kept: Sequence[int], n_requested: int) -> str:
    """Return which columns were read for those that are requested; empty if all were."""
    if len(kept) == n_columns:
        return ""
    n_read = len(kept) - n_requested
    return (
        f"Of {n_columns - n_requested:,} columns beside the requested ones, {n_read} were read: "
        "those with like levels, and those on which the requested ones depend most."
    )


def _clean(
    sample: FrameSample, requested: Sequence[Column]
) -> tuple[list[SharedScale], Sequence[DataWarning]]:
    """Set stray levels and formats; return the scales, and warnings on requested columns."""
    readable = [column for column in sample.columns if column.label_text]
    lone = list(map(texts_of_one_row, sample.columns))
    rows = find_stray_rows(readable, lone) if readable else []
    scales = find_scales(sample.columns, lone)
    for column, texts in zip(sample.columns, keep_common(sample.columns, lone), strict=True):
        if texts and column.label_text and column.known_levels:
            _ = column.labels  # read from here, as calls below are deep
        find_stray_levels(column, texts, rows)
    # Before stray levels are set aside, some of which are what looks wrong.
    found_wrong = find_data_warnings(readable, rows, requested) if readable else ()
    for column in sample.columns:
        set_aside(column)
    for column in readable:
        set_format(column)
    return scales, found_wrong


def _type_by_rules(sample: FrameSample, scales: Sequence[SharedScale], max_levels: int) -> None:
    """Type columns by rules alone, those of a scale by the labels and the rules of most."""
    read_scales(sample.columns, scales)
    for column in sample.columns:
        triage(column, max_levels=max_levels)
    read_scales((), [scale for scale in scales if settle_members(scale)])
    for column in sample.columns:
        is_listed = column.label_text and column.known_levels
        if is_listed and column.n_distinct > 2 and column.numbers is None:
            column.reading = column.labels  # a predictor of numbers, or of two levels, needs none


def _with_voters(sample: FrameSample, requested: Sequence[Column]) -> list[Column]:
    """Return the requested columns, with those whose evidence decides on their scales."""
    scales = {column.shared for column in requested if column.shared}
    needed = {*requested, *(column for scale in scales for column in voters_of(scale))}
    return [column for column in sample.columns if column in needed]


def _read_candidates(
    sample: FrameSample, candidates: Sequence[Column], answers: Sequence[JudgeVerdict | None]
) -> None:
    """Set what judge and labels say of candidates, with columns that are equivalent to them."""
    alike = count_alike(sample.columns)
    for column, judged in zip(candidates, answers, strict=True):
        equivalents = find_equivalents(sample, column.position)
        column.excluded = (column.position, *(other.position for other, _ in equivalents))
        column.n_alike, column.judged = alike[column.position], judged
        column.reading = read_with_equivalents(column, equivalents) if column.label_text else None
    measure_judge(candidates)


def _decide(sample: FrameSample, read: Sequence[Column]) -> dict[Column, ColumnType]:
    """Return the types of the columns that are read, by column."""
    weighed = [column for column in read if column.is_candidate and not column.error]
    weigh_orders(weighed)
    weigh_types(sample.columns, read)
    weigh_stated(weighed, TYPES)
    verdicts = dict(zip(weighed, decide_all(weighed), strict=True))
    found = share_types(read, [_type_of(column, verdicts.get(column)) for column in read])
    if all(column.label_text for column in read):
        found = with_questions(found, [column.values for column in read])
    return dict(zip(read, found, strict=True))


def _type_of(column: Column, verdict: ColumnType | None) -> ColumnType:
    """Return the type of a column; `verdict` is that on the order of a candidate."""
    if column.decision is not None:
        found = type_from_known(column)
    else:
        if column.error:
            column.reason = f"Its evidence could not be computed ({column.error})."
        chosen = choose_type(column, verdict)
        if verdict is None or chosen is not None:
            verdict = type_from_rules(column, chosen)
        found = with_type(column, verdict, chosen)
    found = with_format(with_stray_levels(found, column), column)
    return replace(
        found,
        profile=profile_column(column, are_listed=bool(found.levels)),
        labels={} if column.entry is None else column.entry.labels(found.levels),
        missing_ranges=() if column.entry is None else column.entry.missing_ranges,
        title="" if column.entry is None else column.entry.label,
        group="" if column.entry is None else column.entry.group,
    )

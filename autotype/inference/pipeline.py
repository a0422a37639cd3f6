"""Infer the semantic type of every column: sample, clean, triage, gather evidence, decide."""

from __future__ import annotations

import os
import time
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autotype.inference.evidence.column_evidence import ColumnEvidence
from autotype.inference.evidence.equivalent_columns import (
    EquivalentColumn,
    find_equivalents,
    read_with_equivalents,
)
from autotype.inference.evidence.gather import Candidate, gather_all
from autotype.inference.evidence.predictors import encode
from autotype.inference.judges.label_judge import LabelJudge, check_judge, query_judge
from autotype.inference.known_types import KnownType, read_known, type_from_known
from autotype.inference.labels.evidence import LabelEvidence
from autotype.inference.learned import load_learned
from autotype.inference.options import check_options, positions_of
from autotype.inference.profile.column_profile import profile_column
from autotype.inference.profile.data_warnings import find_data_warnings
from autotype.inference.profile.stray_levels import NONE_STRAY, StrayLevels, with_stray_levels
from autotype.inference.profile.stray_rows import clean_sample
from autotype.inference.profile.triage import Triage, triage
from autotype.inference.sampling.sample import sample_frame
from autotype.inference.sampling.sampled_column import SampledColumn, count_alike, share_readings
from autotype.inference.verdict.column_verdict import decide_all, type_from_triage
from autotype.inference.workers import count_threads
from autotype.types.column_type import ColumnType
from autotype.types.column_types import ColumnTypes
from autotype.types.decisions.decision import Statement

_LATE = "The other columns were not examined: the time limit (max_seconds) had passed."


@dataclass
class ColumnRun:
    """One column on its way through `infer_types`, with all that is computed of it.

    Attributes
    ----------
    position : int
        Its position in the frame.
    column : SampledColumn
        Its counts and sampled values; the reading of its labels is cached there.
    triage : Triage
        The result of the rules.
    stray : StrayLevels
        The levels that `column` holds as missing.
    known : KnownType or None
        Its type, if the dtype or the user states it.
    equivalents : tuple of EquivalentColumn
        Columns in bijection with it.
    labels : LabelEvidence or None
        The reading of its labels; of a candidate, perhaps that of an equivalent column. None if
        labels are not to be used.
    n_alike : int
        Columns of the frame with the same levels, this one included.
    evidence : ColumnEvidence or None
        The evidence, if it is a candidate.
    error : str
        Why its evidence could not be computed, if so.
    is_late : bool
        Whether the other columns were not examined, because the time limit had passed.
    """

    position: int
    column: SampledColumn
    triage: Triage
    stray: StrayLevels = NONE_STRAY
    known: KnownType | None = None
    equivalents: tuple[EquivalentColumn, ...] = ()
    labels: LabelEvidence | None = None
    n_alike: int = 1
    evidence: ColumnEvidence | None = None
    error: str = ""
    is_late: bool = False

    @property
    def is_candidate(self) -> bool:
        """Whether it is a discrete column whose type has to be inferred."""
        return self.known is None and self.triage.semantic_type is None

    @property
    def excluded(self) -> list[int]:
        """Positions of the columns that are not predictors of this one."""
        return [self.position, *(equivalent.position for equivalent in self.equivalents)]


def infer_types(
    frame: Any,
    columns: Hashable | Sequence[Hashable] | None = None,
    *,
    features: Hashable | Sequence[Hashable] | None = None,
    known: Mapping[Hashable, Statement] | str | os.PathLike | None = None,
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
    load_learned()  # a file that does not fit is an error before the work, not in the middle of it
    sample = sample_frame(
        frame,
        max_rows=max_rows,
        max_levels=max_levels,
        seed=random_state,
        n_threads=count_threads(n_jobs),
    )
    requested = positions_of(sample.names, columns, option="columns")
    known_types = read_known(sample, known)
    clean = clean_sample(sample, known_types, label_text=label_text)
    sample = clean.sample
    if label_text:
        sample = replace(sample, columns=share_readings(sample.columns))
    runs = []
    for j, column in enumerate(sample.columns):
        kind = triage(column, max_levels=max_levels)
        is_read = label_text and column.known_levels and not kind.is_number
        labels = column.labels if is_read else None  # a predictor of numbers needs none
        runs.append(ColumnRun(j, column, kind, clean.strays[j], known_types.get(j), labels=labels))
    usable = set(positions_of(sample.names, features, option="features"))
    offered = encode(
        sample.columns,
        [run.triage for run in runs],
        [run.position in usable for run in runs],
        labels=[run.labels for run in runs],
    )
    candidates = [runs[j] for j in requested if runs[j].is_candidate]
    alike = count_alike(sample.columns)
    for run in candidates:
        run.n_alike = alike[run.position]
        run.equivalents = find_equivalents(sample, run.position)
        if label_text:
            run.labels = read_with_equivalents(run.column, run.equivalents)
    named = [(run.column.name, tuple(run.column.known_levels)) for run in candidates]
    verdicts = query_judge(label_judge, named, progress=progress)
    outcomes = gather_all(
        [
            Candidate(run.column, run.excluded, run.labels, verdict, run.n_alike)
            for run, verdict in zip(candidates, verdicts, strict=True)
        ],
        offered,
        n_jobs=n_jobs,
        deadline=deadline,
        progress=progress,
    )
    for run, outcome in zip(candidates, outcomes, strict=True):
        run.evidence, run.error, run.is_late = outcome.evidence, outcome.error, outcome.is_late
    types = _types(runs, requested)
    return ColumnTypes(
        types,
        names=sample.names[requested],
        n_rows=sample.n_rows,
        sample=sample.origin,
        warnings=find_data_warnings(clean, requested, label_text=label_text),
    )


def _types(runs: Sequence[ColumnRun], requested: Iterable[int]) -> list[ColumnType]:
    """Return the types of the requested columns; batteries are decided together."""
    decided = iter(decide_all([run.evidence for run in runs if run.evidence is not None]))
    types = []
    for run in (runs[j] for j in requested):
        found = next(decided) if run.evidence is not None and not run.error else None
        column = with_stray_levels(_type_of(run, found), run.stray)
        profile = profile_column(run.column, run.triage, are_listed=bool(column.levels))
        types.append(replace(column, profile=profile))
    return types


def _type_of(run: ColumnRun, decided: ColumnType | None) -> ColumnType:
    """Return the type of a column; `decided` is the verdict on a candidate."""
    if run.error:
        reason = f"Its evidence could not be computed ({run.error})."
        return type_from_triage(run.column, Triage("undetermined", reason))
    if decided is not None:
        late = (_LATE,) if run.is_late else ()
        return replace(decided, reasons=(*decided.reasons, *late))
    if run.known is not None:
        return type_from_known(run.column, run.known)
    return type_from_triage(run.column, run.triage)

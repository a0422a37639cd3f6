"""The whole way of a frame: sample, triage, evidence, verdict."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import ThreadpoolController

from autotype.inference.candidate import CandidateEvidence, judge_candidate
from autotype.inference.equivalent_columns import find_twins
from autotype.inference.known import read_known, settle_known
from autotype.inference.label_judge import JudgeVerdict, LabelJudge, check_judge, query_judge
from autotype.inference.options import check_choice, check_options, positions_of
from autotype.inference.predictors import DesignMatrix, encode
from autotype.inference.sample import FrameSample, sample_frame
from autotype.inference.triage import triage
from autotype.inference.verdict import decide_all, settle
from autotype.paper2014.verdict import type_by_paper
from autotype.progress import track
from autotype.type_report import TypeReport

MAX_ROWS = 1000


def infer_types(
    frame: pd.DataFrame,
    columns: Hashable | Sequence[Hashable] | None = None,
    *,
    features: Hashable | Sequence[Hashable] | None = None,
    known: Mapping[Hashable, str | Sequence[Any]] | None = None,
    max_levels: int = 20,
    max_rows: int = MAX_ROWS,
    label_text: bool = True,
    label_judge: LabelJudge | None = None,
    method: str = "fast",
    kernel: str = "linear",
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool | None = None,
) -> TypeReport:
    """Tell for each column what it means, and the order of its levels where it has one.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame. It is not changed.
    columns : column name or sequence of them, optional
        Columns to type; all by default. The others serve as predictors all the same.
    features : column name or sequence of them, optional
        Columns that may serve as predictors; all by default.
    known : mapping, optional
        What you know: column name -> a semantic type, or the levels of an ordinal column, lowest
        first. It wins over any evidence.
    max_levels : int
        Most levels of a column whose order is searched, >= 3.
    max_rows : int
        Rows that the models see, >= 1; levels rare among them are topped up. Counts are exact
        whatever the size.
    label_text : bool
        Whether the texts and numbers of the levels may speak. Without them the verdict rests on
        the other columns alone and does not depend on how levels are called.
    label_judge : callable, optional
        A second opinion on labels, for instance a language model: takes a column's name and
        levels, gives (probability of ordinal, order or None), or None. One more piece of
        evidence; called in this process, once a discrete column.
    method : {"fast", "paper"}
        "paper" is the method of Hernandez-Lobato et al. (2014) as published, for comparison: the
        other columns alone, Gaussian processes by expectation propagation, greedy search; slower
        by two orders of magnitude.
    kernel : {"linear", "rbf"}
        Covariance of the paper's models.
    n_jobs : int, optional
        Workers, as in joblib: None means 1 or what ``joblib.parallel_config`` says, -1 all
        cores. The answer does not depend on it.
    random_state : int
        Seed of the row sample.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal only, for long work.

    Returns
    -------
    TypeReport
        One `ColumnType` for each column asked for, in the frame's order.

    Raises
    ------
    UnknownColumnError
        If `columns`, `features` or `known` name a column that the frame does not hold.
    TypeError, ValueError
        If an option has the wrong type or is out of range.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"quality": ["poor", "good", "fair", "excellent"] * 5})
    >>> autotype.infer_types(frame)["quality"].order
    ('poor', 'fair', 'good', 'excellent')
    """
    check_options(
        max_levels=max_levels, max_rows=max_rows, n_jobs=n_jobs, random_state=random_state
    )
    check_judge(label_judge)
    check_choice("method", method, ("fast", "paper"))
    check_choice("kernel", kernel, ("linear", "rbf"))
    sample = sample_frame(frame, max_rows=max_rows, max_levels=max_levels, seed=random_state)
    asked = positions_of(sample.names, columns, option="columns")
    told = read_known(sample, known)
    settled = [triage(column, max_levels=max_levels) for column in sample.columns]
    usable = set(positions_of(sample.names, features, option="features"))
    design = encode(
        sample, settled, [j in usable for j in range(len(settled))], label_text=label_text
    )
    questions = [j for j in asked if j not in told and settled[j].semantic_type is None]
    if method == "paper":
        types = {
            j: type_by_paper(
                sample.columns[j],
                j,
                design,
                find_twins(sample, j),
                kernel=kernel,
                random_state=random_state,
                n_jobs=n_jobs,
            )
            for j in track(questions, total=len(questions), progress=progress)
        }
    else:
        opinions = {
            j: query_judge(label_judge, sample.names[j], tuple(sample.columns[j].levels or ()))
            for j in questions
        }
        types = decide_all(
            _gather(
                sample, opinions, design, label_text=label_text, n_jobs=n_jobs, progress=progress
            )
        )
    types |= {j: settle(sample.columns[j], settled[j]) for j in asked if j not in types}
    types |= {j: settle_known(sample.columns[j], told[j]) for j in asked if j in told}
    return TypeReport([types[j] for j in asked], names=sample.names[asked], n_rows=sample.n_rows)


def _gather(
    sample: FrameSample,
    opinions: Mapping[int, JudgeVerdict | None],
    design: DesignMatrix,
    *,
    label_text: bool,
    n_jobs: int | None,
    progress: bool | None,
) -> dict[int, CandidateEvidence]:
    """Gather the evidence on each candidate, in parallel over columns."""
    jobs = (
        delayed(_judge)(
            sample.columns[j],
            j,
            design,
            label_text=label_text,
            twins=find_twins(sample, j),
            judged=judged,
        )
        for j, judged in opinions.items()
    )
    found: Iterable[CandidateEvidence] = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
    found = track(found, total=len(opinions), progress=progress)
    return dict(zip(opinions, found, strict=True))


def _judge(*args: Any, **options: Any) -> CandidateEvidence:
    """Judge one candidate with a single BLAS thread: its matrices are too small to share."""
    with _blas().limit(limits=1):
        return judge_candidate(*args, **options)


@cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()

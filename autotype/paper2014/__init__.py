"""The method of Hernandez-Lobato et al. (2014) as published, for comparison with `infer_types`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from autotype.type_report import TypeReport

_MAX_ROWS, _MAX_LEVELS = 1000, 20


def infer_types_2014(
    frame: pd.DataFrame,
    columns: Hashable | Sequence[Hashable] | None = None,
    *,
    kernel: str = "linear",
    n_jobs: int | None = None,
    random_state: int = 0,
    progress: bool | None = None,
) -> TypeReport:
    """Infer the types of columns by the method of 2014.

    Parameters
    ----------
    frame : pandas.DataFrame
        Any frame. It is not changed.
    columns : column name or sequence of them, optional
        Columns to type; all by default. The others serve as predictors nevertheless.
    kernel : {"linear", "linear-bias", "rbf"}
        Covariance of the latent functions: x'z as published, 1 + x'z, or squared exponential.
        Without the bias the multi-class model cannot fit how frequent the levels are, so that
        more columns are called ordinal.
    n_jobs : int, optional
        Workers of the search over orders, as in joblib.
    random_state : int
        Seed of the row sample, of the split and of the first permutation.
    progress : bool, optional
        Whether to show a progress bar; by default on a terminal only, for long work.

    Returns
    -------
    TypeReport
        One `ColumnType` for each column requested, in the frame's order.

    Raises
    ------
    UnknownColumnError
        If `columns` names a column that the frame does not hold.
    TypeError, ValueError
        If an option has the wrong type or is out of range.

    Notes
    -----
    The other columns alone decide; the labels of the levels do not count. Gaussian processes by
    expectation propagation and a greedy search over orders: slower than `infer_types` by two
    orders of magnitude. Columns that are not discrete are typed as `infer_types` does.

    References
    ----------
    Hernandez-Lobato et al. (2014), Learning the semantics of discrete random variables: ordinal or
    categorical?

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> x = np.linspace(0, 1, 60)
    >>> frame = pd.DataFrame({"x": x, "size": np.array(["S", "M", "L"])[(2.99 * x).astype(int)]})
    >>> infer_types_2014(frame, "size")["size"].best_order in [("S", "M", "L"), ("L", "M", "S")]
    True
    """
    # The package stays cheap to import: the method needs scikit-learn and joblib.
    from autotype.inference.evidence.equivalent_columns import find_equivalents
    from autotype.inference.evidence.predictors import encode
    from autotype.inference.options import check_options, positions_of
    from autotype.inference.profile.triage import triage
    from autotype.inference.progress import track
    from autotype.inference.sampling.sample import sample_frame
    from autotype.inference.verdict.column_verdict import type_from_rules
    from autotype.paper2014.search import paper_kernel, type_by_paper
    from autotype.type_report import TypeReport

    check_options(
        max_levels=_MAX_LEVELS, max_rows=_MAX_ROWS, n_jobs=n_jobs, random_state=random_state
    )
    paper_kernel(kernel, 1)  # raises unless there is one of this name
    sample = sample_frame(frame, max_rows=_MAX_ROWS, max_levels=_MAX_LEVELS, seed=random_state)
    requested = positions_of(sample.names, columns, option="columns")
    for column in sample.columns:
        triage(column, max_levels=_MAX_LEVELS)
        column.reading = column.labels if column.levels else None
    offered = encode(sample.columns)
    candidates = [j for j in requested if sample.columns[j].semantic_type is None]
    types = {j: type_from_rules(sample.columns[j]) for j in requested if j not in candidates}
    options = {"kernel": kernel, "random_state": random_state, "n_jobs": n_jobs}
    for j in track(candidates, total=len(candidates), progress=progress):
        excluded = [j, *(other.position for other, _ in find_equivalents(sample, j))]
        types[j] = type_by_paper(sample.columns[j], offered, excluded, **options)
    return TypeReport(
        [types[j] for j in requested],
        names=sample.names[requested],
        n_rows=sample.n_rows,
        sample=sample.origin,
    )

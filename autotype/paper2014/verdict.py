"""The verdict by the method of 2014 as published: data alone, the better model wins."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autotype.column_type import ColumnType
from autotype.inference.candidate import level_codes
from autotype.inference.equivalent_columns import Twin
from autotype.inference.predictors import DesignMatrix, predictors_for
from autotype.inference.sample import SampledColumn
from autotype.paper2014.search import judge


def type_by_paper(
    column: SampledColumn,
    position: int,
    design: DesignMatrix,
    twins: Sequence[Twin],
    *,
    kernel: str,
    random_state: int,
    n_jobs: int | None,
) -> ColumnType:
    """Type one discrete column by ordinal against multi-class test log-likelihood.

    Parameters
    ----------
    column : SampledColumn
        The column; its levels are listed.
    position : int
        Its position in the frame.
    design : DesignMatrix
        Predictors of the whole frame.
    twins : sequence of Twin
        Columns that hold the same; they are no predictors.
    kernel : {"linear", "rbf"}
        Covariance of the latent functions.
    random_state : int
        Seed of the split and of the first permutation.
    n_jobs : int, optional
        Workers of the search, as in joblib.

    Returns
    -------
    ColumnType
        Ordinal where the ordinal model predicts a held-out third better. The probability is 1 or
        0: the method decides and does not calibrate. Undetermined without predictors.

    References
    ----------
    Hernandez-Lobato et al. (2014), sec. 2.1.1 and 3.2.
    """
    levels = tuple(column.levels or ())
    codes = level_codes(column, levels)
    rows, codes = column.rows[codes >= 0], codes[codes >= 0]
    excluded = [position, *(twin.position for twin in twins)]
    predictors = predictors_for(design, excluded, codes, rows)
    counts = dict(column.levels or {})
    if predictors.X.shape[1] == 0 or min(counts.values()) < 3:
        return ColumnType(
            column.name,
            "undetermined",
            levels=counts,
            n_levels=len(levels),
            reasons=("The method of 2014 needs predictors and three rows of every level.",),
        )
    found = judge(
        predictors.X,
        codes,
        len(levels),
        kernel=kernel,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    ordinal = found.ordinal
    order = tuple(levels[k] for k in found.order)
    return ColumnType(
        column.name,
        "ordinal" if ordinal else "categorical",
        1.0 if ordinal else 0.0,
        order=order if ordinal else None,
        best_order=order,
        order_probability=math.nan,
        levels={level: counts[level] for level in order},
        n_levels=len(levels),
        n_rows_used=len(codes),
        evidence={
            "tll_ordinal": found.tll_ordinal,
            "tll_multiclass": found.tll_multiclass,
            "log_evidence_ordinal": found.ame_ordinal,
            "log_evidence_multiclass": found.ame_multiclass,
        },
        reasons=(
            f"On a held-out third the ordinal model reaches {found.tll_ordinal:.3f} log "
            f"probability a row, the multi-class model {found.tll_multiclass:.3f} "
            f"(method of 2014, {kernel}).",
        ),
    )

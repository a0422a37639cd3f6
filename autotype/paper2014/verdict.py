"""The type of one column by the method of 2014: the better of two models on held-out rows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autotype.inference.column import Column
from autotype.inference.evidence.column_evidence import level_codes
from autotype.inference.evidence.predictors import FramePredictors, predictors_for
from autotype.paper2014.search import compare_models
from autotype.types.column_type import ColumnType


def type_by_paper(
    column: Column,
    offered: FramePredictors,
    excluded: Sequence[int],
    *,
    kernel: str,
    random_state: int,
    n_jobs: int | None,
) -> ColumnType:
    """Infer the type of one discrete column by held-out log-likelihood.

    Parameters
    ----------
    column : Column
        The column; its levels are listed.
    offered : FramePredictors
        Predictors of the whole frame.
    excluded : sequence of int
        Positions of the column itself and of those in bijection with it, which are not predictors.
    kernel : {"linear", "linear-bias", "rbf"}
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
    predictors = predictors_for(offered, excluded, codes, rows)
    counts = dict(column.levels or {})
    # The split leaves a third out: fewer rows of a level may leave it without one in a part.
    if predictors.X.shape[1] == 0 or min(counts.values()) < 3:
        return ColumnType(
            column.name,
            "undetermined",
            levels=counts,
            n_levels=len(levels),
            reasons=("The method of 2014 needs predictors and three rows of every level.",),
        )
    best, figures = compare_models(
        predictors.X,
        codes,
        len(levels),
        kernel=kernel,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    order, ordinal = tuple(levels[k] for k in best), figures["tll_ordinal"]
    is_ordinal = ordinal > figures["tll_multiclass"]
    return ColumnType(
        column.name,
        "ordinal" if is_ordinal else "categorical",
        float(is_ordinal),
        order=order if is_ordinal else None,
        best_order=order,
        order_probability=math.nan,
        levels={level: counts[level] for level in order},
        n_levels=len(levels),
        n_rows_used=len(codes),
        evidence=figures,
        reasons=(
            f"On a held-out third the ordinal model reaches {ordinal:.3f} log probability per row, "
            f"the multi-class model {figures['tll_multiclass']:.3f} (method of 2014, {kernel}).",
        ),
    )

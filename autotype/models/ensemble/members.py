"""The members of an ensemble of ordinal models, by the size of the data.

A smooth latent function, trees that interact, and trees that vote err differently, and an average
of them errs less than each. What a member costs follows from rows and columns, never from a clock,
so that the same data lead to the same model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from autotype.models.ensemble.boosting import OrdinalBoosting
from autotype.models.ensemble.even_scaler import EvenScaler
from autotype.models.gaussian_process.ordinal import GPOrdinalClassifier
from autotype.models.magnitudes import SMALLEST
from autotype.models.svm.calibrated import CalibratedOrdinalClassifier
from autotype.models.svm.linear_npsvor import LinearNPSVOR

EFFORTS = ("fast", "default", "best")
_FOLDS = {"fast": 3, "default": 4, "best": 8}
_FOREST_ROWS = 20_000  # by which a tree of a forest is grown
_EXACT_ROWS = 1_000  # of a Gaussian process whose kernel is not linear
_SCREENED_ROWS = 1_000  # from which a fold is large enough to rule members out
_MANY_ROWS = 20_000  # above, one fold is held out, and not all of them
_LARGEST = 1e30  # of a tree: sums of it over rows are of float32, too


@dataclass(frozen=True)
class Member:
    """A model of an ensemble.

    Attributes
    ----------
    name : str
        Its name.
    features : {"linear", "scaled", "trees", "indicators", "sparse"}
        What it needs: standardised numbers without missing values, with an indicator of each level
        or with few features; a frame with columns of categories; numbers, missing ones allowed; or
        a sparse matrix that may hold words.
    estimator : estimator
        Unfitted.
    """

    name: str
    features: str
    estimator: Any


def members_for(
    n_rows: int, *, effort: str = "default", has_text: bool = False, random_state: int = 0
) -> list[Member]:
    """Return the members that are worth their cost.

    Parameters
    ----------
    n_rows : int
        Rows of the fit.
    effort : {"fast", "default", "best"}
        How much to spend.
    has_text : bool
        Whether a member shall weight the words of texts.
    random_state : int
        Seed of the members.

    Returns
    -------
    list of Member

    Examples
    --------
    >>> [member.name for member in members_for(300, effort="fast")]
    ['gp-linear', 'boosting', 'deep-boosting']
    """
    slow = {"best": 2}.get(effort, 1)
    seed: dict[str, Any] = {"random_state": random_state}
    growing: dict[str, Any] = {"max_iter": None, "learning_rate": 0.1 / slow} | seed
    shallow = OrdinalBoosting(**growing)
    deep = OrdinalBoosting(shared=False, max_leaf_nodes=31, l2_regularization=1.0, **growing)
    forest = RandomForestClassifier(
        300 * slow,
        min_samples_leaf=2,
        oob_score=True,
        max_samples=_FOREST_ROWS if n_rows > _FOREST_ROWS else None,
        **seed,
    )
    members = [
        Member("gp-linear", "linear", GPOrdinalClassifier("linear")),
        Member("gp-rbf", "scaled", GPOrdinalClassifier("rbf", exact_rows=_EXACT_ROWS)),
        Member("boosting", "trees", shallow),
        Member("deep-boosting", "trees", deep),
        Member("forest", "indicators", forest),
    ]
    if has_text:
        words = CalibratedOrdinalClassifier(LinearNPSVOR(), cv=3, random_state=random_state)
        members.append(Member("npsvor", "sparse", words))
    if effort == "fast":
        return [member for member in members if member.name not in ("gp-rbf", "forest")]
    return members


def n_folds_for(n_rows: int, effort: str) -> tuple[int, int]:
    """Return the number of folds, and how many of them are held out."""
    n_folds = _FOLDS[effort]
    return n_folds, 1 if n_rows > _MANY_ROWS else n_folds


def rules_out(n_rows: int, effort: str) -> bool:
    """Check whether the first fold may rule members out."""
    return effort != "best" and n_rows >= _SCREENED_ROWS


def numeric_members(n_rows: int, effort: str, random_state: int) -> list[tuple[str, Any]]:
    """Return the members as estimators of an array of numbers, missing ones allowed."""
    return [
        (
            member.name,
            make_pipeline(
                SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True),
                EvenScaler() if member.features == "scaled" else StandardScaler(),
                member.estimator,
            )
            if member.features in ("linear", "scaled")
            else make_pipeline(FunctionTransformer(within_float32), member.estimator)
            if member.features == "indicators"
            else member.estimator,
        )
        for member in members_for(n_rows, effort=effort, random_state=random_state)
    ]


def within_float32(numbers: Any) -> np.ndarray:
    """Return numbers as they are up to 1e30, and closer together beyond, in the same order.

    Those below 1e-75 are 0.

    Examples
    --------
    >>> print(within_float32([-2.5, 1e30, 1e40]))
    [-2.50000000e+00  1.00000000e+30  2.40258509e+31]
    """
    numbers = np.asarray(numbers, dtype=np.float64)
    sizes = np.abs(numbers)
    excess = np.maximum(sizes / _LARGEST, 1.0)
    return np.where(sizes < SMALLEST, 0.0, numbers / excess * (1.0 + np.log(excess)))

"""Fit the two weights of the order search, and report by cross-validation how often it is right.

usage: python benchmarks/fit_order.py [DATA] [--write] [--n-jobs N]

A conditional logit over the candidate orders of each ordinal column whose level texts are hidden:
the weights make the true order as probable as they can. Folds keep a family together, and a
family counts once. ``--write`` stores them, rounded to a tenth, in
``autotype/inference/learned.json``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from labelled_columns import LabelledColumn, as_text, data_folder, gather, order_is_exact
from learned_file import write_learned
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.model_selection import GroupKFold

from autotype.inference.evidence import order_search
from autotype.inference.learned import load_learned

N_FOLDS = 10


@dataclass(frozen=True)
class OrderQuestion:
    """The candidate orders of a column.

    Attributes
    ----------
    features : ndarray of shape (m, 2)
        Root of the log likelihood ratio, and Robinson's loss, of each order.
    right : ndarray of bool, shape (m,)
        Whether the order runs through the true levels in their order.
    family : str
        The column's family.
    """

    features: np.ndarray
    right: np.ndarray
    family: str


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", default="../shared/data")
    parser.add_argument("--write", action="store_true", help="write the fitted weights")
    parser.add_argument("--n-jobs", type=int, default=2)
    options = parser.parse_args(argv)
    columns = gather(data_folder(options.data), forms=("blind",), n_jobs=options.n_jobs)
    questions = [
        question(column)
        for column in columns
        if column.ordinal and column.evidence is not None and column.evidence.data is not None
    ]
    right = held_out(questions)
    families = pd.Series([q.family for q in questions])
    by_family = pd.Series(right).groupby(families).mean().mean()
    constants = load_learned()
    shipped = np.array([constants.order_fit_weight, constants.order_line_weight])
    weights = fit(questions)
    print(f"{len(questions)} ordinal columns in {families.nunique()} families")
    print(f"true order among the candidates: {np.mean([q.right.any() for q in questions]):.3f}")
    print(f"exact, held out: {np.mean(right):.3f}; mean over families {by_family:.3f}")
    print(f"fitted weights {weights.round(2)}, shipped {shipped}", end="")
    print(f" (exact with these: {np.mean([is_right(q, shipped) for q in questions]):.3f})")
    if options.write:
        rounded = [round(float(weight), 1) for weight in weights]
        names = ("order_fit_weight", "order_line_weight")
        write_learned(constants=dict(zip(names, rounded, strict=True)))
    return 0


def question(column: LabelledColumn) -> OrderQuestion:
    """Collect the candidate orders of a column, and which of them are right."""
    scatter = column.evidence.data.scatter
    orders = order_search.candidate_orders(scatter)
    explained = np.clip(order_search.order_scores(scatter, orders), 0.0, 1.0 - 1e-9)
    fit_of = np.sqrt(-0.5 * scatter.counts.sum() * np.log1p(-explained))
    levels = [as_text(level) for level in column.evidence.scale]
    right = [order_is_exact(column.true_order, tuple(levels[k] for k in order)) for order in orders]
    features = np.column_stack([fit_of, -order_search.robinson_loss(scatter, orders)])
    return OrderQuestion(features, np.array(right), column.family)


def fit(questions: Sequence[OrderQuestion]) -> np.ndarray:
    """Find the weights that make the true orders most probable."""
    families = pd.Series([q.family for q in questions])
    share = 1.0 / families.map(families.value_counts()).to_numpy()

    def loss(weights: np.ndarray) -> float:
        total = 0.0
        for q, counted in zip(questions, share, strict=True):
            if q.right.any():
                score = q.features @ weights
                total += counted * (logsumexp(score) - logsumexp(score[q.right]))
        return total

    return minimize(loss, np.array([1.0, 1.0]), method="Nelder-Mead").x


def held_out(questions: Sequence[OrderQuestion]) -> np.ndarray:
    """Return whether each column's order is found with weights that never saw its family."""
    right = np.zeros(len(questions), dtype=bool)
    families = [q.family for q in questions]
    for train, test in GroupKFold(N_FOLDS).split(questions, groups=families):
        weights = fit([questions[k] for k in train])
        right[test] = [is_right(questions[k], weights) for k in test]
    return right


def is_right(q: OrderQuestion, weights: np.ndarray) -> bool:
    """Return whether the order of the highest weight is the true one."""
    return bool(q.right[np.argmax(q.features @ weights)])


if __name__ == "__main__":
    sys.exit(main())

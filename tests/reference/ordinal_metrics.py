"""Metrics of ordinal predictions in plain loops."""

from __future__ import annotations

from collections.abc import Sequence


def mean_absolute_errors(
    true: Sequence[int], predicted: Sequence[int], weight: Sequence[float]
) -> dict[int, float]:
    """Weighted mean distance in ranks on each level that is there."""
    errors = {}
    for level in sorted(set(true)):
        rows = [i for i in range(len(true)) if true[i] == level]
        total = sum(weight[i] for i in rows)
        errors[level] = sum(weight[i] * abs(true[i] - predicted[i]) for i in rows) / total
    return errors


def ranked_probability_score(true: Sequence[int], probability: Sequence[Sequence[float]]) -> float:
    """Mean over rows and cuts of the squared distance of cumulative probabilities."""
    scores = []
    for rank, row in zip(true, probability, strict=True):
        cuts = len(row) - 1
        score = 0.0
        for k in range(cuts):
            score += (sum(row[: k + 1]) - (1.0 if rank <= k else 0.0)) ** 2
        scores.append(score / cuts)
    return sum(scores) / len(scores)


def tau_b(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's tau-b by counting pairs."""
    both = left = right = 0.0
    for i in range(len(one)):
        for j in range(i):
            a = int(one[i] > one[j]) - int(one[i] < one[j])
            b = int(other[i] > other[j]) - int(other[i] < other[j])
            both, left, right = both + a * b, left + a * a, right + b * b
    return both / (left * right) ** 0.5

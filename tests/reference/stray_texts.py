"""The values that stand out in a column, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from autotype.inference.sampling.stray_texts import code_of, totals
from autotype.lexicon.missing import missing_marks, missing_phrases


def reference_stray_values(values: Sequence[str]) -> dict[str, int]:
    """Count the strings for a missing cell or a total, codes, and strings among numbers."""
    counts = Counter(values)
    head = list(counts)[:50]
    holds_numbers = sum(map(_is_number, head)) >= 0.8 * len(head)
    odd = [text for text in counts if not _is_number(text)] if holds_numbers else []
    odd = odd if len(odd) <= 20 else []
    return {
        text: count
        for text, count in counts.items()
        if text in (missing_marks() | missing_phrases() | totals())
        or text in odd
        or code_of(text) is not None
    }


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.lower() not in ("nan", "inf", "-inf")

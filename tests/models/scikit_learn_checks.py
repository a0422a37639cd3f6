"""scikit-learn's checks as tests: those of variants are slow, and names hold no addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from sklearn.utils import estimator_checks


def parametrize_with_checks(estimators: Sequence[Any], **options: Any) -> pytest.MarkDecorator:
    """Parametrize a test with the checks of estimators, like scikit-learn's function of this name.

    The first estimator of a class runs at each push. The others are variants of it, marked slow.
    """
    checks = estimator_checks.parametrize_with_checks(estimators, **options)
    name_of = checks.kwargs["ids"]
    return pytest.mark.parametrize(
        checks.args[0],
        list(_mark_variants(estimators, checks.args[1])),
        # The address of a kernel differs by process, and pytest-xdist needs the same names.
        ids=lambda value: re.sub(r"at0x[0-9a-f]+", "", name_of(value)),
    )


def _mark_variants(estimators: Sequence[Any], checks: Sequence[Any]) -> Iterator[Any]:
    defaults = {type(estimator): str(estimator) for estimator in reversed(estimators)}
    for check in checks:
        values, marks = getattr(check, "values", check), list(getattr(check, "marks", ()))
        if str(values[0]) != defaults[type(values[0])]:
            marks.append(pytest.mark.slow)
        yield pytest.param(*values, marks=marks)

"""Signaling NaN as missing values."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd


def without_signaling_nan(values: pd.Series) -> pd.Series:
    """Return a column with each ``Decimal("sNaN")`` as NaN; any other column as it is.

    A signaling NaN raises when it is compared, and so in every method of pandas.

    Examples
    --------
    >>> without_signaling_nan(pd.Series([Decimal("sNaN"), Decimal("1")])).tolist()
    [nan, Decimal('1')]
    """
    if values.dtype != object:
        return values
    signals = [isinstance(value, Decimal) and value.is_snan() for value in values]
    if not any(signals):
        return values
    cells: list[Any] = [np.nan if s else v for s, v in zip(signals, values, strict=True)]
    quiet = np.empty(len(cells), dtype=object)
    quiet[:] = cells
    return pd.Series(quiet, index=values.index, name=values.name)

"""Convert a column to Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    import pyarrow


def to_arrow_array(values: pd.Series) -> pyarrow.Array:
    """Return a column as an Arrow array.

    Parameters
    ----------
    values : pandas.Series
        Any column.

    Returns
    -------
    pyarrow.Array

    Raises
    ------
    pyarrow.ArrowException, ArithmeticError, TypeError, ValueError
        If Arrow cannot hold the values.

    Examples
    --------
    >>> to_arrow_array(pd.Series(["a", None])).to_pylist()
    ['a', None]
    """
    import pyarrow as pa

    is_categorical = isinstance(values.dtype, pd.CategoricalDtype)
    cells = values.cat.categories if is_categorical else values
    if cells.dtype == object:
        kinds = {kind for kind in map(type, cells.array) if issubclass(kind, np.generic)}
        if np.datetime64 in kinds and len(kinds) > 1:
            # pyarrow 26 ends the process where one of them comes first.
            names = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"it mixes NumPy's dates with other scalars of NumPy: {names}")
    return pa.Array.from_pandas(values)

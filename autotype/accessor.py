"""The accessor ``df.ordinal``, with a method for each function of a frame."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import MethodType
from typing import Any

import pandas as pd


class _OfFrame:
    """A function of a frame as a method of the accessor; its module is loaded on first use.

    The method is the function bound to the frame, with its signature and its documentation.
    """

    def __init__(self, load: Callable[[], Callable[..., Any]]) -> None:
        self._load = load

    def __get__(self, accessor: OrdinalAccessor | None, owner: type) -> Callable[..., Any]:
        return self._load() if accessor is None else MethodType(self._load(), accessor._frame)


@pd.api.extensions.register_dataframe_accessor("ordinal")
class OrdinalAccessor:
    """Semantic types of a frame's columns, as ``df.ordinal``.

    Its methods are the functions `autotype.infer_types`, `autotype.apply_types`, `autotype.fit`,
    `autotype.to_schema`, `autotype.validate` and `autotype.plot`, with the frame as their first
    argument. The accessor holds only the frame: reports are objects of their own, and types persist
    in the dtypes.

    Examples
    --------
    >>> import pandas as pd, autotype
    >>> frame = pd.DataFrame({"size": ["S", "M", "L", "XL"] * 10})
    >>> types = frame.ordinal.infer_types()
    >>> types["size"].order
    ('S', 'M', 'L', 'XL')
    >>> (frame.ordinal.apply_types(types)["size"] >= "L").sum()
    np.int64(20)
    """

    infer_types = _OfFrame(lambda: import_module("autotype.type_report").infer_types)
    apply_types = _OfFrame(
        lambda: import_module("autotype.inference.frames.apply_types").apply_types
    )
    fit = _OfFrame(lambda: import_module("autotype.fitting.column_model").fit)
    to_schema = _OfFrame(lambda: import_module("autotype.schema.build").to_schema)
    validate = _OfFrame(lambda: import_module("autotype.schema.validate").validate)
    plot = _OfFrame(lambda: import_module("autotype.plots").plot)

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

"""Register ``ordinal`` on polars' DataFrame and LazyFrame: ``frame.ordinal.infer_types()``.

``import autotype`` does the same if polars has been imported before.
"""

from __future__ import annotations

import polars as pl

from autotype.accessor import OrdinalAccessor

pl.api.register_dataframe_namespace("ordinal")(OrdinalAccessor)
pl.api.register_lazyframe_namespace("ordinal")(OrdinalAccessor)

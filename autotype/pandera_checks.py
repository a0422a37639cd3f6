"""Register autotype's checks, such as ``is_ordinal``, with pandera, on import.

`to_schema`, `validate`, `read_schema` and `write_schema` register them as well. Import this module
if pandera alone reads a schema from YAML, or if a model uses the checks in its fields::

    import autotype.pandera_checks
    from pandera.io.pandas_io import from_yaml

    schema = from_yaml("schema.yaml")
"""

from autotype.schema.checks.level_checks import is_categorical, is_ordinal
from autotype.schema.checks.table import register_checks

__all__ = ["is_categorical", "is_ordinal"]

register_checks()

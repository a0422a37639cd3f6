"""Register autotype's checks with pandera, for schemas, models and YAML files."""

from __future__ import annotations

import pandas as pd

from autotype.schema.checks.level_checks import CATEGORICAL, ORDINAL, is_categorical, is_ordinal
from autotype.schema.checks.share_checks import SHARES, VARIES, has_level_shares, varies
from autotype.schema.checks.text_checks import AMOUNT, DATE, is_amount, is_date

# By name: the function, and its arguments, of which pandera takes the first for the main one.
_CHECKS = {
    ORDINAL: (is_ordinal, ["order", "off_scale"]),
    CATEGORICAL: (is_categorical, ["levels"]),
    VARIES: (varies, ["top_share"]),
    SHARES: (has_level_shares, ["levels", "counts", "tolerance"]),
    DATE: (is_date, ["day_first", "tolerance"]),
    AMOUNT: (is_amount, ["min_value", "max_value", "units", "tolerance"]),
}
# By name: the argument that pandera's YAML holds alone if it is the only one.
MAIN_ARGUMENT = {name: arguments[0] for name, (_, arguments) in _CHECKS.items()}


def register_checks() -> None:
    """Register the checks with pandera, once."""
    from pandera.api.checks import Check
    from pandera.extensions import register_check_method

    for name, (check, arguments) in _CHECKS.items():
        if name not in Check.REGISTERED_CUSTOM_CHECKS:
            register_check_method(statistics=arguments, supported_types=pd.Series)(check)

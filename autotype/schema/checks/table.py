"""The table of checks, to which a new check is one line, and where pandera learns of them."""

from __future__ import annotations

from typing import Any

import pandas as pd
from pandera.api.checks import Check
from pandera.extensions import register_check_method

from autotype.schema.checks.check import Need, SchemaCheck
from autotype.schema.checks.column_rules import COLUMN_RULES
from autotype.schema.checks.level_checks import IsCategorical, IsIn, IsOrdinal
from autotype.schema.checks.limits import InRange, Limit, NotNegative
from autotype.schema.checks.share_checks import HasLevelShares, Varies
from autotype.schema.checks.text_checks import IsAmount, IsDate

# In the order in which a schema, its file and other tools list them.
CHECKS: tuple[SchemaCheck, ...] = (
    *COLUMN_RULES,
    IsOrdinal(),
    IsCategorical(),
    Varies(),
    HasLevelShares(),
    IsDate(),
    IsAmount(),
    IsIn(),
    InRange("in_range", low="min_value", high="max_value"),
    NotNegative("greater_than_or_equal_to", low="min_value"),
    Limit("less_than_or_equal_to", high="max_value"),
    Limit("greater_than"),
    Limit("less_than"),
    # pandera's, which `to_schema` does not make.
    *map(SchemaCheck, ("notin", "equal_to", "not_equal_to", "unique_values_eq")),
    *map(SchemaCheck, ("str_matches", "str_contains", "str_startswith", "str_endswith")),
    SchemaCheck("str_length"),
)
_BY_NAME = {check.name: check for check in CHECKS if check not in COLUMN_RULES}
_BY_REASON = {reason: check for check in COLUMN_RULES for reason in check.reasons}
# By name: the argument that pandera's YAML holds alone if it is the only one.
MAIN_ARGUMENT = {check.name: check.statistics[0] for check in CHECKS if check.statistics}


def find_check(check: Any) -> SchemaCheck | None:
    """Return what is known of a check of pandera, or None if it is one of a user."""
    return _BY_NAME.get(getattr(check, "name", None) or "")


def need_of(check: Any) -> Need:
    """Return what decides a check of pandera for a column that does not come to Python."""
    return (find_check(check) or SchemaCheck()).needs


def check_of_error(error: Any) -> SchemaCheck:
    """Return the check that one of pandera's errors is about."""
    by_reason = _BY_REASON.get(getattr(error.reason_code, "name", ""))
    own_name = getattr(error.check, "name", None) or str(error.check)
    return by_reason or find_check(error.check) or SchemaCheck(own_name)


def register_checks() -> None:
    """Register autotype's checks with pandera, once."""
    for check in CHECKS:
        if check.function is not None and check.name not in Check.REGISTERED_CUSTOM_CHECKS:
            register = register_check_method(
                statistics=list(check.statistics), supported_types=pd.Series
            )
            register(check.function)

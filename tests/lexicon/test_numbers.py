from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autotype.lexicon.numbers import amounts_of, read_amounts


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$1,250.00", 1250.0),
        ("1.250,00 €", 1250.0),
        ("€ 1.250", 1250.0),
        ("1 250,5 kr", 1250.5),
        ("CHF 1'250.50", 1250.5),
        ("-$3", -3.0),
        ("$-3", -3.0),
        ("($3.50)", -3.5),
        ("12,5 %", 12.5),
        ("0,125 %", 0.125),
        ("3.125 kg", 3.125),
        (".5 l", 0.5),
        ("1,234,567", 1234567.0),
        ("12 rooms", 12.0),
        ("7", 7.0),
        ("on request", np.nan),
        ("$", np.nan),
        ("1.2.3", np.nan),
        ("٣ kg", 3.0),
        ("€1.2M", 1.2e6),
        ("€ 569K", 569e3),
        ("$29.0b", 29e9),
        ("3,5 Mio. €", 3.5e6),
        ("12 tys. zł", 12e3),
        ("60.9 млн руб.", 60.9e6),
        ("$16.1 million", 16.1e6),
        ("₹3.79 Cr", 37.9e6),
        ("56.9万円", 569e3),
        ("12.4만", 124e3),
        ("1.5 GB", 1.5e9),
        ("900 MB", 0.9e9),
        ("5 km", 5.0),
        ("1.80m", 1.8),
        ("2,360 sq ft", 2360.0),
        ("85.5㎡", 85.5),
        ("157人", 157.0),
        ("R$ 1.250/mês", 1250.0),
        ("90 592 Kč/m²", 90592.0),
        ("91,43 öre/kWh", 91.43),
        ("13.9% vol", 13.9),
        ("768+", 768.0),
        ("~90", 90.0),
        ("12b", np.nan),
        ("12a", np.nan),
        ("101号", np.nan),
        ("5月", np.nan),
    ],
)
def test_an_amount_is_a_number(text: str, number: float) -> None:
    assert amounts_of(pd.Series([text])).tolist() == pytest.approx([number], nan_ok=True)


def test_a_column_of_thousands_holds_millions_in_small_letters() -> None:
    assert amounts_of(pd.Series(["289.4k", "475.8m", "1.2b"])).tolist() == [289.4e3, 475.8e6, 1.2e9]


def test_one_decimal_comma_explains_the_column() -> None:
    assert amounts_of(pd.Series(["3,125 kg", "3,5 kg"])).tolist() == [3.125, 3.5]
    assert amounts_of(pd.Series(["3,125 kg", "3.5 kg"])).tolist() == [3125.0, 3.5]


@pytest.mark.parametrize(
    "values",
    [
        ["3 kg", "4 km"],
        ["$3", "4 €"],
        ["1", "2"],
        ["555 123", "555 124"],
        ["A 12", "A 13"],
        ["3 kg", 4],
        [1.0, 2.0],
        [],
        [None, None],
        ["12/3", "13/4"],
        ["2 - 3 kg", "3 - 4 kg"],
    ],
    ids=str,
)
def test_other_texts_are_not_amounts(values: list) -> None:
    assert read_amounts(pd.Series(values, dtype=object)) is None


def test_decimals_tell_groups_by_spaces_from_codes() -> None:
    for space in " \u00a0\u202f":
        numbers = pd.Series([f"5{space}605,88", f"1{space}234{space}567,5"])
        assert read_amounts(numbers).tolist() == [5605.88, 1234567.5]


@pytest.mark.parametrize("dtype", [object, "str", "string", "category"])
def test_any_dtype_of_text_holds_amounts(dtype: str) -> None:
    values = pd.Series(["$1,000", "$2,500", None], index=[3, 3, 5], dtype=dtype)
    assert read_amounts(values).tolist() == pytest.approx([1000.0, 2500.0, np.nan], nan_ok=True)


def test_numbers_pass_and_infinities_are_missing() -> None:
    values = pd.Series([1, np.inf, None, 2.5])
    assert amounts_of(values).tolist() == pytest.approx([1, np.nan, np.nan, 2.5], nan_ok=True)
    whole = pd.Series([1, None], dtype="Int64")
    assert amounts_of(whole).tolist() == pytest.approx([1, np.nan], nan_ok=True)

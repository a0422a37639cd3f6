from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from autotype.inference.column import Column
from autotype.inference.profile.triage import as_numbers, triage
from autotype.inference.sampling.sample import sample_frame

N = 200
RNG = np.random.default_rng(0)


def triaged(values: object, *, name: str = "column", max_levels: int = 20) -> Column:
    frame = pd.DataFrame({name: values})
    column = sample_frame(frame, max_rows=1000, max_levels=max_levels, seed=0).columns[0]
    triage(column, max_levels=max_levels)
    return column


SETTLED = {
    "reals that fill the range of floats": (RNG.uniform(-1, 1, N) * 1.7e308, "continuous"),
    "the same as text": ([str(x) for x in RNG.uniform(-1, 1, N) * 1.7e308], "continuous"),
    "reals of all magnitudes": (10.0 ** RNG.uniform(-300, 300, N), "continuous"),
    "subnormal reals": (RNG.integers(1, 500, N) * 5e-324, "continuous"),
    "half precision": ((RNG.uniform(-1, 1, N) * 6e4).astype(np.float16), "continuous"),
    "one huge number": (np.full(N, 1e308), "constant"),
    "largest floats": ([np.finfo(float).max, np.finfo(float).min] * (N // 2), "binary"),
    "large 64-bit numbers": (RNG.integers(2**63 - 10**6, 2**63 - 1, N), "count"),
    "64-bit numbers of both signs": (RNG.integers(-(2**63), 2**63 - 1, N), "continuous"),
    "numbers of 5,000 digits": (
        pd.Series([10**5000 + k for k in range(N)], dtype=object),
        "undetermined",
    ),
    "one signaling NaN": ([Decimal("sNaN"), *[Decimal(k) / 7 for k in range(N)]], "continuous"),
    "one text": (["same"] * N, "constant"),
    "one text and holes": (["same", None] * (N // 2), "constant"),
    "nothing": ([None] * N, "constant"),
    "two strings": (["yes", "no"] * (N // 2), "binary"),
    "two numbers": ([0, 1] * (N // 2), "binary"),
    "bools": ([True, False] * (N // 2), "binary"),
    "reals": (RNG.normal(size=N), "continuous"),
    "few reals": ([0.5, 1.5, 2.25, 3.0] * (N // 4), "continuous"),
    "reals as text": ([f"{x:.3f}" for x in RNG.normal(size=N)], "continuous"),
    "integers of both signs": (RNG.integers(-500, 500, N), "continuous"),
    "many integers": (RNG.integers(0, 500, N), "count"),
    "integers as text": ([str(k) for k in RNG.integers(0, 500, N)], "count"),
    "decimals": ([Decimal(f"{k}.5") for k in range(N)], "continuous"),
    "prices as text": ([f"${x:,.2f}" for x in RNG.uniform(5, 5000, N)], "continuous"),
    "European prices": ([f"{k},{k % 90 + 10} €" for k in range(N)], "continuous"),
    "shares as text": ([f"{x:.1f}%" for x in RNG.uniform(0, 100, N)], "continuous"),
    "weights as text": ([f"{x:.1f} kg" for x in RNG.uniform(0, 10, N)], "continuous"),
    "grouped digits": ([f"{k:,}" for k in RNG.integers(500, 2_000_000, N)], "count"),
    "codes with zeros": ([f"{k:05d}" for k in RNG.permutation(9999)[:N]], "identifier"),
    "repeated codes with zeros": ([f"{k % 70:05d}" for k in range(N)], "categorical"),
    "codes of eight digits": ([f"{k * 7919:08d}" for k in range(N)], "identifier"),
    "telephone numbers": ([f"0{k} {k * 7919 % 10**6}" for k in range(30, 30 + N)], "identifier"),
    "grouped account numbers": ([f"10 {200 + k} 300" for k in range(N)], "identifier"),
    "row numbers": (np.arange(N), "identifier"),
    "row numbers in any order": (RNG.permutation(N) + 1000, "identifier"),
    "codes": ([f"A-{k:05d}" for k in range(N)], "identifier"),
    "datetimes": (pd.date_range("2020-01-01", periods=N), "datetime"),
    "few dates": (
        list(pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"])) * 60,
        "datetime",
    ),
    "periods": (pd.period_range("2000-01", periods=N, freq="M"), "datetime"),
    "durations": (pd.to_timedelta(RNG.integers(0, 9, N), "D"), "continuous"),
    "dates": ([datetime.date(2020, 1, 1 + k % 9) for k in range(N)], "datetime"),
    "dates as text": ([f"2020-01-{1 + k % 28:02d}" for k in range(N)], "datetime"),
    "European dates": ([f"{1 + k % 28}.3.2020" for k in range(N)], "datetime"),
    "dates with months": ([f"{1 + k % 28} March 2020" for k in range(N)], "datetime"),
    "dates, and months without a day": (
        [f"2020-{1 + k % 12:02d}" + (f"-{1 + k % 28:02d}" if k % 9 else "") for k in range(N)],
        "datetime",
    ),
    "days of an unknown year": (
        [f"{1 + k % 28}-{['May', 'Jun', 'Jul'][k % 3]}" for k in range(N)],
        "datetime",
    ),
    "codes of three pairs of digits": (
        [f"{25 + k % 60}.{43 + k % 50}.{10 + k % 3}" for k in range(N)],
        "identifier",
    ),
    "times": ([f"{k % 24:02d}:30" for k in range(N)], "datetime"),
    "sentences": ([f"comment {k} says a good deal about it" for k in range(N)], "text"),
    "long words": (["x" * 60 + str(k) for k in range(N)], "text"),
    "many levels": ([f"town {k % 150}" for k in range(2 * N)], "undetermined"),
    "dates of eight digits": ([10062018, 10072018, 12312018, 1152018] * (N // 4), "datetime"),
    "months of six digits": (
        [202300 + m for m in (1, 2, 5, 7, 11, 12)] * (N // 6) + [202301] * (N % 6),
        "datetime",
    ),
    "strings of eight digits": (
        ["01062018", "15062018", "01072018", "31122018"] * (N // 4),
        "datetime",
    ),
    "years": ([2015, 2016, 2018, 2020] * (N // 4), "datetime"),
    "school years": (["2018/19", "2019/20", "2020/21"] * (N // 3), "datetime"),
    "quarters": (["Q1 2007", "Q2 2007", "Q3 2007", "Q4 2007"] * (N // 4), "datetime"),
    "rare events": ([0] * 180 + [1] * 30 + [2] * 8 + [3] * 3 + [5] * 2 + [9], "count"),
    "lists": ([[1], [2]] * (N // 2), "undetermined"),
}
CANDIDATES = {
    "texts": ["red", "green", "blue", "grey"] * (N // 4),
    "integers": [1, 2, 3, 4] * (N // 4),
    "negative integers": [-2, -1, 0, 1] * (N // 4),
    "whole floats with holes": [1.0, 2.0, 3.0, np.nan] * (N // 4),
    "integers as text": ["1", "2", "3", "4"] * (N // 4),
    "categories": pd.Categorical(["a", "b", "c", "d"] * (N // 4)),
    "mixed types": [1, "a", (1, 2), b"x"] * (N // 4),
    "three levels of four rows": ["a", "b", "c", "c"],
}


@pytest.mark.parametrize("kind", SETTLED)
def test_rules_type(kind: str) -> None:
    values, expected = SETTLED[kind]
    found = triaged(values)
    assert found.semantic_type == expected
    assert found.reason.endswith(".")


@pytest.mark.parametrize("kind", CANDIDATES)
def test_rules_leave_candidates(kind: str) -> None:
    found = triaged(CANDIDATES[kind])
    assert found.semantic_type is None
    assert (found.numbers is not None) == ("integers" in kind or "whole" in kind)


def test_max_levels_is_the_border_of_candidates() -> None:
    texts = [f"level {k % 12}" for k in range(N)]
    assert triaged(texts, max_levels=12).semantic_type is None
    assert triaged(texts, max_levels=11).semantic_type is None  # their labels can be read
    numbers = np.arange(N) % 12
    assert triaged(numbers, max_levels=12).semantic_type is None
    assert triaged(numbers, max_levels=11).semantic_type == "count"


@pytest.mark.parametrize(
    "name",
    [
        *("id", "customer_id", "customerId", "orderID", "userid", "ID", "row key", "Unnamed: 0"),
        *("PID", "order_no", "accountNo", "Phone Number", "vin"),
    ],
)
def test_a_name_tells_identifiers_from_counts(name: str) -> None:
    scattered = RNG.permutation(100_000)[:N]
    assert triaged(scattered, name=name).semantic_type == "identifier"
    assert triaged(scattered, name="income").semantic_type == "count"


@pytest.mark.parametrize(
    "name",
    ["width", "paid", "PAID", "bid", "idea", "monkey", "keyboards", "casino", "number_of_rooms"],
)
def test_names_that_only_hold_the_letters_do_not(name: str) -> None:
    scattered = RNG.permutation(100_000)[:N]
    assert triaged(scattered, name=name).semantic_type == "count"


def test_infinities_neither_stop_nor_decide() -> None:
    assert triaged([np.inf, -np.inf, 1.0, 2.0] * 50).semantic_type is None
    assert triaged([np.inf, -np.inf, np.nan] * 50).semantic_type == "binary"
    assert triaged([np.inf] * 50).semantic_type == "constant"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pd.Series(["1", "2.5", None], dtype="str"), [1, 2.5, np.nan]),
        (pd.Series([1, 2, None], dtype="Int64"), [1, 2, np.nan]),
        (pd.Series([1, 2, None], dtype="int64[pyarrow]"), [1, 2, np.nan]),
        (pd.Series(pd.Categorical([3, 1, None])), [3, 1, np.nan]),
        (pd.Series([Decimal("1.5"), None], dtype=object), [1.5, np.nan]),
        (pd.Series([1, "2"], dtype=object), [1, 2]),
        (pd.Series([np.inf, 1.0]), [np.inf, 1]),
    ],
)
def test_numbers_are_read(values: pd.Series, expected: list[float]) -> None:
    np.testing.assert_array_equal(as_numbers(values), expected)


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(["1", "two"]),
        pd.Series([True, False]),
        pd.Series([True, 2, 3], dtype=object),
        pd.Series([True, None], dtype="boolean"),
        pd.Series([1j, 2j]),
        pd.Series([1 + 1j, 1 + 2j, None], dtype=object),
        pd.Series([10**400, 1], dtype=object),
        pd.Series([1, [2]], dtype=object),
        pd.Series([*["7"] * 50, "seven"]),  # beyond the head that is looked at first
    ],
)
def test_other_things_are_not_numbers(values: pd.Series) -> None:
    assert as_numbers(values) is None


def test_a_sparse_text_column_is_no_number() -> None:
    values = np.full(20_000, None, dtype=object)
    values[:: 20_000 // 25] = [f"word {k}" for k in range(25)]
    frame = pd.DataFrame({"c": values})
    column = sample_frame(frame, max_rows=10, max_levels=20, seed=0).columns[0]
    triage(column, max_levels=20)
    assert column.semantic_type == "identifier"


def test_eight_digits_that_are_no_dates_are_numbers() -> None:
    # No year, month or day in any order: 1350 is too early, and 13 and 50 are no months.
    assert triaged(RNG.integers(13_500_000, 13_999_999, N)).semantic_type == "count"
    assert triaged([20_180_610, 20_180_611, 20_181_399] * (N // 3)).semantic_type != "datetime"


def test_whole_amounts_of_money_are_no_counts() -> None:
    assert triaged([f"${k}" for k in RNG.integers(500, 5000, N)]).semantic_type == "continuous"


def test_large_numbers_are_grouped_and_estimates_are_said_to_be_such() -> None:
    whole = pd.Series(np.arange(1000) * 7 + 3)
    texts = pd.Series([f"v{k % 900}" for k in range(1000)])
    for values, reason in (
        (whole, "It holds {} different integers from 0 up."),
        (-whole, "It holds integers of both signs, {} different ones."),
        (texts, "It has {} levels, too many to read their labels; known= sets its type."),
    ):
        for is_exact, number in ((True, "5,338,412"), (False, "about 5,340,000")):
            column = Column(
                "a", n_rows=9_000_000, n_distinct=5_338_412, values=values, is_exact=is_exact
            )
            triage(column, max_levels=20)
            assert column.reason == reason.format(number)

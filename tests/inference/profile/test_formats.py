"""What the values of a column are written as, by examples and by what only looks like them."""

from __future__ import annotations

import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column
from autotype.inference.profile.formats import Format, find_format

EXAMPLES = {
    "url": ["https://example.org/a?b=1", "http://example.com", "www.example.net/x", "s3://b/k"],
    "email": ["ann@example.org", "b.c+d@mail.example.co.uk"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "uuid:00112233-4455-6677-8899-aabbccddeeff"],
    "ip": ["192.168.0.1", "10.0.0.7", "172.16.254.3", "2001:db8::1"],
    "iban": ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"],
    "json": ['{"a": 1}', "[]", "[{'id': 'x'}]"],
    "html": ["<p>Hello</p>", "<div class='a'>x<br/></div>"],
    "path": ["/home/ann/a.csv", "C:\\data\\b.txt", "img_001.jpg"],
    "coordinates": ["48.8566, 2.3522", "-34.6037, -58.3816", "POINT (2.3522 48.8566)"],
    "currency": ["$1,250.00", "$3.50", "-$7"],
    "percent": ["12,5 %", "3 %", "100%"],
    "duration": ["1h 30m", "45 min", "2 hours", "PT15M"],
    "date": ["5. März 2018", "21. Oktober 2019", "Juni 2019"],
    "time": ["12:05", "23:59:59", "7:30 PM", "14h30"],
    "phone": ["+49 30 901820", "+1 212 555 0100", "+44 20 7946 0000"],
    "postcode": ["SW1A 1AA", "M1 1AE", "B33 8TH", "CR2 6XH", "DN55 1PT"],
    "quarter": ["2020-Q1", "2020-Q2", "2021-Q4"],
    "amount": [f"{k} kg" for k in range(30)],
    "week": ["2020-W05", "2020-W53", "2021-W01"],
    "country code": ["DE", "FR", "JP", "NZ", "KE"],
    "language code": ["en", "de-AT", "pt_BR", "zu", "ja"],
    "currency code": ["EUR", "USD", "JPY"],
    "list": ["Bus", "Train", "Bus; Train", "Bike; Bus", "Bike; Bus; Train"],
    "code": ["AB-0123", "CD-9911", "XY-0001", "QQ-4711", "ZZ-0815"],
}
# Of no format: what has half its form.
OTHERS = {
    "versions": ["1.0.0.1", "1.0.0.2", "1.2.0.0"],
    "tumour stages": ["T1", "T2", "T3", "T4"],
    "states": ["AL", "AR", "CA", "CO", "DE", "GA"],
    "decimals": ["1,5", "2,5", "3,5", "4,5"],
    "pairs of decimals": ["3.14, 2.72", "1.41, 1.73"],
    "names": ["Smith, John", "Miller, Ann", "Jones, Eve", "Doe, Jim"],
    "two scales": ["Agree, a lot", "Agree, a little", "Disagree, a lot", "Disagree, a little"],
    "sentences": ["I like it", "I like it a lot", "like it", "a lot"],
    "sizes": ["S", "M", "L"],
    "films": ["2D", "3D"],
    "lengths": ["5 m", "7 m", "9 m"],
    "ranges": ["1-5 days", "6-9 days"],
    "kilograms": ["3 kg", "4 kg"],
    "comparisons": ["a < b", "c > d"],
    "numbered": ["error1", "error2", "error3", "error4", "error5"],
    "time stamps": [f"2024-01-0{day}T10:00:00Z" for day in range(1, 8)],
}


def format_of(values: list, name: str = "x") -> Format | None:
    frame = pd.Series(values)
    levels = dict.fromkeys(values, 1)
    n = len(levels)
    return find_format(Column(name, n_rows=n, n_distinct=n, levels=levels, values=frame))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_format_is_found(name: str) -> None:
    found = format_of(EXAMPLES[name])
    assert found is not None
    assert found[0] == name


@pytest.mark.parametrize("name", OTHERS)
def test_what_only_looks_like_one_is_none(name: str) -> None:
    assert format_of(OTHERS[name]) is None


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("latitude", [48.85, 41.39], "latitude"),
        ("Geo_Lng", [102.35, -71.39], "longitude"),
        ("latitude", [48.85, 141.39], None),
        ("zip", [10115, 80331], "postcode"),
        ("codigoPostal", ["08001", "28080"], "postcode"),
        ("price", [10115, 80331], None),
        ("year", [1801, 2050], "year"),
        ("n", [2019, 2020, 2021], "year"),
        ("created_utc", [1_709_251_231.0, 1_609_260_000.5], "timestamp"),
        ("ts", [1_709_251_231_123, 1_609_260_000_456], "timestamp"),
        ("ts", [1_709_251_231, 1_609_260_000_456], None),
        ("amount", [1_709_251_231, 1_609_260_000], None),
        ("phone", ["030 901820", "040 428280"], "phone"),
        ("n", ["030 901820", "040 428280"], None),
        ("duration", ["00:12:30", "01:02:03"], "duration"),
        ("start", ["00:12:30", "01:02:03"], "time"),
        ("start", ["26:12:30", "01:02:03"], "duration"),
        ("Quartal", ["Q1", "Q2", "Q3", "Q4"], "quarter"),
        ("item", ["Q1", "Q2", "Q3", "Q4"], None),
        ("land", ["DE", "FR"], "country code"),
        ("team", ["DE", "FR"], None),
        ("cpa", ["62.01.11", "25.86.75", "43.29.19", "26.20.11", "86.10.15"], "code"),
        ("day", ["12.01.11", "25.06.15", "31.12.19", "26.02.11", "06.10.15"], None),
    ],
)
def test_names_tell_numbers_and_short_codes_apart(
    name: str, values: list, expected: str | None
) -> None:
    found = format_of(values, name)
    assert (None if found is None else found[0]) == expected


def test_nearly_all_different_values_have_to_be_written_so() -> None:
    mails = [f"p{k}@example.org" for k in range(40)]
    assert format_of([*mails, "by phone"]) == ("email", {})
    assert format_of([*mails[:10], "by phone"]) is None


def test_a_list_has_its_separator_and_items() -> None:
    found = format_of(EXAMPLES["list"])
    assert found is not None
    assert found[1] == {"separator": ";", "items": ["Bus", "Train", "Bike"]}


@pytest.mark.parametrize(
    ("values", "is_list"),
    [
        (["satisfied", "very satisfied", "dissatisfied", "very dissatisfied"], False),
        (["ripe", "not ripe", "sweet", "not sweet"], False),
        (["bus", "train", "bus train", "train bike", "bus train bike"], True),
    ],
)
def test_adverbs_are_no_items(values: list, is_list: bool) -> None:
    found = format_of(values)
    assert (found is not None and found[0] == "list") == is_list


def test_levels_of_a_scale_are_no_lists() -> None:
    levels = ["satisfied", "very satisfied", "dissatisfied", "very dissatisfied"]
    column = autotype.infer_types(pd.DataFrame({"x": levels * 12}))["x"]
    assert (column.semantic_type, column.format) == ("ordinal", None)


@pytest.mark.parametrize(
    ("values", "semantic_type"),
    [
        ([f"https://example.org/{k}" for k in range(30)], "identifier"),
        ([f"p{k % 9}@example.org" for k in range(90)], "identifier"),
        (EXAMPLES["list"] * 6, "text"),
        ([f"<p>{k} words</p>" for k in range(30)], "text"),
        ([f"{k} min" for k in range(30)], "continuous"),
        ([f"{k % 12 + 1}h{k:02d}" for k in range(30)], "datetime"),
    ],
    ids=str,
)
def test_a_format_settles_the_type(values: list, semantic_type: str) -> None:
    column = autotype.infer_types(pd.DataFrame({"x": values}))["x"]
    assert column.semantic_type == semantic_type
    assert any("have the format" in reason for reason in column.reasons)

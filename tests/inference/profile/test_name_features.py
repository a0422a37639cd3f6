"""What the names of columns show."""

from __future__ import annotations

import pytest

from autotype.inference.profile.type_model import load_type_model
from autotype.inference.profile.value_features import name_features
from autotype.lexicon.toml_files import read_toml


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("customer_id", "key"),
        ("Kundennummer", "number"),
        ("código postal", "code"),
        ("Anzahl Betten", "count"),
        ("prix (€)", "amount"),
        ("taux de croissance", "rate"),
        ("fecha", "date"),
        ("Longitude", "place"),
        ("città", "name"),
        ("Bemerkungen", "text"),
        ("性别", "sort"),
        ("has_garden", "flag"),
        ("satisfaction level", "degree"),
    ],
)
def test_words_of_many_languages(name: str, kind: str) -> None:
    found = name_features(name)
    assert found[f"name_{kind}"] == 1.0


def test_every_kind_has_words() -> None:
    assert all(read_toml("column_kinds").values())


@pytest.mark.parametrize("name", [3, None, ("a", "b"), (), "", "Unnamed: 0", "x" * 500])
def test_any_name_is_described(name: object) -> None:
    found = name_features(name)
    assert found.keys() == name_features("size").keys() <= set(load_type_model().features)


def test_the_first_word_counts_by_itself() -> None:
    found = name_features("Group name / clave entidad")
    assert found["first_code"] == 1.0
    assert found["first_name"] == found["last_code"] == 0.0


@pytest.mark.parametrize(
    "name", ["customerID", "geonameid", "order_no", "Unnamed: 0", "Patient ID"]
)
def test_names_of_keys(name: str) -> None:
    assert name_features(name)["name_identifies"] == 1.0


@pytest.mark.parametrize("name", ["paid", "valid", "idées", "grid", "notes", "humid", "android"])
def test_other_names(name: str) -> None:
    assert name_features(name)["name_identifies"] == 0.0


def test_the_last_word_counts_by_itself() -> None:
    found = name_features("price_date")
    assert found["name_amount"] == found["name_date"] == found["last_date"] == 1.0
    assert found["last_amount"] == 0.0

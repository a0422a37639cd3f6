"""Schemas edited by hand: what pandera would drop or accept is refused, with its place."""

import pandas as pd
import pytest

import autotype
from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml

FRAME = pd.DataFrame(
    {
        "size": ["S", "M", "L", "XL"] * 15,
        "n": range(60),
        "weight": [j * 0.37 for j in range(60)],
        "price": [f"{j + 0.5} €" for j in range(60)],
    }
)
SCHEMA = autotype.to_schema(
    FRAME, autotype.infer_types(FRAME, known={"size": ["S", "M", "L", "XL"]}), share_tolerance=0.05
)
TEXT = schema_to_yaml(SCHEMA)
ORDER = "order:\n      - S\n      - M\n      - L\n      - XL"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("top_share: 0.25", "top_share: 3%", r"columns\['size'\].*top_share: '3%' is not a number"),
        ("tolerance: 0.05", "tolerance: -1", r"tolerance: -1 is not from 0 to 1; correct it, or"),
        ("dtype: int64", "dtype: int64\n    nullable: perhaps", r"\['n'\].nullable: 'perhaps' is"),
        ("dtype: int64", "dtype: int64\n    required: 3", r"\['n'\].required: 3 is not true or fa"),
        ("dtype: int64", "dtype: int64\n    colour: red", r"\['n'\] has the unknown key 'colour'"),
        ("dtype: int64", "dtype: int63", "column 'n': TypeError: data type 'int63'"),
        ("api: pandas", "api: pandas\nfoo: 3", "has the unknown key 'foo'"),
        (ORDER, "order: S < M < L < XL", r"checks\[0\].order: 'S < M < L < XL' is not a list"),
        (ORDER, ORDER.replace("XL", "S"), r"checks\[0\]: the level 'S' is repeated"),
        (ORDER, ORDER.replace("- M", "-"), r"checks\[0\]: a missing value is no level"),
        (ORDER, ORDER.replace("- M", "- 010"), r"one meaning: 010 in line \d+ may be text; put"),
        ("min_value: 0.0", "min_value: .nan", r"\['weight'\].*min_value: NaN is no number that"),
        ("tolerance: 0.05", "tolerance: .nan", r"tolerance: NaN is no number that others"),
        ("  - name: size\n", "  - name: size\n    foo: 3\n", "damaged .*unknown key 'foo'"),
        ("autotype:\n", "autotype: 3\n  others:\n", r"metadata\.autotype: 3 is not a list"),
        (ORDER, "order: []", r"checks\[0\].order: \[\] has 0 items"),
        (ORDER, f"{ORDER}\n      off_scale: [S]", "the level 'S' is repeated"),
        (ORDER, ORDER.replace("order", "ordr"), r"checks\[0\] has the unknown key 'ordr'"),
        (ORDER, "off_scale: [x]", r"checks\[0\] lacks 'order'"),
        ("check_name: is_ordinal", "check_name: is_ordinl", "'is_ordinl' is no check; import the"),
        ("check_name: is_ordinal", "name: x", r"checks\[0\].options lacks 'check_name'"),
        ("error: levels", "colour: levels", "options has the unknown key 'colour'"),
        ("counts:\n      - 15", "counts:", r"checks\[2\].counts: 3 counts of 4 levels"),
        ("counts:\n      - 15", "counts:\n      - many", r"counts\[0\]: 'many' is not an integer"),
        ("max_value: 177.5", "max_value: much", r"\['price'\].*max_value: 'much' is not a number"),
        ("units:\n      - €", "units: €", "units: '€' is not a list"),
        ("include_min: true", "include_min: perhaps", "include_min: 'perhaps' is not true"),
        ("min_value: 0.0", "min_value: 1000", "column 'weight': ValueError: The combination"),
        ("  size:\n", "  length: 3\n  size:\n", r"columns\['length'\]: 3 is not an object"),
        (TEXT[TEXT.index("columns:") : TEXT.index("metadata:")], "", "columns: there are none"),
    ],
)
def test_edits_that_pandera_would_not_see(before, after, message):
    assert before in TEXT
    with pytest.raises(ValueError, match=message):
        schema_from_yaml(TEXT.replace(before, after, 1))


def test_a_file_that_is_cut_after_any_line():
    lines = TEXT.splitlines(keepends=True)
    for n in range(1, len(lines)):
        with pytest.raises(ValueError, match=r"cut short: its last line is not '\.{3}'; write the"):
            schema_from_yaml("".join(lines[:n]))
    assert schema_from_yaml(TEXT + "\n") == schema_from_yaml(TEXT)


def test_short_forms_of_pandera_are_checked_too():
    text = "schema_type: dataframe\ncolumns:\n  a:\n    dtype: category\n    is_ordinal: {}\n"
    assert schema_from_yaml(text.format("[S, M]")).columns["a"].dtype.categories == ("S", "M")
    with pytest.raises(ValueError, match=r"columns\['a'\].is_ordinal.order: 'S < M' is not a list"):
        schema_from_yaml(text.format("S < M"))
    with pytest.raises(ValueError, match="columns: there are none"):
        schema_from_yaml("schema_type: dataframe\n")
    empty = autotype.to_schema(pd.DataFrame(), autotype.infer_types(pd.DataFrame()))
    assert not schema_from_yaml(schema_to_yaml(empty)).columns

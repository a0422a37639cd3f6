"""Frame -> types -> schema -> YAML -> schema: the frame passes, and each kind of change fails."""

import datetime

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pandera.errors import SchemaErrors

from autotype.schema.yaml_io import schema_from_yaml, schema_to_yaml
from autotype.type_report import TypeReport
from autotype.types.column_type import ColumnType
from autotype.types.levels import cast_to_levels

# What YAML likes to read as something else.
WORDS = "yes no on off null ~ true NaN 1 1e3 0x1F 012 2024-02-29 - ' \" { [ % | > order é 大 🦆"
PHRASES = ["", " ", "a: b", "- a", "# c", "&a", "*a", "!t", "a\nb", "e\u0301", "\ud800"]
CONTROLS = ["\u0085", "\u2028", "\ufeff", "\x00", "\x1b"]
EATEN = st.sampled_from([*WORDS.split(), *PHRASES, *CONTROLS])
TEXTS = EATEN | st.text(min_size=1, max_size=8)
DATES = st.dates(datetime.date(1700, 1, 1), datetime.date(2200, 1, 1))
LEVELS = st.one_of(
    st.lists(TEXTS, min_size=3, max_size=6, unique=True),
    st.lists(st.integers(-(2**62), 2**62), min_size=3, max_size=6, unique=True),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=6, unique=True),
    st.lists(DATES, min_size=3, max_size=6, unique=True),
    st.lists(DATES.map(pd.Timestamp), min_size=3, max_size=6, unique=True),
    st.lists(st.decimals(allow_nan=False), min_size=3, max_size=6, unique=True),
    st.just([False, "no", True]),
    st.lists(TEXTS | st.integers(2), min_size=3, max_size=6, unique=True),
)
# pandera's table of failures holds names as Arrow strings: no lone surrogates there.
NAMES = (
    TEXTS.filter(lambda text: text != "\ud800")
    | st.integers(-5, 5)
    | st.tuples(st.text(max_size=3), st.integers(0, 9))
)
NEW = "a level never seen"


@st.composite
def typed_frames(draw):
    """A frame with columns of most types, and its report."""
    n_rows = draw(st.integers(6, 12))
    names = draw(st.lists(NAMES, min_size=3, max_size=3, unique=True))
    scale, kinds = draw(LEVELS), draw(LEVELS)
    n_off = draw(st.integers(0, 1))
    missing = draw(st.booleans())

    def cells(levels):
        drawn = [levels[draw(st.integers(0, len(levels) - 1))] for _ in range(n_rows)]
        return pd.Series(
            [None if missing and j == 0 else v for j, v in enumerate(drawn)], dtype=object
        )

    numbers = draw(
        st.lists(st.floats(-1e300, 1e300) | st.just(np.nan), min_size=n_rows, max_size=n_rows)
    )
    numbers[0] = 0.5  # the dtype of a column without values is not held to
    columns = [cells(scale), cells(kinds), pd.Series(numbers, dtype=float)]
    frame = pd.concat(columns, axis=1)
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
    types = TypeReport(
        [
            ColumnType(
                names[0], "ordinal", order=tuple(scale[n_off:]), off_scale=tuple(scale[:n_off])
            ),
            ColumnType(names[1], "categorical", levels=dict.fromkeys(kinds, 1)),
            ColumnType(names[2], "continuous"),
        ]
    )
    return frame, types


def replaced(frame, position, values):
    """The frame with another column at a position, whatever the names."""
    columns = [frame.iloc[:, j] for j in range(frame.shape[1])]
    columns[position] = pd.Series(values, index=frame.index)
    changed = pd.concat(columns, axis=1)
    changed.columns = frame.columns
    return changed


def changes(typed):
    """Every way to be wrong that the schema has to see."""
    ordinal, kinds = typed.iloc[:, 0], typed.iloc[:, 1]
    levels = ordinal.cat.categories
    # Not add_categories and reorder_categories, which fail at lone surrogates.
    for position, values in ((0, ordinal), (1, kinds)):
        strange = values.astype(object)
        strange.iloc[-1] = NEW
        known = values.cat.categories.tolist()
        strange = cast_to_levels(strange, [*known, NEW], ordered=values.cat.ordered)
        yield "new level", replaced(typed, position, strange)
    reordered = cast_to_levels(ordinal.astype(object), levels.tolist()[::-1], ordered=True)
    yield "reordered", replaced(typed, 0, reordered)
    yield "unordered", replaced(typed, 0, ordinal.cat.as_unordered())
    yield "wrong type", replaced(typed, 0, np.arange(len(typed)) + 0.5)
    yield "wrong type", replaced(typed, 2, ["text"] * len(typed))
    for j in range(3):
        yield "missing column", typed.iloc[:, [k for k in range(3) if k != j]]


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(typed_frames())
def test_the_frame_passes_and_each_change_fails(drawn):
    frame, types = drawn
    typed = frame.ordinal.apply_types(types)
    schema = frame.ordinal.to_schema(types)
    yaml = schema_to_yaml(schema)
    for again in (schema, schema_from_yaml(yaml), pa.DataFrameSchema.from_yaml(schema.to_yaml())):
        again.validate(typed)
        pd.testing.assert_frame_equal(typed.ordinal.validate(again), typed)
        pd.testing.assert_frame_equal(frame.ordinal.validate(again), typed)
    read = schema_from_yaml(yaml)
    for rule, again in zip(schema.columns.values(), read.columns.values(), strict=True):
        assert rule.dtype == again.dtype
    assert schema_to_yaml(read) == yaml
    for _, changed in changes(typed):
        with pytest.raises(SchemaErrors):
            read.validate(changed, lazy=True)
        with pytest.raises(SchemaErrors) as caught:
            changed.ordinal.validate(read)
        assert repr(str(caught.value))


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(typed_frames())
def test_a_new_level_among_plain_values_fails_by_name(drawn):
    frame, types = drawn
    # pandera itself fails to list the rows of a Categorical with lone surrogates: there the whole
    # dtype is refused.
    scale = types.columns[0]
    assume("\\ud" not in ascii((scale.order, scale.off_scale)))
    schema = schema_from_yaml(schema_to_yaml(frame.ordinal.to_schema(types)))
    strange = frame.iloc[:, 0].copy()
    strange.iloc[-1] = NEW
    with pytest.raises(SchemaErrors) as caught:
        replaced(frame, 0, strange).ordinal.validate(schema)
    cases = caught.value.failure_cases
    assert NEW in cases["failure_case"].tolist()
    assert cases["index"].tolist()[-1] == len(frame) - 1


@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(typed_frames())
def test_the_types_come_back(drawn):
    frame, types = drawn
    schema = schema_from_yaml(schema_to_yaml(frame.ordinal.to_schema(types)))
    back = TypeReport.from_schema(schema)
    for column, again in zip(types.columns, back.columns, strict=True):
        assert again.name == column.name
        assert again.semantic_type == column.semantic_type
        assert again.order == column.order
        assert again.off_scale == column.off_scale
        assert list(again.levels) == list(column.levels) or column.order is not None

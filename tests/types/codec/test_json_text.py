"""JSON of unknown origin: read within limits, or refused with the reason."""

from __future__ import annotations

import pytest

from autotype.errors import UnreadableTypesError
from autotype.types.codec import json_values as json_text
from autotype.types.codec.json_values import MAX_JSON_DEPTH, read_json


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value"),
        ("{'a': 1}", "not JSON: Expecting property name"),
        ('{"a": NaN}', "NaN in line 1 is no finite number"),
        ('{"a": 1,\n "b": [2,\n NaN]}', "NaN in line 3 is no finite number; write null"),
        ("[-Infinity]", "-Infinity in line 1 is no finite number"),
        ('{"1e400": 2,\n "b": -1e400}', "-1e400 in line 2 is no finite number"),
        ('[{"a": 1, "b": 2, "a": 1}]', "the key 'a' is repeated"),
        ("9" * 5_000, "not JSON with one meaning: Exceeds the limit"),
        ("[" * 101 + "]" * 101, "nested deeper than the 100 lists and objects"),
        ("[" * 200_000, "nested deeper than the 100"),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_refused(text, message) -> None:
    with pytest.raises(UnreadableTypesError, match=message):
        read_json(text)


def test_the_limits_themselves_are_read(monkeypatch) -> None:
    read_json("[" * MAX_JSON_DEPTH + "]" * MAX_JSON_DEPTH)
    monkeypatch.setattr(json_text, "MAX_JSON_SIZE", 5)
    assert read_json("[1,2]") == [1, 2]
    with pytest.raises(UnreadableTypesError, match="too long: 6 characters, more than the 5"):
        read_json("[1, 2]")

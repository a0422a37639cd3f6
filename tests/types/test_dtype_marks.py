"""What `apply_types` marks keeps its levels off the scale when its dtype is read again."""

from __future__ import annotations

import pandas as pd
import pytest

import autotype

FRAME = pd.DataFrame({"mood": ["lo", "mid", "hi", "?"] * 9, "code": [1, 2, 3, -9] * 9})
KNOWN = {
    "mood": {"order": ["lo", "mid", "hi"], "off_scale": ["?"]},
    "code": {"order": [1, 2, 3], "off_scale": [-9]},
}


def test_levels_off_the_scale_stay_off_it() -> None:
    types = autotype.infer_types(FRAME, known=KNOWN)
    typed = autotype.apply_types(FRAME, types)
    again = autotype.infer_types(typed)
    for name in ("mood", "code"):
        assert (again[name].order, again[name].off_scale, again[name].provenance) == (
            types[name].order,
            types[name].off_scale,
            "dtype",
        )
    assert autotype.apply_types(typed, again).dtypes.to_dict() == typed.dtypes.to_dict()


def test_arrow_holds_them_too() -> None:
    pytest.importorskip("pyarrow")
    types = autotype.infer_types(FRAME, known=KNOWN)
    again = autotype.infer_types(types.to_arrow(FRAME))
    assert (again["mood"].order, again["mood"].off_scale) == (("lo", "mid", "hi"), ("?",))


@pytest.mark.parametrize(
    "mark",
    [
        *(["mood"], {"mood": []}, "mood", {"other": ["?"]}),
        *(5, [["mood"]], {"mood": 5}, {"mood": "?"}, {"mood": [["?"]]}),  # of others
    ],
)
def test_without_levels_in_the_mark_all_are_on_the_scale(mark: object) -> None:
    typed = FRAME[["mood"]].astype(pd.CategoricalDtype(["?", "lo", "mid", "hi"], ordered=True))
    typed.attrs["autotype"] = mark
    assert autotype.infer_types(typed)["mood"].order == ("?", "lo", "mid", "hi")


@pytest.mark.parametrize("note", [b"5", b'{"off_scale": 5}', b"[" * 100_000, b'{"off_scale": "?"}'])
def test_notes_of_arrow_that_others_wrote(note: bytes) -> None:
    pa = pytest.importorskip("pyarrow")
    field = pa.field("mood", pa.string(), metadata={b"autotype": note})
    table = pa.table([pa.array(["lo", "mid", "hi"] * 9)], schema=pa.schema([field]))
    assert autotype.infer_types(table)["mood"].off_scale == ()

"""A codebook that is written is read again: its labels as a codebook, its types as known."""

from __future__ import annotations

import math
import os
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import autotype
from autotype import ColumnType, TypeReport
from autotype.errors import KnownTypesError, UnknownFormatError, UnreadableTypesError

FRAME = pd.DataFrame(
    {
        "mood": [1, 2, 3, -9] * 6,
        "plan": ["gold", "free, cheap", "a|b \\ c", "free, cheap"] * 6,
        "age": [20.5 + k for k in range(24)],
        "odd": ["u", "v", "w", "w"] * 6,
    }
)
MOOD = {1: "bad; worse", 2: "so-so", 3: "<good> = 1", 4: "best", -9: "don't know"}
TYPES = TypeReport(
    [
        ColumnType(
            "mood",
            "ordinal",
            order=(1, 2, 3),
            off_scale=(-9,),
            levels=dict.fromkeys((1, 2, 3, -9), 6),
            labels=MOOD,
            title="How, if at all | do you feel?",
        ),
        ColumnType(
            "plan",
            "ordinal",
            order=("a|b \\ c", "free, cheap", "gold"),
            levels={"a|b \\ c": 6, "free, cheap": 12, "gold": 6},
        ),
        ColumnType("age", "continuous"),
        ColumnType("odd", "undetermined", levels={"u": 6, "v": 6, "w": 12}),
    ]
)
ENDINGS = [".xlsx", ".csv", ".json", ".md", ".html"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_codebook_is_read_again(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"codebook{ending}"
    TYPES.to_codebook(path)
    assert os.listdir(tmp_path) == [path.name]
    book = autotype.Codebook.read(path)
    entry = book.columns["mood"]
    assert (entry.label, entry.values) == ("How, if at all | do you feel?", MOOD)
    assert (entry.missing, entry.measure) == ((-9,), "ordinal")
    assert book.columns["age"].measure == "scale"
    types = autotype.infer_types(FRAME, known=path, codebook=path)
    for name in ("mood", "plan"):
        assert (types[name].order, types[name].off_scale) == (
            TYPES[name].order,
            TYPES[name].off_scale,
        )
    assert types["age"].semantic_type == "continuous"
    assert [column.provenance for column in types.columns] == ["known"] * 3 + ["inferred"]


CELLS = st.text("aé日 <b>|\\\n,;=\"'&-1/", min_size=1, max_size=9).map(str.strip).filter(bool)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=CELLS, texts=st.lists(CELLS, min_size=3, max_size=5), ending=st.sampled_from(ENDINGS))
@example(title="''", texts=["1", "''", "''"], ending=".csv")
def test_any_labels_are_read_again(
    tmp_path: Path, title: str, texts: list[str], ending: str
) -> None:
    labels = dict(enumerate(texts))
    levels = dict.fromkeys(labels, 2)
    types = TypeReport(
        [ColumnType("q", "ordinal", order=tuple(labels), levels=levels, labels=labels, title=title)]
    )
    path = tmp_path / f"codebook{ending}"
    types.to_codebook(path)
    entry = autotype.Codebook.read(path).columns["q"]
    if ending == ".md":  # has one line for a row
        title, *texts = (" ".join(text.splitlines()) for text in (title, *texts))
    assert (entry.label, entry.values) == (title, dict(enumerate(texts)))
    frame = pd.DataFrame({"q": [*labels] * 4})
    assert autotype.infer_types(frame, known=path)["q"].order == tuple(labels)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("level", ["low ", "two\nlines"])
def test_levels_that_a_page_cannot_hold_are_named(tmp_path: Path, level: str, ending: str) -> None:
    order = (level, level.strip() + "!", "high")
    types = TypeReport([ColumnType("q", "ordinal", order=order, levels=dict.fromkeys(order, 2))])
    path = tmp_path / f"codebook{ending}"
    if ending == ".md" or (ending == ".html" and level == "low "):
        with pytest.warns(UserWarning, match=re.escape(f"line breaks of {level!r}, which")):
            types.to_codebook(path)
    else:
        types.to_codebook(path)
        frame = pd.DataFrame({"q": [*order] * 4})
        assert autotype.infer_types(frame, known=path)["q"].order == order


def test_what_a_person_corrects_counts(tmp_path: Path) -> None:
    path = tmp_path / "codebook.csv"
    TYPES.to_codebook(path)
    path.write_text(path.read_text().replace('feel?",ordinal', 'feel?",categorical'))
    assert autotype.infer_types(FRAME, known=path)["mood"].semantic_type == "categorical"


def test_other_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match=r"must end in one of \.xlsx, \.csv"):
        TYPES.to_codebook(tmp_path / "codebook.doc")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(UnreadableTypesError, match=r"a\.csv: is no codebook of TypeReport"):
        autotype.infer_types(FRAME, known=tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text("variable,type,value,count,off scale\nodd,ordinal,u,1,\n")
    with pytest.raises(KnownTypesError, match="leaves out"):
        autotype.infer_types(FRAME, known=tmp_path / "b.csv")


ENDS = st.integers(-999, 999) | st.floats(-1e6, 1e6).map(lambda x: round(x, 2))
RANGES = st.tuples(ENDS, ENDS).map(sorted).map(tuple)
OPEN = st.tuples(st.just(-math.inf), ENDS) | st.tuples(ENDS, st.just(math.inf))


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(RANGES | OPEN, max_size=2), st.sampled_from(ENDINGS))
def test_any_missing_ranges_are_read_again(tmp_path: Path, ranges: list, ending: str) -> None:
    ranges = list(dict.fromkeys((float(low), float(high)) for low, high in ranges if low < high))
    mood = replace(TYPES["mood"], missing_ranges=tuple(ranges))
    path = tmp_path / f"codebook{ending}"
    types = TypeReport([mood, ColumnType("income", "count", missing_ranges=tuple(ranges))])
    types.to_codebook(path)
    book = autotype.Codebook.read(path)
    assert book.columns["mood"].missing_ranges == tuple(ranges)
    assert book.columns["mood"].missing == (-9,)
    assert book.columns["income"].missing_ranges == tuple(ranges)
    assert TypeReport.from_json(types.to_json()) == types


def test_ranges_go_with_the_types_from_file_to_file(tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat")
    income = [1200, 1500, 1900, 2300, -7, 99, None, 2750] * 5
    frame = pd.DataFrame({"mood": [1, 2, 3, -9, 3, 2, 1, -8] * 5, "income": income})
    entry = autotype.types.codebook.CodebookEntry
    book = autotype.types.codebook.Codebook(
        {
            "mood": entry(values={1: "bad", 2: "fair", 3: "good"}, missing_ranges=((-99, -1),)),
            "income": entry(missing=(99,), missing_ranges=((-math.inf, -1),)),
        }
    )
    autotype.write_table(frame, tmp_path / "a.sav", codebook=book)
    types = autotype.infer_types(autotype.read_table(tmp_path / "a.sav"))
    assert types["income"].missing_ranges == ((-math.inf, -1),)
    types.to_json(tmp_path / "types.json")
    read = TypeReport.from_json((tmp_path / "types.json").read_text(encoding="utf-8"))
    autotype.write_table(frame, tmp_path / "b.sav", types=read)
    columns = autotype.read_table(tmp_path / "b.sav").codebook.columns
    assert columns["mood"].missing_ranges == ((-99, -1),)
    assert (columns["income"].missing, columns["income"].missing_ranges) == (
        (99,),
        ((-math.inf, -1),),
    )


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_types_that_go_through_a_codebook_stay(tmp_path: Path, data: st.DataObject) -> None:
    """Levels that no row holds stay numbers, and names keep their column though a cell trims."""
    codes = data.draw(st.lists(st.integers(-20, 99), min_size=3, max_size=6, unique=True))
    order, off = data.draw(st.permutations(codes)), data.draw(st.integers(0, 1))
    held = data.draw(st.lists(st.sampled_from(codes), min_size=1, unique=True))
    name = data.draw(st.sampled_from(["q", "  How  often? ", "two\nlines"]))
    labels = data.draw(st.fixed_dictionaries(dict.fromkeys(codes, CELLS)))
    counts = {code: 3 if code in held else 0 for code in order}
    column = ColumnType(
        name,
        "ordinal",
        order=tuple(order[off:]),
        off_scale=tuple(order[:off]),
        levels=counts,
        labels=labels,
        title=data.draw(CELLS),
    )
    path = tmp_path / f"codebook{data.draw(st.sampled_from(ENDINGS))}"
    TypeReport([column, ColumnType("other", "continuous")]).to_codebook(path)
    frame = pd.DataFrame({name: held * 3, "other": 0.5})
    found = autotype.infer_types(frame, known=path, codebook=autotype.Codebook.read(path))[name]
    assert (found.order, found.off_scale) == (column.order, column.off_scale)
    assert list(map(type, found.order)) == [int] * len(found.order)
    read = {code: " ".join(text.split()) for code, text in found.labels.items()}
    assert read == {code: " ".join(text.split()) for code, text in labels.items()}


@pytest.mark.parametrize(
    "text",
    ['{"codebook": [', '{"codebook": [3]}', '{"codebook": 3}', '{"codebook": [{"values": [1]}]}'],
)
def test_a_damaged_codebook_of_json_is_no_known_types(tmp_path, text) -> None:
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableTypesError, match=r"c\.json: is no"):
        autotype.infer_types(FRAME, known=tmp_path / "c.json")


def test_a_guess_at_an_order_does_not_become_a_statement(tmp_path: Path) -> None:
    levels = {"x": 5, "bad": 5, "good": 5}
    pairs = (("bad", "good"),)
    column = ColumnType(
        "q",
        "ordinal",
        0.9,
        levels=levels,
        best_order=tuple(levels),
        partial_order=pairs,
        n_levels=3,
    )
    TypeReport([column]).to_codebook(tmp_path / "q.csv")
    frame = pd.DataFrame({"q": [*levels] * 5})
    again = autotype.infer_types(frame, known=tmp_path / "q.csv")["q"]
    assert again.provenance == "inferred"

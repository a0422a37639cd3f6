"""Codebooks of every kind are read from files, by their content."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from autotype.errors import UnreadableTableError
from autotype.tables.codebooks.read import read_codebook
from autotype.tables.codebooks.xml_codebook import read_xml_codebook
from autotype.types.codebook import Codebook, CodebookEntry

MOOD = {1: "bad", 2: "good"}
REDCAP = (
    "Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"
    '"Choices, Calculations, OR Slider Labels",Matrix Group Name\n'
    'mood,base,,radio,How do you feel?,"1, bad | 2, good",grid\n'
    "smoker,base,,yesno,Do you smoke?,,\n"
    'drugs,base,,checkbox,Which drugs?,"1, aspirin | -2, none",\n'
)
DDI = """<?xml version="1.0"?>
<codeBook xmlns="ddi:codebook:2_5"><dataDscr>
<varGrp var="V1" name="grid"/>
<var ID="V1" name="mood" nature="ordinal"><labl>mood</labl>
<qstn><qstnLit>How do you <b>feel</b>?</qstnLit></qstn>
<invalrng><item VALUE="8"/><range min="-99" max="-1"/></invalrng>
<catgry><catValu>1</catValu><labl>bad</labl></catgry>
<catgry><catValu>2</catValu><labl>good</labl></catgry>
<catgry missing="Y"><catValu>9</catValu><labl>refused</labl></catgry>
</var></dataDscr></codeBook>"""
SPSS = """* Encoding: UTF-8.
VARIABLE LABELS mood 'How do you feel?' /age "Age, don''t guess".
add value labels mood mood1 TO mood3 1 'bad'
  2 "good" /sex 'm' 'male'.
MISSING VALUES mood (9, 99) /age (LO THRU -1, 999).
VARIABLE LEVEL mood (ORDINAL) age (SCALE).
COMPUTE x = 1.
VALUE LABELS bad 1 2.
"""
STATA = """* labels
label define mood_l 1 "bad" 2 `"so "good""' .a "refused", modify
#delimit ;
label define mood_l
  3 "best", add ;
#delimit cr
label values mood x1-x3 /// continued
  mood_l
la var mood "How do you feel?"
label values y* mood_l
label values z nolabel
"""
LIMESURVEY = """<?xml version="1.0"?><document><LimeSurveyDocType>Survey</LimeSurveyDocType>
<questions><rows>
<row><qid>1</qid><parent_qid>0</parent_qid><title>Q1</title><question>Agree?</question></row>
</rows></questions>
<subquestions><rows>
<row><qid>2</qid><parent_qid>1</parent_qid><title>SQ1</title><question>It works</question></row>
</rows></subquestions>
<answers><rows>
<row><qid>1</qid><code>A2</code><answer><![CDATA[no]]></answer><sortorder>2</sortorder></row>
<row><qid>1</qid><code>A1</code><answer>yes</answer><sortorder>1</sortorder></row>
</rows></answers></document>"""


def read(tmp_path: Path, name: str, text: str) -> Codebook:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_codebook(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "variable,question,values\nmood,How do you feel?,1=bad; 2=good\n",
        "Variable Name;Label;Value labels\nmood;How do you feel?;1: bad | 2: good\n",
        "Variable;Frage;Wertelabels\nmood;How do you feel?;1 = bad, 2 = good\n",
        "변수명,질문,보기\nmood,How do you feel?,1. bad|2. good\n",
        "variable,label,code,code label\nmood,How do you feel?,1,bad\n,,2,good\n",
        "mood,How do you feel?,1=bad; 2=good\nage,How old?,\nsex,,1=m; 2=f\n",
    ],
)
def test_dictionaries(tmp_path: Path, text: str) -> None:
    entry = read(tmp_path, "a.csv", text).columns["mood"]
    assert (entry.label, entry.values) == ("How do you feel?", MOOD)


def test_dictionaries_in_the_sheets_of_a_workbook(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    one = pd.DataFrame({"variable": ["mood"], "label": ["How do you feel?"]})
    other = pd.DataFrame({"variable": ["mood", None], "value": [1, 2], "category": ["bad", "good"]})
    with pd.ExcelWriter(path) as book:
        one.to_excel(book, sheet_name="questions", index=False)
        other.to_excel(book, sheet_name="codes", index=False)
    entry = read_codebook(str(path)).columns["mood"]
    assert (entry.label, entry.values) == ("How do you feel?", MOOD)


def test_redcap(tmp_path: Path) -> None:
    columns = read(tmp_path, "a.csv", REDCAP).columns
    assert columns["mood"] == CodebookEntry("How do you feel?", values=MOOD, group="grid")
    assert columns["smoker"].values == {1: "Yes", 0: "No"}
    assert "drugs" not in columns
    box = columns["drugs____2"]
    assert (box.label, box.group) == ("Which drugs?: none", "drugs")


@pytest.mark.parametrize(
    "document",
    [
        {"fields": [{"name": "mood", "title": "How do you feel?", "categories": [
            {"value": 1, "label": "bad"}, {"value": 2, "label": "good"}]}]},
        {"resources": [{"name": "x", "schema": {"fields": [
            {"name": "mood", "description": "How do you feel?", "values": "1=bad;2=good"}]}}]},
        {"variables": {"mood": {
            "label": "How do you feel?", "value_labels": {"1": "bad", "2": "good"}}}},
        {"mood": {"LongName": "How do you feel?", "Levels": {"1": "bad", "2": "good"}}},
    ],
)  # fmt: skip
def test_json(tmp_path: Path, document: object) -> None:
    entry = read(tmp_path, "a.json", json.dumps(document)).columns["mood"]
    assert (entry.label, entry.values) == ("How do you feel?", MOOD)


def test_missing_values_and_order_of_a_table_schema(tmp_path: Path) -> None:
    field = {"name": "q", "categories": ["low", "high"], "categoriesOrdered": True}
    schema = {"fields": [field], "missingValues": ["", "-9", "NA"]}
    entry = read(tmp_path, "a.json", json.dumps(schema)).columns["q"]
    assert entry.missing == (-9, "NA")
    assert entry.measure == "ordinal"
    assert entry.values == {"low": "low", "high": "high"}


def test_ddi(tmp_path: Path) -> None:
    assert read(tmp_path, "a.xml", DDI).columns["mood"] == CodebookEntry(
        "How do you feel?",
        values={**MOOD, 9: "refused"},
        missing=(9, 8),
        missing_ranges=((-99.0, -1.0),),
        measure="ordinal",
        group="grid",
    )


def test_declared_entities_are_refused(tmp_path: Path) -> None:
    bomb = DDI.replace("<codeBook", '<!DOCTYPE x [<!ENTITY a "b">]><codeBook', 1)
    with pytest.raises(UnreadableTableError, match="declares entities"):
        read(tmp_path, "a.xml", bomb)
    with pytest.raises(UnreadableTableError, match="declares entities"):
        read_xml_codebook(bomb.encode("utf-16"), "a.xml")


def test_limesurvey(tmp_path: Path) -> None:
    columns = read(tmp_path, "a.lss", LIMESURVEY).columns
    assert columns["Q1[SQ1]"].label == "Agree? [It works]"
    assert list(columns["Q1[SQ1]"].values.items()) == [("A1", "yes"), ("A2", "no")]
    assert columns["Q1[SQ1]"].group == "Q1"


def test_limesurvey_with_parts_among_the_questions(tmp_path: Path) -> None:
    moved = LIMESURVEY.replace("</rows></questions>\n<subquestions><rows>", "").replace(
        "</rows></subquestions>", "</rows></questions>"
    )
    columns = read(tmp_path, "a.lss", moved).columns
    assert columns == read(tmp_path, "b.lss", LIMESURVEY).columns
    assert "SQ1" not in columns


def test_syntax_of_spss(tmp_path: Path) -> None:
    book = read(tmp_path, "a.sps", SPSS)
    mood = CodebookEntry("How do you feel?", values=MOOD, missing=(9, 99), measure="ordinal")
    assert book.columns["mood"] == mood
    assert book.columns["mood2"].values == MOOD
    assert book.columns["sex"].values == {"m": "male"}
    age = book.columns["age"]
    assert (age.label, age.missing, age.measure) == ("Age, don''t guess", (999,), "scale")
    assert age.missing_ranges == ((-float("inf"), -1.0),)
    assert book.doubts == ("line 8: not understood: 'VALUE LABELS bad 1 2'",)


def test_syntax_of_stata(tmp_path: Path) -> None:
    book = read(tmp_path, "a.do", STATA)
    values = {1: "bad", 2: 'so "good"', ".a": "refused", 3: "best"}
    assert book.columns["mood"].values == values
    assert book.columns["mood"].label == "How do you feel?"
    assert book.columns["x2"].missing == (".a",)
    assert [doubt.partition(":")[0] for doubt in book.doubts] == ["line 10", "line 11"]


SAS = """/* the survey's formats */
proc format library=work;
  value mood (default=12) 1='bad' 2="good" 8, 9='Don''t know; no answer' .A='skipped' .='none';
  value $region 'N'='North' S='South' other='?';
  value agegrp low-17='minor' 18 - 64='adult' 65-high='senior';
  value unused 1='left' 2='right';
run;
* a comment with apostrophe's; data x; set y;
  format q1-q2 mood3. region $region. age agegrp. day date9. size 8.2;
  label q1 = 'How do you feel?' q2="Now; or later";
  attrib q3 label='Third' format=mood. length=8 q4 length=$20 label="Fourth";
run;
"""


def test_programs_of_sas(tmp_path: Path) -> None:
    book = read(tmp_path, "a.sas", SAS)
    mood = {1: "bad", 2: "good", 8: "Don't know; no answer", 9: "Don't know; no answer"}
    mood |= {".a": "skipped"}
    assert {name: book.columns[name].values for name in ("q1", "q2", "q3")} == dict.fromkeys(
        ("q1", "q2", "q3"), mood
    )
    assert book.columns["q1"].missing == (".a",)
    assert book.columns["region"].values == {"N": "North", "S": "South"}
    titles = {name: entry.label for name, entry in book.columns.items() if entry.label}
    assert titles == {
        "q1": "How do you feel?",
        "q2": "Now; or later",
        "q3": "Third",
        "q4": "Fourth",
    }
    assert book.columns["age"].values == {}  # groups of values have no label of their own
    assert book.lists == {"unused": {1: "left", 2: "right"}}
    assert book.doubts == ()


@pytest.mark.parametrize("stem", ["", "Option ", "Antwort_"])
def test_a_column_of_a_dictionary_for_each_value(tmp_path: Path, stem: str) -> None:
    header = ["variable", "label", *(f"{stem}{k}" for k in (1, 2, 9)), "2019", "2020"]
    text = f"{','.join(header)}\nmood,Mood,bad,good,refused,x,x\nage,Age,,,,x,\n"
    book = read(tmp_path, "a.csv", text)
    assert book.columns["mood"].values == {**MOOD, 9: "refused"}
    assert book.columns["age"].values == {}


def test_the_content_of_a_text_file_decides_whether_it_is_syntax(tmp_path: Path) -> None:
    assert read(tmp_path, "a.txt", SPSS).columns["mood"].values == MOOD
    assert read(tmp_path, "b.txt", STATA).columns["mood"].label == "How do you feel?"
    table = "variable label\tlabel\tvalues\nmood\tlabel define\t1=bad; 2=good\nx\ty\t\n"
    assert read(tmp_path, "c.txt", table).columns["mood"].values == MOOD


def test_a_labelled_file_is_a_codebook(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    path = str(tmp_path / "a.sav")
    pyreadstat.write_sav(
        pd.DataFrame({"mood": [1.0]}), path, variable_value_labels={"mood": {1: "bad", 2: "good"}}
    )
    assert read_codebook(path).columns["mood"].values == MOOD


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "a,b\n1,2\n3,4\n"),
        ("a.json", "[1, 2]"),
        ("a.xml", "<?xml version='1.0'?><a/>"),
        ("a.xml", "<?xml version='1.0' encoding='ISO-0'?><codeBook/>"),
        ("a.xml", "<codeBook><var"),
        ("a.xml", "<DDIInstance xmlns='ddi:instance:3_2'/>"),
        ("a.pdf", "%PDF-1.4 a codebook"),
    ],
)
def test_other_files_are_errors(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(UnreadableTableError, match="Codebooks are read from data dictionaries"):
        read(tmp_path, name, text)


def test_the_choices_of_an_xlsform_alone(tmp_path: Path) -> None:
    text = "list_name,name,label::English\nyn,yes,Yes\nyn,no,No\nmood,1,bad\nmood,2,good\n"
    book = read(tmp_path, "a.csv", text)
    entry = book.entry_of("q1", ["1", "2"])
    assert entry is not None
    assert entry.values == MOOD
    assert book.entry_of("q2", ["1", "3"]) is None
    assert book.entry_of("q3", ["1"]) is None


def test_an_xlsform(tmp_path: Path) -> None:
    path = tmp_path / "form.xlsx"
    survey = pd.DataFrame(
        {"type": ["select_one mood"], "name": ["q1"], "label": ["How do you feel?"]}
    )
    choices = pd.DataFrame(
        {"list_name": ["mood", "mood"], "name": [1, 2], "label": ["bad", "good"]}
    )
    with pd.ExcelWriter(path) as book:
        survey.to_excel(book, sheet_name="survey", index=False)
        choices.to_excel(book, sheet_name="choices", index=False)
    entry = read_codebook(str(path)).columns["q1"]
    assert (entry.label, entry.values) == ("How do you feel?", MOOD)


def test_a_dictionary_of_values_without_texts(tmp_path: Path) -> None:
    book = read(tmp_path, "a.csv", "variable,code,missing\nmood,1,\n,9,yes\n")
    assert book.columns["mood"].missing == (9,)


def test_a_document_that_is_cut_short(tmp_path: Path) -> None:
    text = '<codeBook><dataDscr><var name="a"><labl>x</labl></var>'
    with pytest.raises(UnreadableTableError, match="not a readable XML document: no element"):
        read(tmp_path, "a.xml", text)
    assert list(read(tmp_path, "a.xml", f"{text}</dataDscr></codeBook>").columns) == ["a"]


def test_how_large_a_codebook_may_be(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("variable,label\nq1,Sex\n", "utf-8")
    monkeypatch.setattr("autotype.tables.codebooks.read._MOST_BYTES", path.stat().st_size)
    assert read_codebook(str(path)).columns["q1"].label == "Sex"
    monkeypatch.setattr("autotype.tables.codebooks.read._MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(UnreadableTableError, match="too large for a codebook: over 64 MB"):
        read_codebook(str(path))

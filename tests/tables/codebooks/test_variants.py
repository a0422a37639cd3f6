"""Codebooks as people and programs write them: continued, quoted, wrapped, in other languages."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import pytest

from autotype.tables.codebooks.read import read_codebook
from autotype.types.codebook import Codebook, CodebookEntry

DDI = r"""<?xml version="1.0"?>
<OAI><record><metadata><ddi:codeBook xmlns:ddi="ddi:codebook:2_5" version="2.5"><ddi:dataDscr>
<ddi:varGrp ID="G1" type="multipleResp" var="V1 V2"><ddi:labl>Grid é</ddi:labl></ddi:varGrp>
<ddi:var ID="V1" name="q1" intrvl="discrete">
<ddi:location width="2"/><ddi:labl level="variable">Short
 label</ddi:labl>
<ddi:qstn><ddi:preQTxt>pre</ddi:preQTxt><ddi:qstnLit>
  How do you
  feel?</ddi:qstnLit></ddi:qstn><ddi:valrng><ddi:range min="1" max="5"/></ddi:valrng>
<ddi:invalrng>
<ddi:range UNITS="REAL" min="97" max="99"/><ddi:item UNITS="REAL" VALUE="0"/></ddi:invalrng>
<ddi:catgryGrp><ddi:labl>neg</ddi:labl><ddi:catgry/></ddi:catgryGrp>
<ddi:catgry><ddi:catValu> 1 </ddi:catValu><ddi:labl xml:lang="en">bad</ddi:labl>
<ddi:labl xml:lang="fr">mauvais</ddi:labl>
<ddi:catStat type="freq">12</ddi:catStat></ddi:catgry>
<ddi:catgry><ddi:catValu>2</ddi:catValu><ddi:labl>good &amp; fine</ddi:labl></ddi:catgry>
<ddi:catgry missing="Y" missType="nr">
<ddi:catValu>Sysmiss</ddi:catValu><ddi:catStat>4</ddi:catStat></ddi:catgry>
<ddi:varFormat type="numeric" schema="SPSS">F2.0</ddi:varFormat></ddi:var>
<ddi:var ID="V2" name="q2"><ddi:labl>Nothing</ddi:labl><ddi:invalrng>
<ddi:range max="-1"/><ddi:range min="x"/></ddi:invalrng></ddi:var>
</ddi:dataDscr></ddi:codeBook></metadata></record></OAI>"""

SPSS = r"""* A comment
  over two lines.
COMMENT another VALUE LABELS x 1 'no'.
/* block comment VALUE LABELS y 1 'no'. */
GET FILE='c:\data\x.sav'.
VARIABLE LABELS
   q1  'How do you feel, ' +
       "today?"   /* the first */
  q2 "It's"
  /q3 'Don''t know why'.
VALUE LABELS
  q1, q2
   -1 'Refused.'
   1"bad"
   2 'so ' + 'so'
   3.0 "good / fine"
  /sex 'm' 'male' 'f' "fem'ale"
  /q4 TO q6
   1 'low'
   2 'high'
.
MISSING VALUES q1 q2 (-1) / sex ('x', ' ') /q4 TO q6 (97 THRU HI, 0).
MISSING VALUES q3 (LOWEST thru -1).
variable level q1 q2 (ordinal) /sex(nominal).
MRSETS /MDGROUP NAME=$multi LABEL='Which?' CATEGORYLABELS=VARLABELS VARIABLES=q4 q5 q6 VALUE=1
  /DISPLAY NAME=[$multi].
EXECUTE.
add value labels q1 9 'dk'.
VALUE LABELS q7 1 'no closing dot'
"""

STATA = r"""capture log close
version 14
/* block
 label define no 1 "x" */
* label define no2 1 "x"
cap label define agree 1 "disagree" ///  comment here
    2 `"so "so""'  ///
    3 "agree // not" .a "refused" -9 "dk", replace
la def yn 0 "no" 1 "yes"
foreach v of varlist q1 q2 q3 {
    label values `v' agree
    label variable `v' "Question `v'"
}
foreach v in a b {
  lab val `v' yn
}
forvalues i = 1/3 {
   label val w`i' yn
}
lab values z1-z3 yn, nofix
qui la var q9 `"He said "hi""'
label values q10 nosuch
mvdecode q1 q2, mv(-9=.a \ -8=.b)
#delimit ;
label define long
   1 "one"
   2 "two" ;
label values q11
   long ;
#delimit cr
label var q11 "It's"
"""

REDCAP = (
    '"Variable / Field Name","Form Name","Section Header","Field Type","Field Label",'
    '"Choices, Calculations, OR Slider Labels","Field Note","Text Validation Type OR '
    'Show Slider Number","Text Validation Min","Text Validation Max",Identifier?,"Bra'
    'nching Logic (Show field only if...)","Required Field?","Custom Alignment","Ques'
    'tion Number (surveys only)","Matrix Group Name","Matrix Ranking?","Field Annotat'
    'ion"\n'
    'record_id,base,,text,"Record ID",,,,,,,,,,,,,\n'
    'race,base,,radio,"<div class=""rich-text""><p>Race, or <b>origin</b>?</p></div>"'
    ',"white, White, non-hispanic | black_aa, Black | -1, Other",,,,,,,,,,,,\n'
    'bmi,base,,calc,BMI,"[weight]/([height]*[height])",,,,,,,,,,,,\n'
    'pain,base,,slider,Pain,"none | mid | worst",,number,0,100,,,,,,,,\n'
    'drugs,base,,checkbox,"Drugs?","1, aspirin | 2a, other, or none | -99, refused",,'
    ",,,,,,,,,,\n"
    'agree1,base,,radio,"I like it","1, Disagree|2, Neutral|3, Agree",,,,,,,,,,likes,'
    ",\n"
    'sex,base,,dropdown,Sex,"1, Male\n'
    '2, Female",,,,,,,,,,,,\n'
    "smoke,base,,truefalse,Smoke?,,,,,,,,,,,,,\n"
)
PACKAGE = {
    "resources": [
        {
            "path": "r.csv",
            "schema": {
                "fields": [
                    {
                        "name": "q1",
                        "title": "How?",
                        "missingValues": [{"value": "-99", "label": "Refused"}, "-98", ""],
                        "categories": [{"value": 1, "label": "bad"}, {"value": 2, "label": "good"}],
                        "categoriesOrdered": True,
                    },
                    {"name": "q2", "type": "string", "constraints": {"enum": ["low", "high"]}},
                    {"name": "q3", "type": "integer", "categories": [1, 2, 3]},
                ],
                "missingValues": ["", "NA", {"value": "-9", "label": "skipped"}],
            },
        }
    ]
}


def read(tmp_path: Path, name: str, content: str | bytes) -> Codebook:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_codebook(str(path))


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_ddi_with_a_prefix_inside_a_catalogue(tmp_path: Path, encoding: str) -> None:
    stated = DDI.replace("?>", f' encoding="{encoding}"?>', 1)
    book = read(tmp_path, "a.xml", stated.encode(encoding))
    assert book.columns["q1"] == CodebookEntry(
        "How do you feel?",
        values={1: "bad", 2: "good & fine"},
        missing=("Sysmiss", 0),
        missing_ranges=((97.0, 99.0),),
        group="Grid é",
    )
    assert book.columns["q2"].missing_ranges == ((-inf, -1.0),)
    assert book.doubts == ("column 'q2': not a range of numbers: 'x' to 'inf'",)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_syntax_of_spss(tmp_path: Path, encoding: str) -> None:
    columns = read(tmp_path, "a.sps", SPSS.encode(encoding)).columns
    values = {-1: "Refused.", 1: "bad", 2: "so so", 3: "good / fine"}
    assert columns["q1"] == CodebookEntry(
        "How do you feel, today?", values={**values, 9: "dk"}, missing=(-1,), measure="ordinal"
    )
    assert (columns["q2"].label, columns["q2"].values) == ("It's", values)
    assert (columns["q3"].label, columns["q3"].missing_ranges) == ("Don't know why", ((-inf, -1),))
    assert columns["sex"].values == {"m": "male", "f": "fem'ale"}
    assert (columns["sex"].measure, columns["sex"].missing) == ("nominal", ("x", ""))
    for name in ("q4", "q5", "q6"):
        assert columns[name] == CodebookEntry(
            values={1: "low", 2: "high"},
            missing=(0,),
            missing_ranges=((97.0, inf),),
            group="$multi",
        )
    assert columns["q7"].values == {1: "no closing dot"}
    assert list(columns) == ["q1", "q2", "q3", "sex", "q4", "q5", "q6", "q7"]


def test_do_files_of_stata_with_loops(tmp_path: Path) -> None:
    book = read(tmp_path, "a.do", STATA)
    columns = book.columns
    agree = {1: "disagree", 2: 'so "so"', 3: "agree // not", ".a": "refused", -9: "dk"}
    for name in ("q1", "q2", "q3"):
        assert (columns[name].label, columns[name].values) == (f"Question {name}", agree)
    assert columns["q1"].missing == (".a", -9, -8)
    for name in ("a", "b", "w1", "w2", "w3", "z1", "z2", "z3"):
        assert columns[name].values == {0: "no", 1: "yes"}
    assert columns["q9"].label == 'He said "hi"'
    assert (columns["q11"].label, columns["q11"].values) == ("It's", {1: "one", 2: "two"})
    assert book.doubts == ("line 22: no label 'nosuch' is defined",)


def test_loops_that_fill_the_memory_are_not_written_out(tmp_path: Path) -> None:
    loops = "".join(f"forvalues {v} = 1/99999 {{\n" for v in "abcd")
    text = f'label define yn 0 "no"\n{loops}label values x`d\' yn\n' + "}\n" * 4
    assert 0 < len(read(tmp_path, "a.do", text).columns) <= 100_000
    ranges = read(tmp_path, "a.sps", "VALUE LABELS q1 TO q999999999 1 'a'.")
    assert list(ranges.columns) == ["q1", "q999999999"]


def test_a_dictionary_of_redcap(tmp_path: Path) -> None:
    columns = read(tmp_path, "a.csv", REDCAP).columns
    assert columns["race"].label == "Race, or origin?"
    assert columns["race"].values == {
        "white": "White, non-hispanic",
        "black_aa": "Black",
        -1: "Other",
    }
    assert [name for name in columns if name.startswith("drugs")] == [
        "drugs___1",
        "drugs___2a",
        "drugs____99",
    ]
    assert columns["drugs___2a"].label == "Drugs?: other, or none"
    assert columns["agree1"].group == "likes"
    assert columns["sex"].values == {1: "Male", 2: "Female"}
    assert columns["bmi"].values == columns["pain"].values == {}


def test_missing_values_of_a_data_package(tmp_path: Path) -> None:
    columns = read(tmp_path, "datapackage.json", json.dumps(PACKAGE)).columns
    values = {1: "bad", 2: "good", -99: "Refused", -9: "skipped"}
    missing = (-99, -98, "NA", -9)
    assert columns["q1"] == CodebookEntry("How?", "", values, missing, measure="ordinal")
    assert columns["q2"].values == {"low": "low", "high": "high", -9: "skipped"}
    assert columns["q3"] == CodebookEntry(missing=("NA", -9))


@pytest.mark.parametrize(
    ("text", "encoding", "entry"),
    [
        (
            "Nom de la variable;Libellé;Modalités;Valeurs manquantes\n"
            'q1;Satisfaction ?;"1 = pas du tout ; 2 = un peu ; 3 = très";9\n'
            "q2;Âge;;999\n",
            "cp1252",
            CodebookEntry(
                "Satisfaction ?", values={1: "pas du tout", 2: "un peu", 3: "très"}, missing=(9,)
            ),
        ),
        (
            "Variable,Etiqueta,Valores,Valores perdidos\n"
            'q1,¿Cómo?,"1: malo, 2: regular, 3: bueno","99, 98"\n'
            "q2,Edad,,\n",
            "utf-8",
            CodebookEntry("¿Cómo?", values={1: "malo", 2: "regular", 3: "bueno"}, missing=(99, 98)),
        ),
        (
            "Переменная;Вопрос;Значения\n"
            'q1;Как?;"1 - плохо; 2 - хорошо"\n'
            "q2;Возраст;1 – да, 2 – нет\n",
            "cp1251",
            CodebookEntry("Как?", values={1: "плохо", 2: "хорошо"}, missing=()),
        ),
        (
            "変数名,質問文,選択肢\nq1,満足度,1：不満\u30002：普通\u30003：満足\nq2,年齢,\n",
            "cp932",
            CodebookEntry("満足度", values={1: "不満", 2: "普通", 3: "満足"}, missing=()),
        ),
        (
            "变量名,标签,取值\nq1,满意度,1=不满意；2=一般；3=满意\nq2,年龄,\n",
            "gb18030",
            CodebookEntry("满意度", values={1: "不满意", 2: "一般", 3: "满意"}, missing=()),
        ),
        (
            "المتغير,السؤال,القيم\nq1,كيف؟,1= سيئ، 2= جيد\nq2,العمر,\n",
            "utf-8",
            CodebookEntry("كيف؟", values={1: "سيئ", 2: "جيد"}, missing=()),
        ),
        (
            "zmienna\tetykieta\twartości\nq1\tJak?\t1. źle; 2. dobrze\nq2\twiek\t\n",
            "cp1250",
            CodebookEntry("Jak?", values={1: "źle", 2: "dobrze"}, missing=()),
        ),
        (
            "Variable;Fragetext;Code;Wertelabel;Fehlende Werte\n"
            "q1;Wie?;1;schlecht;\n"
            ";;2;gut;\n"
            ";;-9;keine Angabe;-9\n"
            "alter;Alter;;;\n",
            "utf-8",
            CodebookEntry(
                "Wie?", values={1: "schlecht", 2: "gut", -9: "keine Angabe"}, missing=(-9,)
            ),
        ),
    ],
)
def test_dictionaries_in_other_languages(
    tmp_path: Path, text: str, encoding: str, entry: CodebookEntry
) -> None:
    assert read(tmp_path, "a.csv", text.encode(encoding)).columns["q1"] == entry


MOODS = {1: "bad", 2: "fair", 3: "good"}


@pytest.mark.parametrize(
    "cell",
    [
        "(1) bad (2) fair (3) good",
        "1) bad 2) fair 3) good",
        "bad=1; fair=2; good=3",
        "bad (1), fair (2), good (3)",
        "① bad ② fair ③ good",
        "１：bad、２：fair、３：good",
    ],
)
def test_lists_of_values_in_one_cell(tmp_path: Path, cell: str) -> None:
    text = f'variable,question,values\nq1,How?,"{cell}"\n'
    assert read(tmp_path, "a.csv", text).columns["q1"].values == MOODS


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("variable;value;label", "q1;1;bad|q1;2;fair|q1;3;good|q2;0;no|q2;1;yes"),
        ("variable;value;label", "q1;1;bad|;2;fair|;3;good|q2;0;no|;1;yes"),
        (
            "Variable;Variable label;Value;Value label",
            "q1;How?;1;bad|;;2;fair|;;3;good|q2;Smoke?;0;no|;;1;yes",
        ),
        ("Variable;Question;Code;Label", "q1;How?;1;bad|;;2;fair|;;3;good|q2;Smoke?;0;no|;;1;yes"),
        (
            "zmienna;opis;wartość;etykieta",
            "q1;How?;1;bad|q1;How?;2;fair|q1;How?;3;good|q2;Smoke?;0;no|q2;Smoke?;1;yes",
        ),
        ("Value;;Label", "q1;1;bad|;2;fair|;3;good|q2;0;no|;1;yes"),
    ],
)
def test_a_row_for_each_value(tmp_path: Path, header: str, rows: str) -> None:
    text = "\n".join([header, *rows.split("|")]) + "\n"
    columns = read(tmp_path, "a.csv", text).columns
    assert columns["q1"].values == MOODS
    assert columns["q2"].values == {0: "no", 1: "yes"}
    asked = "How?" if "How?" in rows else ""
    assert columns["q1"].label == asked


def test_rows_that_repeat_the_label_of_the_column(tmp_path: Path) -> None:
    text = "variable,label,value,missing\nq1,How?,1=bad,\nq1,How?,-9,yes\n"
    entry = read(tmp_path, "a.csv", text).columns["q1"]
    assert (entry.label, entry.missing) == ("How?", (-9,))


def test_other_schemas_in_json(tmp_path: Path) -> None:
    csvw = {"tableSchema": {"columns": [{"name": "q1", "titles": "How?"}]}}
    assert read(tmp_path, "a.json", json.dumps(csvw)).columns["q1"].label == "How?"
    values = [{"value": value, "name": name} for value, name in MOODS.items()]
    described = {"name": "q1", "description": "How?", "valueReference": values}
    schema_org = {"@type": "Dataset", "variableMeasured": [described]}
    entry = read(tmp_path, "b.json", json.dumps(schema_org)).columns["q1"]
    assert (entry.label, entry.values) == ("How?", MOODS)


def test_lines_in_cells_of_a_page(tmp_path: Path) -> None:
    row = "<tr><td>q1</td><td>How?</td><td>1 = bad<br>2 = fair<br/>3 = good</td></tr>"
    text = f"<table><tr><th>Variable</th><th>Label</th><th>Values</th></tr>{row}</table>"
    entry = read(tmp_path, "a.html", text).columns["q1"]
    assert (entry.label, entry.values) == ("How?", MOODS)


def test_missing_codes_that_commands_of_stata_add_up(tmp_path: Path) -> None:
    text = 'label var q1 "How?"\nlabel var q2 "When?"\nmvdecode _all, mv(-9)\nmvdecode q1, mv(-8)\n'
    columns = read(tmp_path, "a.do", text).columns
    assert (columns["q1"].missing, columns["q2"].missing) == ((-9, -8), (-9,))

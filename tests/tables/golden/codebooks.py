"""Codebooks of all kinds: syntax, dictionaries, JSON and XML, some with faults."""

from __future__ import annotations

import csv
import io
import json
from random import Random
from typing import Any

from autotype.tables.codebooks.read import read_codebook
from tests.tables.golden.shown import codebook, shown

LABELS = ["bad", "so so", "good", "Don't know", 'say "A"', "low / none", "yes", "no", "Refused."]
LABELS += ["a, b", "n/a", "", "x=1"]
VARIABLES = ["q1", "q2", "q3", "q9", "Q10", "v01", "v02", "sex", "a.b", "x", "q_1", "grid[1]"]
CODES = ["1", "2", "3", "-1", "0", "9", "99", "1.0", "2.5", "01", "'m'", '"f"', ".a", "-9"]
LISTED = ["q1 TO q3", "q1-q3", "v01 to v03", "q1, q2", "q1 q2", "sex", "q9 TO q2", "a TO b", "q1"]
LISTED += ["x y z", "v09-v11", "q1 TO q20000000"]
COMMANDS = ["VALUE LABELS", "val lab", "ADD VALUE LABELS"]
NAMED = ["q1-q3", "q1 q2", "sex", "q*", "q?", "q3-q1"]
RANGES = ["1/3", "2/2", "3/1", "1/200000"]
FORMATS = ["yn.", "$yn.", "sc8.", "date9.", "SC."]
HEADERS = {
    "name": ["variable", "Variable Name", "name", "Field", "column", "Variable / Field Name"],
    "label": ["label", "Question", "description", "Field Label", "Title"],
    "values": ["values", "Choices, Calculations, OR Slider Labels", "value labels", "codes"],
    "missing": ["missing", "missing values"],
    "unit": ["unit", "units"],
    "measure": ["measure", "type", "scale"],
    "value": ["value", "code"],
    "group": ["group", "section"],
    "kind": ["Field Type"],
    "other": ["x", "notes"],
}
CELLS = {
    "label": [*LABELS, "<b>How</b> do you feel?", "<p>Age</p>"],
    "values": [
        "1=bad; 2=good",
        "1 = a | 2 = b | 9 = none",
        "0, No | 1, Yes",
        "1) low 2) high",
        "bad=1; good=2",
        "bad (1), good (2)",
        "{'a': 1, 'b': 2}",
        "1: x\n2: y",
        "1 - a, 2 - b",
        "①a②b",
        "１：男；２：女",
        "1=a",
        "1 a\n2 b",
        "(1) a (2) b",
        "-9 = none, 1 = some",
        "",
        "",
        "1. a; 2. b",
        "a, b",
        "1=a; 1=b",
        "see 1=a; 2=b",
        "1 to 7",
        "m=male; f=female",
        "x",
        "1=x=y; 2=z",
        ".a=ref; 1=yes",
        "1..5",
        "1->a; 2->b",
        "1=>a; 2=>b",
        "1→a/2→b",
    ],
    "missing": ["", "", "9", "-9, 99", "LO thru -1", "9; 97 to 99", "1..3", "NA", "yes", "９；８"],
    "unit": ["kg", "", "m"],
    "measure": ["ordinal", "nominal", "Likert (5 points)", "select_one yn", "", "scale"],
    "value": ["1", "2", "9", "", "1=a; 2=b", "01"],
    "group": ["g", "", "h"],
    "kind": ["radio", "checkbox", "yesno", "text", "truefalse", "dropdown", ""],
    "other": ["zz"],
}
VALUE_HEADERS = [["1", "2", "3"], ["Option 1", "Option 2"], ["0", "1"], ["5", "6"]]
VALUE_HEADERS += [["value_0", "value_1"], ["Wave 1", "Wave 2"]]
CHOICES = [
    ["list_name", "name", "label::English"],
    ["yn", "1", "Yes"],
    ["yn", "0", ""],
    ["", "2", ""],
]


def quoted(random: Random) -> str:
    sign = random.choice("'\"")
    return sign + random.choice(LABELS).replace(sign, sign * 2) + sign


def spss(random: Random) -> tuple[str, str]:
    """Return syntax of SPSS."""
    pick = random.choice

    def label() -> str:
        return quoted(random)

    def pairs() -> str:
        return pick(["\n  ", " "]).join(
            f"{pick(CODES)}{pick(' ')}{quoted(random)}" for _ in range(random.randint(1, 4))
        )

    def command() -> str:
        missing = pick(
            ["9", "8, 9", "97 THRU HI", "LO thru -1, 0", "1 thru 3", "'x'", "", "a thru b", "thru"]
        )
        return pick(
            [
                *[f"{pick(COMMANDS)} {pick(LISTED)} {pairs()}"] * 3,
                *[f"VALUE LABELS {pick(LISTED)} {pairs()} / {pick(LISTED)} {pairs()}"] * 2,
                f"VARIABLE LABELS {pick(VARIABLES)} {label()} + {label()}",
                f"VARIABLE LABELS {pick(VARIABLES)} {label()} /{pick(VARIABLES)} {label()}",
                *[f"MISSING VALUES {pick(LISTED)} ({missing})"] * 2,
                f"MISSING VALUES {pick(LISTED)} ({missing}) / {pick(LISTED)} (9)",
                f"VARIABLE LEVEL {pick(LISTED)} ({pick(['ordinal', 'NOMINAL', 'scale', 'odd'])})",
                f"MRSETS /MDGROUP NAME=$a LABEL='A' VARIABLES={pick(LISTED)} VALUE=1",
                f"MRSETS /MCGROUP NAME=$b VARIABLES={pick(LISTED)}\n /MDGROUP NAME=$c VARIABLES=x",
                pick(
                    [
                        "EXECUTE",
                        "/* VALUE LABELS q 1 'a' */",
                        "COMPUTE x = 1",
                        "",
                        "VALUE LABELS q1 1",
                    ]
                ),
                pick(["VAR LAB", "VALUE LABELS q1 1 'a' 2", "* note VALUE LABELS q 1 'x'"]),
            ]
        )

    ends = [pick([".", ".", ".", "", " .", ".\n\n"]) for _ in range(random.randint(1, 6))]
    return "".join(f"{command()}{end}\n" for end in ends), ".sps"


def stata(random: Random) -> tuple[str, str]:
    """Return a do-file of Stata."""
    pick = random.choice

    def label() -> str:
        return pick([f'`"{pick(LABELS)}"\'', '"{}"'.format(pick(LABELS).replace('"', ""))])

    def command() -> str:
        pairs = " ".join(f"{pick(CODES)} {label()}" for _ in range(random.randint(1, 4)))
        define = pick(
            ["label define", "lab de", "la def", "capture label define", "qui label define"]
        )
        more = pick(["", ", replace", ", modify", ' ///\n 5 "more"'])
        codes = pick(["9", "-9 99", "9=.a", "-9=.a \\ 99=.b", "1.5"])
        return pick(
            [
                *[f"{define} {pick(['yn', 'sc'])} {pairs}{more}"] * 3,
                *['label define yn 0 "no" 1 "yes"'] * 2,
                *[f"label values {pick(NAMED)} {pick(['yn', 'sc', 'none'])}"] * 3,
                f"label variable {pick(VARIABLES)} {label()}",
                f"mvdecode {pick(['_all', 'q1', 'q1 q2', 'q1-q3'])}, mv({codes})",
                f"foreach v {pick(['in q1 q2', 'of varlist q1-q3'])} {{\n label values `v' yn\n}}",
                "foreach k of numlist 1/3 {\n  label values q`k' yn\n}",
                f"forvalues i = {pick(RANGES)} {{\nlabel var q`i' \"Item `i'\"\n}}",
                pick(
                    [
                        "* label values q1 yn",
                        "// c",
                        '/* label define yn 1 "x"\n */',
                        "gen x = 1 // y",
                    ]
                ),
                pick(
                    [
                        '#delimit ;\nlabel define\nyn 3 "c";\n#delimit cr',
                        "label define yn 1",
                        "label",
                        "#d ;",
                    ]
                ),
            ]
        )

    return "".join(f"{command()}\n" for _ in range(random.randint(2, 8))), ".do"


def sas(random: Random) -> tuple[str, str]:
    """Return a program of SAS."""
    pick = random.choice

    def command() -> str:
        codes = [*CODES, "1, 2", "1-3", "low-high", "other", "OTHER", ".a", "."]
        pairs = " ".join(
            f"{pick(codes)}{pick(['=', ' = '])}{quoted(random)}"
            for _ in range(random.randint(1, 4))
        )
        return pick(
            [
                *[f"value {pick(['yn', '$yn', 'sc', 'yn (default=9)'])} {pairs};"] * 3,
                *[f"format {pick(['q1-q3', 'q1 q2', 'sex', 'q1 yn. q2'])} {pick(FORMATS)};"] * 2,
                f"label {pick(VARIABLES)}={quoted(random)} {pick(VARIABLES)} = {quoted(random)};",
                f"attrib {pick(VARIABLES)} label={quoted(random)} format={pick(FORMATS)} length=8;",
                pick(["/* value yn 5='x'; */", "* comment;", "run;", "data d; set e;", "value;"]),
            ]
        )

    begin = pick([*["proc format;"] * 9, "data a;"])
    return "\n".join([begin, *(command() for _ in range(random.randint(1, 6)))]), ".sas"


def dictionary(random: Random) -> tuple[str, str]:
    """Return a table that describes columns."""
    roles = ["name", *random.sample(list(HEADERS)[1:], random.randint(1, 5))]
    roles = random.choice([roles, roles, roles, roles, ["name", "label", "value", roles[-1]]])
    if random.random() < 0.15:
        random.shuffle(roles)
    of_values = random.choice(VALUE_HEADERS) if random.random() < 0.12 else []
    rows = []
    for k in range(random.choice([1, 2, 3, 4, 7])):
        named = CELLS | {"name": [*[f"q{k}"] * 5, random.choice(VARIABLES), ""]}
        cells = [random.choice(named[role]) for role in roles]
        rows.append([*cells, *(random.choice(["a", "b", "x", "c", ""]) for _ in of_values)])
    with_header = [[*(random.choice(HEADERS[role]) for role in roles), *of_values], *rows]
    rows = random.choice(
        [
            *[with_header] * 6,
            rows,
            [["Codebook"], [], *with_header],
            [["q1", "q2", "q3"], ["How old?", "How tall?", "Where?"]],
            [["", "", *row] for row in with_header],
            [*[["T"]] * random.choice([13, 14, 15, 16]), *with_header],
            CHOICES,
        ]
    )
    ending = random.choice([*[".csv"] * 5, ".md", ".html", ".tsv"])
    if ending == ".md":
        cells = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
        cells.insert(1, ["---"] * len(rows[0]))
        return "# T\n\n" + "".join(f"| {' | '.join(row)} |\n" for row in cells), ending
    if ending == ".html":
        end = random.choice(["</tr>", ""])
        lines = ["".join(f"<td class=x>{cell}</td>" for cell in row) for row in rows]
        return f"<table><tr>{f'{end}<tr>'.join(lines)}".replace("\n", "<br>"), ending
    out = io.StringIO()
    csv.writer(out, delimiter="\t" if ending == ".tsv" else random.choice(",;")).writerows(rows)
    return out.getvalue(), ending


def document(random: Random) -> tuple[str, str]:
    """Return a document in JSON."""
    values = [{"1": "bad", "2": "good"}, [{"value": 1, "label": "a"}, {"value": "2", "text": "b"}]]
    values += [["low", "high"], "1=a; 2=b", {"1": 2}, [], None, [{"value": 3}], [1, 2]]
    missing = [
        [9],
        [["-inf", -1]],
        [{"lo": 1, "hi": 2}],
        "9",
        [{"value": 8, "label": "none"}],
        [[1, 1]],
    ]
    listed: dict[str, list[Any]] = {
        **dict.fromkeys(["values", "categories", "value_labels"], values),
        "missing": [*missing, [""], ["9", 9]],
        "user_missing": [[{"low": 97, "high": 99}]],
        "missingValues": [["-9"], ["", "NA"]],
        "categoriesOrdered": [True, False],
        "type": ["ordinal", "string"],
        "constraints": [{"enum": ["a", "b"]}],
        "unit": ["kg"],
        "label": ["Mood "],
        "title": ["T"],
        "titles": ["Ts"],
        "description": ["D"],
        "group": ["g"],
        "measure": ["nominal"],
        "Levels": [{"1": "one"}],
        "labels": [{"0": "none", "1": "some"}],
    }
    columns: list[dict[str, Any]] = []
    for k in range(random.randint(1, 4)):
        keys = random.sample(list(listed), random.randint(0, 5))
        name = random.choice([*[f"q{k}"] * 8, k, "q0"])
        columns.append({"name": name} | {key: random.choice(listed[key]) for key in keys})
    by_name = {str(column["name"]): column for column in columns}
    found = random.choice(
        [
            {"fields": columns},
            {"schema": {"fields": columns, "missingValues": ["-9", ""]}},
            {"resources": [{"name": "r", "schema": {"fields": columns}}]},
            columns,
            by_name,
            {"q1": "Mood", "q2": "Age", "n": 3},
            {"columns": columns, "codebook": columns[:1]},
            {"codebook": columns},
            5,
            {"a": 1},
            {"variables": by_name},
        ]
    )
    return json.dumps(found)[: -1 if random.random() < 0.04 else None], ".json"


def ddi(random: Random) -> tuple[str, str]:
    """Return a codebook of DDI."""
    pick = random.choice

    def category() -> str:
        missing = pick(["", "", ' missing="Y"', ' missing="true"', ' missing="N"'])
        label = pick(["", "<labl>bad</labl>", "<labl><i>so</i> so</labl>", "<labl></labl>"])
        value = pick(["1", "2", " 9 ", "x", ""])
        return f"<catgry{missing}><catValu>{value}</catValu>{label}</catgry>"

    def variable(k: int) -> str:
        ranges = [
            '<range min="97" max="99"/>',
            '<range min="97"/><item VALUE="0"/>',
            '<range max="x"/>',
            "",
        ]
        asked = pick(["", "<qstn><qstnLit> How\n many? </qstnLit></qstn>"])
        about = pick(["", ' nature="ordinal"', ' measUnit="kg"'])
        held = "".join(category() for _ in range(random.randint(0, 3)))
        label = pick(["", "<labl>Short</labl>"])
        name = pick([f"q{k}", f"q{k}", ""])
        held = f"{label}{asked}<invalrng>{pick(ranges)}</invalrng>{held}"
        return f'<var ID="V{k}" name="{name}"{about}>{held}</var>'

    group = pick(["", '<varGrp ID="G" var="V0 V1"><labl>Grid</labl></varGrp>'])
    group += pick(["", '<varGrp ID="H" name="n" var="V0"/>', '<varGrp ID="I" var="V2"/>'])
    form = pick(
        [
            *['<codeBook xmlns="ddi:x">{}</codeBook>'] * 4,
            "<OAI><codeBook>{}</codeBook></OAI>",
            "<other>{}</other>",
        ]
    )
    form = pick(
        [
            *[form] * 9,
            '<!DOCTYPE a [<!ENTITY b "c">]><codeBook>{}</codeBook>',
            "<codeBook>{}</codeBook",
        ]
    )
    return form.format(group + "".join(map(variable, range(random.randint(1, 3))))), ".xml"


def limesurvey(random: Random) -> tuple[str, str]:
    """Return a survey structure of LimeSurvey."""
    pick = random.choice

    def part(name: str, *rows: dict[str, Any]) -> str:
        cells = ["".join(f"<{k}>{v}</{k}>" for k, v in row.items()) for row in rows]
        return f"<{name}><rows>{''.join(f'<row>{row}</row>' for row in cells)}</rows></{name}>"

    answers = [
        {"qid": pick([1, 2]), "aid": k, "code": pick([f"A{k}", "A1"])}
        | {"sortorder": pick([k, 3 - k, ""]), "answer": pick([f"ans{k}", ""])}
        for k in range(3)
    ]
    parts = [
        part(
            "questions",
            {
                "qid": 1,
                "parent_qid": pick(["0", ""]),
                "title": "q1",
                "question": pick(["<p>Mood?</p>", ""]),
            },
            {"qid": 2, "parent_qid": 0, "title": "g", "question": "Grid"},
            {"qid": 3, "parent_qid": 2, "title": "a", "question": pick(["A", ""])},
        ),
        part("subquestions", {"qid": 4, "parent_qid": pick([2, 7]), "title": "b", "question": "B"}),
        part("answers", *answers),
    ]
    if random.random() < 0.5:
        parts.append(
            part("question_l10ns", {"qid": 1, "question": "Own"}, {"qid": 3, "question": "LA"})
        )
        parts.append(
            part("answer_l10ns", {"aid": 0, "answer": "own 0"}, {"aid": 1, "answer": "own 1"})
        )
    kind = "<LimeSurveyDocType>Survey</LimeSurveyDocType>"
    return f"<document>{kind}{''.join(parts)}</document>", pick([".lss", ".xml"])


KINDS = [*[spss] * 4, *[stata] * 4, *[sas] * 2, *[dictionary] * 5, *[document] * 3, ddi, limesurvey]
ENCODINGS = [*["utf-8"] * 8, "utf-8-sig", "utf-16"]


def read(seed: int, folder: str) -> str:
    """Return what a codebook describes."""
    random = Random(f"codebook {seed}")
    text, ending = random.choice(KINDS)(random)
    path = f"{folder}/book{ending}"
    with open(path, "wb") as file:
        file.write(text.encode(random.choice(ENCODINGS)))
    return shown(lambda: codebook(read_codebook(path)))

"""Kinds of cells, headers of numbers, signs, and platforms of columns."""

from __future__ import annotations

from random import Random

from autotype.lexicon.toml_files import read_toml
from autotype.tables.layout.grid import GridRow, Row, is_ruler, kind_of
from autotype.tables.layout.header import find_platform
from autotype.tables.text.encoding import readability

FORMS = ["{}", "-{}", "({})", "{} %", "{}%", "$ {}", "{} €", "EUR {}", "{} USD", "{} kg", "+{}"]
FORMS += [
    "{}*",
    "{} †",
    "− {}",
    "{}-",
    "{}e-5",
    "{}E+7",
    "{}°C",
    "{} Ft",
    "a{}",
    "{}a",
    "{}.",
    "A$ {}",
]
NUMBERS = [
    "1",
    "12",
    "1.5",
    ".5",
    "1,5",
    "1.234,5",
    "1 234",
    "1’234.5",
    "1\u00a0234",
    "007",
    "1..2",
]
NUMBERS += ["1-2", "2020", "1,234,567"]
DATES = ["2020-01-31", "31.1.2020", "1/2/20", "1/2/20 10:30", "10:30", "10:30:05.5", "10:30 am"]
DATES += [
    "2020年",
    "2020年1月",
    "2020年1月3日",
    "2020-Q1",
    "2020Q5",
    "5 Jan 2020",
    "Jan 5, 2020",
    "5-Mai-20",
]
DATES += [
    "Sunday, January 5, 2020",
    "10 bis 14",
    "2020-01",
    "2020-01-31T10:00Z",
    "1.2",
    "1 2",
    "2020 T3",
]
DATES += ["10:30 +01:00", "5. März 2020 10:00", "1.2.", "12345-1-1", "1-2", "10 und 20"]
MARKS = [
    "-",
    "--",
    "---",
    "n/a",
    "NA",
    "*",
    "**",
    ":",
    "/",
    "x",
    "nd",
    "n.d.",
    "..",
    "k. A.",
    "?",
    "missing",
]
STEPS = [1, 1, 1, -1, 2, 0, 5, 10]
RULERS = [
    "---",
    "--",
    "-",
    "===",
    "+",
    "|",
    ":-",
    "-:",
    "",
    "___",
    "a",
    "-- --",
    "-+-",
    "----|----",
]
SIGNS = "°§€£²“”’–…«»№、。（１│█\u0301\u00ad\u200b\ue000\ufffd\x81\x7f@~!? \u2580\u259f\uff5e\uffef"
PLAIN = [
    "id",
    "status",
    "price",
    "start",
    "end",
    "How old are you today?",
    "Where do you live now?",
]
PLAIN += ["q1", "a b c", "one two three four", "この商品をどう思いますか"]


def read_kinds(seed: int, _: str) -> str:
    """Return the kinds of cells."""
    random = Random(f"kinds {seed}")
    cells = [random.choice(FORMS).format(random.choice(NUMBERS)) for _ in range(4)]
    cells += [
        *random.choices(DATES, k=3),
        random.choice(MARKS),
        random.choice("xX1") * random.choice([39, 40, 41]),
    ]
    rulers = [random.choices(RULERS, k=random.randint(1, 4)) for _ in range(3)]
    return f"{[f'{c[:12]} {kind_of(c).name}' for c in cells]} {[(r, is_ruler(r)) for r in rulers]}"


def read_sequence(seed: int, _: str) -> str:
    """Return whether cells are numbers that name columns."""
    random = Random(f"sequence {seed}")
    size, start = random.randint(0, 6), random.choice([0, 1, 7, 1499, 1500, 1990, 2198, 2199, 9998])
    same = random.choice(STEPS)
    numbers = [start]
    for _ in range(size):
        numbers.append(numbers[-1] + random.choice([same, same, same, random.choice(STEPS)]))
    cells = [str(n) for n in numbers] * random.choice([1, 1, 1, 2, 3])
    cells[random.randrange(len(cells)) : 0] = random.choice(
        [[], [], [""], ["town"], ["1.5"], ["2020-01-01"]]
    )
    row = GridRow(Row(1, cells), after_gap=False)
    return f"{cells} {row.is_sequence}"


def read_signs(seed: int, _: str) -> str:
    """Return how readable signs are, none of which is a letter of a language."""
    signs = "".join(Random(f"signs {seed}").choices(SIGNS, k=seed % 4 + 1))
    return f"{signs!r} {readability(signs):.2f}"


def read_platform(seed: int, _: str) -> str:
    """Return the survey platform that columns show."""
    random = Random(f"platform {seed}")
    listed = read_toml("platforms")
    words = listed[random.choice(sorted(listed))]
    names = [
        w for key in ("sure", "usual", "first") for w in words.get(key, ()) if random.random() < 0.3
    ]
    names = random.sample(names, min(len(names), random.randint(0, 4)))
    names = [*(random.choice([str.title, str.upper, str])(n) for n in names)]
    others = random.sample(PLAIN, random.randint(0, 6))
    labels = random.sample(PLAIN, random.randint(0, 2)) + names[: random.choice([0, 0, 1])]
    return f"{names} {others} {labels} {find_platform([*names, *others], labels)}"

from __future__ import annotations

import base64
import datetime
import hashlib
import itertools
import json
import re
import sys
from html.parser import HTMLParser

import pytest

from autotype.errors import MissingExtraError
from autotype.report import html
from autotype.report.html import as_page
from autotype.type_report import TypeReport
from autotype.types.column_type import SEMANTIC_TYPES, ColumnProfile, ColumnType

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(1)>'
# Elements whose end tag may be left out, and what ends them.
ENDED_BY = {
    "td": {"td", "tr", "tbody"},
    "th": {"td", "tr", "tbody"},
    "tr": {"tr", "tbody"},
    "tbody": {"tbody"},
}
EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "path", "rect", "use"}


class Page(HTMLParser):
    """Collects elements and strings of a page; fails on tags that do not close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict]] = []
        self.texts: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        while self.open and tag in ENDED_BY.get(self.open[-1], ()):
            self.open.pop()
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.open[-1] != tag:
            assert self.open.pop() in ENDED_BY
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)

    def all(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.elements if name == tag]


def rich(name="size", order=("S", "M", "L"), **options) -> ColumnType:
    """A column with everything that a card can show."""
    n = len(order)
    evidence = {
        "label_rule": "scale",
        "label_detail": 'the scale "size"',
        "loo_ordinal": -0.9,
        "loo_multiclass": -1.0,
        "loo_baseline": -1.4,
        "data_order": list(order),
        "thresholds": [float(k) for k in range(n - 1)],
        "level_means": [k - 0.5 for k in range(n)],
        "level_sds": [0.5] * n,
        "top_predictors": [["price", 0.75], ["age", 0.25]],
    }
    defaults = {
        "probability": 0.97,
        "order": tuple(order),
        "best_order": tuple(order),
        "order_probability": 0.9,
        "direction_known": True,
        "levels": {level: 10 * k + 1 for k, level in enumerate(order)},
        "n_levels": n,
        "n_rows_used": 100,
        "alternatives": ((tuple(order[::-1]), 0.1),),
        "evidence": evidence,
        "reasons": ("Because.",),
    }
    return ColumnType(name, "ordinal", **(defaults | options))


def page_of(*columns: ColumnType, n_rows: int = 10) -> Page:
    return Page(as_page(TypeReport(columns, n_rows=n_rows)))


def test_a_row_and_a_card_for_every_column() -> None:
    page = page_of(*(ColumnType(t, t, n_levels=3) for t in SEMANTIC_TYPES))
    assert [a["data-type"] for a in page.all("tr") if "data-type" in a] == list(SEMANTIC_TYPES)
    cards = [a["data-type"] for a in page.all("article")]
    assert cards == list(SEMANTIC_TYPES)


def test_what_a_card_shows() -> None:
    text = " ".join(page_of(rich()).texts)
    for part in ("probability of ordinal", "0.97", "lowest", "highest", "Reasons", "Because."):
        assert part in text
    for part in ("−0.900", "−1.000", "−1.400", "Thresholds of the latent scale: 0.00, 1.00"):
        assert part in text
    for part in ("They read as", "price", "75.0%", "Other orders"):
        assert part in text


def test_names_levels_and_reasons_are_text() -> None:
    column = rich(
        SCRIPT,
        (SCRIPT, IMAGE, "&amp;"),
        reasons=(SCRIPT, IMAGE),
        off_scale=(IMAGE + "2",),
    )
    page = page_of(column, ColumnType(IMAGE, "text", reasons=(IMAGE,)))
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert page.texts.count(SCRIPT) >= 4
    assert page.texts.count(IMAGE) >= 4
    assert "&amp;" in page.texts


def test_nothing_is_asked_of_the_network() -> None:
    text = as_page(TypeReport([rich()], n_rows=10))
    page = Page(text)
    addresses = [
        value
        for _, attributes in page.elements
        for key, value in attributes.items()
        if key in ("src", "href", "action", "srcset", "data")
    ]
    assert all(address.startswith(("#", "data:")) for address in addresses)
    assert "@import" not in text
    assert "url(" not in text
    assert re.findall(r"https?://[^'\"]*", text) == ["http://www.w3.org/2000/svg"]


def test_the_policy_allows_the_page_s_own_script_only() -> None:
    text = as_page(TypeReport([rich()], n_rows=10))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")


def test_headings_go_down_by_one() -> None:
    page = page_of(rich(), ColumnType("a", "categorical", 0.1, n_levels=30))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_identifiers_are_unique_and_links_arrive() -> None:
    page = page_of(rich("a"), rich("a"), rich(("a", 1)))
    names = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(names) == len(set(names))
    links = [a["href"][1:] for a in [*page.all("a"), *page.all("use")]]
    assert set(links) <= set(names)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([], "The frame has no columns"),
        ([ColumnType("x", "continuous", reasons=("Not whole.",))], "Not whole."),
        ([ColumnType("x", "categorical", n_levels=10**6)], "1,000,000 levels, too many to list"),
        ([ColumnType("x", "undetermined", reasons=("Lists.",))], "No levels to list."),
        ([ColumnType("x", "undetermined", 0.5, levels={"a": 0, "b": 0}, n_levels=2)], "2 levels;"),
        ([rich(evidence={})], "Levels, lowest first"),
        ([rich(evidence={"loo_ordinal": "-inf", "thresholds": None})], "Levels, lowest first"),
        ([rich(levels={"S": 10**6, "M": 1, "L": 10**9}, best_order=None)], "1,000,000,000"),
    ],
)
def test_frames_with_little_or_unusual_content(columns, expected) -> None:
    assert expected in " ".join(page_of(*columns, n_rows=0).texts)


def test_levels_without_counts_are_listed_without_them() -> None:
    """A report that was read from a schema knows levels and order, but no rows."""
    counts = dict.fromkeys(("S", "M", "L", "none"), 0)
    texts = page_of(rich(levels=counts, off_scale=("none",)), n_rows=0).texts
    assert "Latent scale" in texts
    assert "Off the scale\n" in texts
    assert "Share" not in texts
    assert "0%" not in texts


PROFILE = ColumnProfile(3, ("1.5", "27.125"), (("1.5", 4),), (1, 0, 4), low=SCRIPT, high=IMAGE)


def test_a_card_shows_what_the_cells_look_like() -> None:
    page = page_of(ColumnType("price", "continuous", n_levels=40, profile=PROFILE), n_rows=30)
    text = " ".join(" ".join(page.texts).split())
    for part in ("40 distinct values. 3 missing (10.0%).", "Histogram", "A few values", "27.125"):
        assert part in text
    assert SCRIPT in text
    assert len(page.all("script")) == 1
    assert [a["style"] for a in page.all("i") if "height" in a.get("style", "")] == [
        "height:25%",
        "height:0%",
        "height:100%",
    ]


def test_without_values_none_is_on_the_page() -> None:
    columns = [
        ColumnType("price", "continuous", n_levels=40, profile=PROFILE),
        ColumnType("id", "identifier", n_levels=2, levels={"R-1": 1, "R-2": 1}),
        ColumnType("year", "datetime", order=(1999, 2001), best_order=(1999, 2001)),
    ]
    page = Page(TypeReport(columns, n_rows=30).without_values().to_html())
    text = " ".join(page.texts) + repr(page.elements)
    assert "3 missing" in text
    for value in ("27.125", "R-1", "1999", "Histogram from"):
        assert value not in text


def test_the_title_names_table_and_date() -> None:
    page = Page(as_page(TypeReport([rich()], n_rows=10), table="a <b>.csv"))
    (title,) = [text for text in page.texts if ": Column types, " in text]
    assert title.startswith(f"a <b>.csv: Column types, {datetime.date.today():%Y-}")


def test_questions_are_on_top_and_name_their_columns() -> None:
    levels = dict.fromkeys(("qx", "zv", "kk", SCRIPT), 3)
    names = [f"item {k}" for k in range(10)]
    page = page_of(*(ColumnType(n, "undetermined", 0.5, levels=levels) for n in names))
    (question,) = [a for a in page.all("li") if a.get("class") == "question"]
    assert question["data-columns"] == "1 2 3 4 5 6 7 8 9 10"
    assert question["data-proposed"] == '"categorical"'
    text = " ".join(page.texts)
    assert "and 2 more columns have an order?" in text
    assert "settles 10 columns." in text


def test_what_cannot_be_written_cannot_be_corrected_on_the_page() -> None:
    odd = rich("odd", (object(), "M", "L"), evidence={})
    page = page_of(odd, rich("n" * 3000), rich(3))
    cards = page.all("article")
    assert ["data-fixed" in card for card in cards] == [False, True, False]
    assert [card.get("data-key") for card in cards] == [None, None, None]
    assert [a["data-v"] for a in page.all("th") if "data-v" in a] == [""]


def test_stated_decisions_and_notes_are_in_the_cards() -> None:
    report = TypeReport([rich()]).revise(size={"order": ["M", "S", "L"], "note": SCRIPT})
    (card,) = Page(as_page(report)).all("article")
    assert json.loads(card["data-stated"]) == {"order": ["M", "S", "L"], "note": SCRIPT}
    assert card["data-note"] == SCRIPT


def test_unprintable_and_empty_names_can_be_seen() -> None:
    texts = page_of(rich("a\u202eb\x1b[31m", ("", " ", "\ud800"))).texts
    assert r"a\u202eb\x1b[31m" in texts
    assert {"''", "' '", r"\ud800"} <= set(texts)


def test_very_long_texts_are_cut_and_say_so() -> None:
    text = as_page(TypeReport([rich("n" * 10**6, ("x" * 10**6, "M", "L"))], n_rows=1))
    assert len(text) < 100_000
    assert "(1,000,000 characters)" in text


def test_two_hundred_columns_of_twenty_levels_stay_small() -> None:
    levels = tuple(f"level {k}" for k in range(20))
    text = as_page(TypeReport([rich(f"c{j}", levels) for j in range(200)], n_rows=10))
    assert len(text.encode()) < 2_000_000


def test_to_html_writes_the_page_it_returns(tmp_path) -> None:
    report = TypeReport([rich()], n_rows=10)
    page = report.to_html(tmp_path / "types.html")
    assert (tmp_path / "types.html").read_text(encoding="utf-8") == page == report.to_html()
    assert [path.name for path in tmp_path.iterdir()] == ["types.html"]


def test_without_jinja_the_error_says_what_to_install(monkeypatch) -> None:
    html.load_templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r'pip install "autotype-ordinal\[report\]"'):
        TypeReport([]).to_html()


def test_titles_and_labels_of_a_codebook_are_on_the_page() -> None:
    mood = ColumnType(
        "mood",
        "ordinal",
        0.9,
        order=(1, 2),
        direction_known=True,
        levels={1: 3, 2: 4},
        n_levels=2,
        labels={1: "<bad>", 2: "2", 9: "no answer"},
        title="How are <you>?",
    )
    page = as_page(TypeReport([mood], n_rows=7))
    assert page.count("How are &lt;you&gt;?") == 2
    assert "1 &#34;&lt;bad&gt;&#34; &lt; 2</span>" in page
    assert 'scope=row data-v="1">1<span class="label"> &lt;bad&gt;</span>' in page
    assert "<bad>" not in page
    assert "no answer" not in page


def test_tuples_stand_in_an_order_that_is_partly_known() -> None:
    column = ColumnType(
        "x",
        semantic_type="ordinal",
        levels={"low": 3, (1,): 3, "high": 3},
        n_levels=3,
        partial_order=(("low", (1,)), ("low", "high")),
        direction_known=True,
    )
    assert "except low &lt; [1], low &lt; high." in TypeReport([column], n_rows=9).to_html()

"""Whatever a report holds, its page, notebook table and text table can be written and read."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autotype.report.html import as_page
from autotype.report.notebook import as_html
from autotype.report.text import WIDTH, as_text
from autotype.report.text_cells import display_width
from autotype.type_report import TypeReport
from autotype.types.column_type import SEMANTIC_TYPES, ColumnType

special = st.sampled_from("<>&\"'= \n\x00\x1b\u202e\ud800א大")
texts = st.text(max_size=30) | st.text(special, max_size=30)
levels = st.one_of(texts, st.integers(), st.booleans(), st.floats(), st.none(), st.dates())
any_number = st.one_of(st.none(), st.floats(), st.integers(-(10**18), 10**18), texts)
chances = st.one_of(st.floats(0, 1), st.just(float("nan")))
numbers = st.lists(any_number, max_size=6)


@st.composite
def columns(draw) -> ColumnType:
    counts = draw(st.dictionaries(levels, st.integers(0, 10**12), max_size=6))
    order = draw(st.none() | st.permutations(list(counts)))
    names = ("loo_ordinal", "loo_multiclass", "loo_baseline", "label_rule", "label_detail")
    evidence = draw(st.dictionaries(st.sampled_from(names), any_number, max_size=5))
    for key in ("thresholds", "level_means", "level_sds"):
        evidence[key] = draw(st.none() | numbers)
    evidence["data_order"] = draw(st.none() | st.permutations(list(counts)))
    shares = st.one_of(st.none(), st.floats(0, 1))
    evidence["top_predictors"] = draw(st.lists(st.tuples(texts, shares), max_size=3))
    best = None if order is None else tuple(order)
    return ColumnType(
        draw(st.one_of(levels, st.tuples(texts, st.integers()))),
        draw(st.sampled_from(SEMANTIC_TYPES)),
        draw(chances),
        order=best if draw(st.booleans()) else None,
        best_order=best,
        order_probability=draw(chances),
        direction_known=draw(st.booleans()),
        levels=counts,
        n_levels=draw(st.integers(0, 10**9)),
        n_rows_used=draw(st.integers(0, 10**9)),
        off_scale=tuple(list(counts)[:1]) if draw(st.booleans()) else (),
        alternatives=() if best is None else ((best[::-1], draw(chances)),),
        evidence=evidence,
        reasons=tuple(draw(st.lists(texts, max_size=2))),
    )


class Tags(HTMLParser):
    """Counts the tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(columns(), max_size=4), st.integers(0, 10**12))
def test_any_report_is_written_and_escaped(found: list[ColumnType], n_rows: int) -> None:
    report = TypeReport(found, n_rows=n_rows)
    page = as_page(report)
    page.encode("utf-8")
    tags = Tags(page)
    assert tags.names.count("script") == 1
    assert tags.names.count("article") <= len(found)
    assert not {name for name in tags.attributes if name.startswith("on")}
    notebook = as_html(report)
    notebook.encode("utf-8")
    assert Tags(notebook).names.count("tr") <= len(found) + 1
    assert all(display_width(line) <= WIDTH for line in as_text(report).splitlines())
    json.loads(report.to_json())

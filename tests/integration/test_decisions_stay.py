"""Any sequence of calls on a report keeps what a person decided."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import autotype
from autotype.cli.review import ReviewServer

pytestmark = pytest.mark.slow

LEVELS = {"size": ["S", "M", "L", "XL"], "town": ["a", "b", "c"], "stars": [1, 2, 3, 5]}
DECISIONS = st.sampled_from(sorted(LEVELS)).flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.one_of(
            st.just("categorical"),
            st.permutations(LEVELS[name]),
            st.permutations(LEVELS[name]).map(
                lambda levels: {"order": levels[1:], "off_scale": levels[:1]}
            ),
        ),
    )
)


def _order(what: object) -> list | None:
    """Return the order that was decided; None of a categorical column."""
    return None if what == "categorical" else what["order"] if isinstance(what, dict) else what


def _off_scale(what: object) -> list:
    return what["off_scale"] if isinstance(what, dict) else []


def _frame() -> pd.DataFrame:
    return pd.DataFrame(
        {name: (levels * 10)[:24] for name, levels in LEVELS.items()} | {"x": range(24)}
    )


class Decisions(RuleBasedStateMachine):
    """A report, the frame that it types, and what was decided of its columns."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.decided: dict[str, object] = {}

    def teardown(self) -> None:
        self.folder.cleanup()

    @initialize()
    def infer(self) -> None:
        self.frame = _frame()
        self.types = autotype.infer_types(self.frame)

    @rule(decision=DECISIONS)
    def revise(self, decision: tuple[str, object]) -> None:
        name, what = decision
        self.types = self.types.revise(**{name: what})
        self.decided[name] = what

    @rule()
    def save_and_load(self) -> None:
        self.types = autotype.TypeReport.from_json(self.types.to_json())

    @rule()
    def save_and_load_a_file(self) -> None:
        (self.path / "types.json").write_text(self.types.to_json(), encoding="utf-8")
        self.types = autotype.TypeReport.from_json(self.path / "types.json")

    @rule()
    def by_arrow(self) -> None:
        self.types = autotype.TypeReport.from_arrow(self.types.to_arrow(self.frame))

    @rule()
    def by_parquet(self) -> None:
        autotype.write_table(self.frame, self.path / "a.parquet", self.types)
        table = autotype.read_table(self.path / "a.parquet")
        pd.testing.assert_frame_equal(table.frame.astype(object), self.frame.astype(object))

    @rule()
    def by_schema(self) -> None:
        autotype.write_schema(autotype.to_schema(self.frame, self.types), self.path / "s.yaml")
        schema = autotype.read_schema(self.path / "s.yaml")
        autotype.validate(self.frame, schema)
        self.types = autotype.TypeReport.from_schema(schema)

    @rule(name=st.sampled_from(["known.json", "known.toml"]))
    def by_known(self, name: str) -> None:
        self.types.to_known(self.path / name)
        self.types = autotype.infer_types(self.frame, known=self.path / name)

    @rule()
    def by_what_was_stated(self) -> None:
        self.types = autotype.infer_types(self.frame, known=self.types.to_known(stated=True))

    @rule()
    def by_the_review_server(self) -> None:
        self.types.to_known(self.path / "page.json", stated=True)
        place = self.path / "reviewed.toml"
        with ReviewServer(autotype.infer_types(self.frame), str(place)) as server:
            server.keep((self.path / "page.json").read_text("utf-8"))
        self.types = autotype.infer_types(self.frame).revise(place)

    @rule(name=st.sampled_from(["book.csv", "book.json", "book.xlsx"]))
    def by_codebook(self, name: str) -> None:
        self.types.to_codebook(self.path / name)
        self.types = autotype.infer_types(self.frame, known=self.path / name)

    @rule()
    def by_scales(self) -> None:
        (self.path / "scales.toml").unlink(missing_ok=True)
        self.types.to_scales(self.path / "scales.toml")
        self.types = autotype.infer_types(self.frame, scales=self.path / "scales.toml")

    @rule()
    def by_pickle(self) -> None:
        self.types = pickle.loads(pickle.dumps(self.types))

    @rule()
    def encode(self) -> None:
        encoder = self.types.make_encoder(scale=False)
        encoded = encoder.fit(self.frame).transform(self.frame)
        names = list(encoder.get_feature_names_out())
        for name, what in self.decided.items():
            if what != "categorical":
                ranks = dict(zip(_order(what), range(len(LEVELS[name])), strict=False))
                expected = self.frame[name].map(ranks).to_numpy()
                found = np.asarray(encoded)[:, names.index(name)].astype(float)
                np.testing.assert_array_equal(
                    found[~np.isnan(expected)], expected[~np.isnan(expected)]
                )

    @rule()
    def apply(self) -> None:
        typed = autotype.apply_types(self.frame, self.types)
        for name, what in self.decided.items():
            dtype = typed[name].dtype
            assert dtype.ordered == (what != "categorical")
            if dtype.ordered:
                assert dtype.categories.tolist() == [*_off_scale(what), *_order(what)]
        again = autotype.infer_types(typed)  # ordered dtypes are marked
        for name, what in self.decided.items():
            if what != "categorical":
                assert list(again[name].order) == _order(what)
                assert list(again[name].off_scale) == _off_scale(what)
        pd.testing.assert_frame_equal(typed.astype(object), self.frame.astype(object))

    @rule()
    def compare(self) -> None:
        later = autotype.infer_types(self.frame, known=self.types.to_known())
        comparison = self.types.compare(later)
        assert not {column.name for column in comparison.changed} & self.decided.keys()

    @invariant()
    def decisions_stay(self) -> None:
        for name, what in self.decided.items():
            column = self.types[name]
            assert column.semantic_type == ("categorical" if what == "categorical" else "ordinal")
            if what != "categorical":
                assert list(column.order) == _order(what)
                assert list(column.off_scale) == _off_scale(what)


TestDecisions = Decisions.TestCase
TestDecisions.settings = settings(max_examples=20, stateful_step_count=8)

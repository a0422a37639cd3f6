"""Any sequence of calls on a report keeps what a person decided."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import autotype

pytestmark = pytest.mark.slow

LEVELS = {"size": ["S", "M", "L", "XL"], "town": ["a", "b", "c"], "stars": [1, 2, 3, 5]}
DECISIONS = st.sampled_from(sorted(LEVELS)).flatmap(
    lambda name: st.tuples(
        st.just(name), st.one_of(st.just("categorical"), st.permutations(LEVELS[name]))
    )
)


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

    @rule()
    def by_known(self) -> None:
        self.types.to_known(self.path / "known.json")
        self.types = autotype.infer_types(self.frame, known=self.path / "known.json")

    @rule()
    def apply(self) -> None:
        typed = autotype.apply_types(self.frame, self.types)
        for name, what in self.decided.items():
            dtype = typed[name].dtype
            assert dtype.ordered == (what != "categorical")
            if dtype.ordered:
                assert dtype.categories.tolist() == what
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
                assert list(column.order) == what


TestDecisions = Decisions.TestCase
TestDecisions.settings = settings(max_examples=20, stateful_step_count=8)

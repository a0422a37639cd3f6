"""The accessor and the report pass on every option of the functions that do the work."""

from __future__ import annotations

import inspect

import pandas as pd
import pytest

import autotype
from autotype.accessor import OrdinalAccessor
from autotype.plots import plot_report
from autotype.type_report import TypeReport
from autotype.types.codec.frictionless import to_frictionless
from autotype.types.drift.compare import compare_types

WORKERS = [
    (OrdinalAccessor.infer_types, autotype.infer_types),
    (OrdinalAccessor.apply_types, autotype.apply_types),
    (OrdinalAccessor.fit, autotype.fit),
    (OrdinalAccessor.to_schema, autotype.to_schema),
    (OrdinalAccessor.validate, autotype.validate),
    (OrdinalAccessor.plot, autotype.plot),
    (TypeReport.compare, compare_types),
    (TypeReport.plot, plot_report),
    (TypeReport.to_frictionless, to_frictionless),
]


def options(function) -> dict[str, object]:
    """Keyword-only parameters with their defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


@pytest.mark.parametrize(("method", "worker"), WORKERS, ids=lambda f: f.__qualname__)
def test_takes_the_same_options(method, worker) -> None:
    assert options(method) == options(worker)


@pytest.mark.parametrize(("method", "_"), WORKERS, ids=lambda f: f.__qualname__)
def test_names_all_that_it_takes(method, _) -> None:
    kinds = {p.kind for p in inspect.signature(method).parameters.values()}
    assert not kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}


def positional(function) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


@pytest.mark.parametrize(("method", "worker"), WORKERS[:6], ids=lambda f: f.__qualname__)
def test_a_method_takes_the_frame_from_the_accessor(method, worker) -> None:
    bound = getattr(pd.DataFrame({"size": ["S", "M"]}).ordinal, worker.__name__)
    assert method is worker
    assert positional(worker)[0] == "frame"
    assert positional(bound) == positional(worker)[1:]
    assert inspect.getdoc(bound) == inspect.getdoc(worker)


def test_options_arrive() -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 9, "town": ["Ulm", "Rom", "Bonn"] * 9})
    types = frame.ordinal.infer_types(
        "size", known={"size": ["L", "M", "S"]}, features=["town"], max_rows=9, random_state=1
    )
    assert list(types) == ["size"]
    assert types["size"].order == ("L", "M", "S")
    with pytest.raises(ValueError, match="not in the report"):
        frame.replace("S", "XS").ordinal.apply_types(types, unseen="raise")
    assert frame.ordinal.to_schema(types, name="shop", strict=True).strict
    assert frame.ordinal.fit("size", frame.ordinal.infer_types(), cv=None).scores is None


@pytest.mark.parametrize("types", [None, "types.json", {"size": "ordinal"}])
def test_other_values_are_not_reports(types) -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 9})
    message = f"expected a TypeReport, got {type(types).__name__}; df.ordinal.infer_types"
    for use in (frame.ordinal.apply_types, frame.ordinal.to_schema):
        with pytest.raises(TypeError, match=message):
            use(types)
    with pytest.raises(TypeError, match=message):
        TypeReport([]).compare(types)
    if types is not None:
        with pytest.raises(TypeError, match=message):
            frame.ordinal.fit("size", types)


def test_an_empty_report_is_a_report() -> None:
    frame = pd.DataFrame({"size": ["S", "M", "L"] * 9})
    with pytest.raises(autotype.errors.UnknownColumnError, match="no column 'size'"):
        frame.ordinal.fit("size", TypeReport([]))

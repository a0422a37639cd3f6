"""Frames of other readers, which order all categories or none, are typed by what they hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import autotype

SCALES = {
    "trust": ["none at all", "a little", "some", "a lot"],
    "agree": ["strongly disagree", "disagree", "neither", "agree", "strongly agree"],
    "freq": ["never", "rarely", "sometimes", "often", "always"],
    "health": ["very bad", "bad", "fair", "good", "very good"],
}
NAMES = {
    "sex": ["male", "female"],
    "region": ["north", "south", "east", "west", "centre"],
    "party": ["Greens", "Liberals", "Labour", "Conservatives", "Other party"],
    "religion": ["catholic", "protestant", "muslim", "none"],
    "marital": ["single", "married", "divorced", "widowed"],
    "language": ["german", "french", "italian", "english"],
    "colour": ["red", "green", "blue"],
    "employment": ["employed", "unemployed", "student", "retired"],
}


def survey() -> pd.DataFrame:
    """Return unordered categoricals with their categories in the order of codes."""
    rng, n = np.random.default_rng(0), 400
    opinion = rng.normal(size=n)
    columns = {}
    for name, labels in (SCALES | NAMES).items():
        most = len(labels) - 1
        answer = np.round(opinion + 0.6 * rng.normal(size=n) + most / 2).clip(0, most)
        codes = answer if name in SCALES else rng.integers(0, most + 1, n)
        columns[name] = pd.Categorical.from_codes(codes.astype(int), labels)
    return pd.DataFrame(columns)


def of_stata(path: Path) -> object:
    survey().to_stata(path, write_index=False)
    frame = pd.read_stata(path)
    assert all(dtype.ordered for dtype in frame.dtypes)
    return frame


def of_spss(path: Path) -> object:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = survey()
    codes = frame.apply(lambda values: values.cat.codes + 1.0)
    labels = {name: dict(enumerate(frame[name].cat.categories, 1)) for name in frame}
    pyreadstat.write_sav(codes, str(path), variable_value_labels=labels)
    read = pd.read_spss(path)
    assert read["trust"].cat.categories.tolist() == sorted(SCALES["trust"])  # not in order
    return read


def of_r(path: Path) -> object:
    pytest.importorskip("rdata").write_rds(path, survey())
    return autotype.read_table(path)


def of_polars(_: Path) -> object:
    pl = pytest.importorskip("polars")
    frame = survey()
    kinds = {name: pl.Enum(list(frame[name].cat.categories)) for name in frame}
    return pl.DataFrame({name: frame[name].tolist() for name in frame}, schema=kinds)


@pytest.mark.parametrize("reader", [of_stata, of_spss, of_r, of_polars])
def test_scales_are_ordinal_and_names_are_not(tmp_path: Path, reader: object) -> None:
    types = autotype.infer_types(reader(tmp_path / "survey"))  # type: ignore[operator]
    for name, order in SCALES.items():
        assert (types[name].semantic_type, types[name].order) == ("ordinal", tuple(order))
    assert [name for name in NAMES if types[name].semantic_type == "ordinal"] == []
    doubted = {warning.column for warning in types.warnings if warning.kind == "ordered dtype"}
    assert doubted == (set(NAMES) if reader in (of_stata, of_polars) else set())

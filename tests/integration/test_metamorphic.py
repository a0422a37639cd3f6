"""What must not change an answer: the order of rows, columns and levels, dtypes, processes, names.

Where the computation is the same, the reports are equal to the byte. Where only the mathematics is
the same (sums in another order), types, orders and counts are equal, and numbers to 1e-6.
Where neither is, for instance with more predictors, the columns with strong evidence keep their
type and their order.
"""

from __future__ import annotations

import dataclasses
import hashlib
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.base import clone

import autotype
from autotype import ColumnType, TypeReport, infer_types

pytestmark = pytest.mark.slow

GRADES = ("poor", "fair", "good", "excellent")
CODES = ("qx", "zv", "kk", "wj", "pf")


def cut(numbers: pd.Series, levels: tuple[str, ...]) -> np.ndarray:
    """Cut a column into levels of about the same count."""
    ranks = pd.qcut(numbers.rank(method="first"), len(levels), labels=False)
    return np.array(levels, dtype=object)[ranks]


def published_wine() -> pd.DataFrame:
    """178 wines: a scale in words, one in unknown words, names, and ten numbers.

    The rows are sorted by town, and those of a town drift: neighbours are alike.
    """
    frame = datasets.load_wine(as_frame=True).frame
    frame.insert(0, "grade", cut(frame["flavanoids"], GRADES))
    frame.insert(4, "colour_code", cut(frame["color_intensity"], CODES))
    frame["town"] = np.array(["Barolo", "Asti", "Alba"], dtype=object)[frame.pop("target")]
    return frame.drop(columns=["flavanoids", "color_intensity"])


def wine() -> pd.DataFrame:
    """The same in an order that says nothing."""
    return published_wine().sample(frac=1, random_state=0, ignore_index=True)


def diabetes() -> pd.DataFrame:
    """442 patients: progression as a scale in unknown words, numbers, and a boolean."""
    frame = datasets.load_diabetes(as_frame=True, scaled=False).frame
    frame["progression"] = cut(frame.pop("target"), CODES[:4])
    frame["bp_grade"] = cut(frame.pop("bp"), GRADES)
    frame["sex"] = frame["sex"] > 1
    return frame


def shop(n_rows: int = 1500) -> pd.DataFrame:
    """More rows than the models see, gaps in most columns, dates, counts, and a code of numbers."""
    rng = np.random.default_rng(5)
    mood, taste = rng.normal(size=(2, n_rows))
    stars = np.digitize(mood + 0.4 * rng.normal(size=n_rows), [-1.0, 0.0, 1.0])
    branch = np.argmax([mood, taste, -mood - taste] + 0.5 * rng.gumbel(size=(3, n_rows)), axis=0)
    frame = pd.DataFrame(
        {
            "rating": np.array(GRADES, dtype=object)[stars],
            "branch": np.array(["north", "west", "south"], dtype=object)[branch],
            "stars": stars,
            "spent": np.exp(mood + 0.5 * rng.normal(size=n_rows)),
            "liking": taste + 0.3 * rng.normal(size=n_rows),
            "visits": rng.poisson(np.exp(1 + 0.5 * mood)),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(n_rows) % 90, "D"),
        }
    )
    for name in ("rating", "spent"):
        frame.loc[rng.random(n_rows) < 0.1, name] = None
    return frame


FRAMES = {"wine": wine, "diabetes": diabetes, "shop": shop}
STRONG = {"wine": ("grade", "town"), "diabetes": ("bp_grade",), "shop": ("rating", "branch")}


@pytest.fixture(scope="module", params=FRAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def frame(name: str) -> pd.DataFrame:
    return FRAMES[name]()


@pytest.fixture(scope="module")
def report(frame: pd.DataFrame) -> TypeReport:
    return infer_types(frame)


def assert_equal(one: TypeReport, other: TypeReport) -> None:
    """Check that two reports are the same to the byte, except for the order of the columns."""
    assert set(one) == set(other)
    for name in one:
        first, second = (TypeReport([types[name]]).to_json() for types in (one, other))
        assert first == second


def assert_same(one: TypeReport, other: TypeReport, tolerance: float = 1e-6) -> None:
    """Check that types, orders and counts are equal, and numbers to a tolerance."""
    assert set(one) == set(other)
    for name in one:
        assert verdict(one[name]) == verdict(other[name])
        for key in ("probability", "order_probability"):
            assert getattr(one[name], key) == pytest.approx(
                getattr(other[name], key), abs=tolerance, nan_ok=True
            )


def verdict(column: ColumnType, rename: Callable = lambda level: level) -> tuple:
    """Return all of a type that is no number of the models."""
    order, best = (
        None if levels is None else tuple(map(rename, levels))
        for levels in (column.order, column.best_order)
    )
    counts = {rename(level): count for level, count in column.levels.items()}
    return column.semantic_type, order, best, column.direction_known, counts, column.n_levels


def up_to_reversal(column: ColumnType, expected: tuple) -> ColumnType:
    """Reverse an order that is known up to reversal only, if that is how the other one goes."""
    if column.direction_known or column.best_order is None or column.best_order == expected[2]:
        return column
    order = None if column.order is None else column.order[::-1]
    return dataclasses.replace(column, order=order, best_order=column.best_order[::-1])


def assert_strong_stand(name: str, one: TypeReport, other: TypeReport) -> None:
    """Check that columns with strong evidence keep type and order."""
    for column in STRONG[name]:
        assert one[column].semantic_type in ("ordinal", "categorical")
        assert other[column].semantic_type == one[column].semantic_type
        assert other[column].order == one[column].order


@pytest.mark.parametrize("label_text", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_rows(frame: pd.DataFrame, seed: int, label_text: bool) -> None:
    shuffled = frame.sample(frac=1, random_state=seed)
    assert_same(
        infer_types(shuffled, label_text=label_text), infer_types(frame, label_text=label_text)
    )


def test_rows_that_follow_each_other_for_a_reason() -> None:
    one, other = infer_types(published_wine()), infer_types(wine())
    assert [column.semantic_type for column in one.values()] == [
        column.semantic_type for column in other.values()
    ]
    assert_strong_stand("wine", one, other)


@pytest.mark.parametrize("label_text", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_columns(frame: pd.DataFrame, seed: int, label_text: bool) -> None:
    names = np.random.default_rng(seed).permutation(frame.columns)
    assert_same(
        infer_types(frame[names], label_text=label_text), infer_types(frame, label_text=label_text)
    )


def texts_of(frame: pd.DataFrame) -> list[str]:
    return [name for name in frame if pd.api.types.is_string_dtype(frame[name].dropna())]


@pytest.mark.parametrize("backwards", [True, False])
def test_the_order_of_categories(frame, report, backwards: bool) -> None:
    changed = frame.copy()
    for name in texts_of(frame):
        categories = sorted(frame[name].dropna().unique(), reverse=backwards)
        changed[name] = pd.Categorical(frame[name], [*categories, "never used"])
    assert_equal(infer_types(changed), report)


@pytest.mark.parametrize("dtype", [object, "category", "string[python]", "string[pyarrow]"])
def test_the_dtype_of_texts(frame, report, dtype) -> None:
    assert_equal(infer_types(frame.astype(dict.fromkeys(texts_of(frame), dtype))), report)


def test_nullable_dtypes(frame, report) -> None:
    nullable = frame.convert_dtypes()
    assert any(isinstance(dtype, pd.api.extensions.ExtensionDtype) for dtype in nullable.dtypes)
    assert_same(infer_types(nullable), report)


def test_arrow_dtypes(frame: pd.DataFrame) -> None:
    frame = frame.iloc[:900]  # all of them seen: the sample depends on the strings of dates
    arrow = frame.convert_dtypes(dtype_backend="pyarrow")
    assert_same(infer_types(arrow), infer_types(frame))


def test_single_precision(name: str, frame: pd.DataFrame, report: TypeReport) -> None:
    floats = frame.select_dtypes("float64").columns
    single = frame.astype(dict.fromkeys(floats, "float32"))
    double = single.astype(dict.fromkeys(floats, "float64"))
    assert_equal(
        infer_types(single, frame.columns.difference(floats)),
        infer_types(double, frame.columns.difference(floats)),
    )
    assert_strong_stand(name, report, infer_types(single))


def test_the_number_of_workers(frame, report) -> None:
    assert infer_types(frame, n_jobs=2).to_json() == report.to_json()


_FRESH = """
import hashlib, sys
import pandas as pd
import autotype
report = autotype.infer_types(pd.read_pickle(sys.argv[1]))
print(hashlib.sha256(report.to_json().encode()).hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_a_fresh_process_and_its_hash_seed(
    frame, report, hash_seed: str, child_environment, tmp_path
) -> None:
    frame.to_pickle(tmp_path / "frame.pkl")
    printed = subprocess.run(
        [sys.executable, "-c", _FRESH, str(tmp_path / "frame.pkl")],
        env=child_environment | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == hashlib.sha256(report.to_json().encode()).hexdigest()


def test_the_names_of_levels_without_their_texts(frame: pd.DataFrame) -> None:
    renamed, new = frame.copy(), {}
    for letter, name in zip("vwxyz", texts_of(frame), strict=False):  # shared levels are evidence
        levels = sorted(frame[name].dropna().unique(), reverse=True)
        new[name] = {level: f"{letter}{k}" for k, level in enumerate(levels)}
        renamed[name] = frame[name].map(new[name])
    here, there = (infer_types(f, label_text=False) for f in (frame, renamed))
    for name in here:
        names = new.get(name, {})
        expected = verdict(here[name], lambda level, names=names: names.get(level, level))
        assert verdict(up_to_reversal(there[name], expected)) == expected
        assert there[name].probability == pytest.approx(
            here[name].probability, abs=1e-6, nan_ok=True
        )


def test_units_of_predictors(frame: pd.DataFrame) -> None:
    """Numbers are standardised: a unit and an origin, here powers of two, change nothing."""
    frame = frame.iloc[:900]  # all of them seen: the sample depends on the values
    floats = frame.select_dtypes("float64").columns
    others = frame.columns.difference(floats)
    scaled = frame.assign(**{name: 8.0 * frame[name] for name in floats})
    assert_same(infer_types(scaled, others), infer_types(frame, others))
    shifted = frame.assign(**{name: 8.0 * frame[name] + 4096.0 for name in floats})
    assert_same(infer_types(shifted, others), infer_types(frame, others), tolerance=1e-4)


@pytest.mark.parametrize(
    "rescale", [np.cbrt, np.sinh, lambda x: x.rank()], ids=["cbrt", "sinh", "rank"]
)
def test_monotone_rescaling_of_predictors(name, frame, report, rescale) -> None:
    changed = frame.copy()
    for column in frame.select_dtypes("float64"):
        values = frame[column]
        changed[column] = rescale((values - values.mean()) / values.std())
    assert_strong_stand(name, report, infer_types(changed))


def test_columns_of_noise(name, frame, report) -> None:
    rng = np.random.default_rng(3)
    noisy = frame.copy()
    for k in range(6):
        noisy[f"noise_{k}"] = rng.normal(size=len(frame))
        noisy[f"code_{k}"] = rng.integers(0, 4, len(frame))
    assert_strong_stand(name, report, infer_types(noisy))


def test_columns_that_predict_nothing(frame: pd.DataFrame) -> None:
    """Constants, identifiers and free text are no predictors: their presence changes nothing."""
    frame = frame.iloc[:900]
    more = frame.assign(
        constant="x",
        empty=None,
        customer_id=np.arange(len(frame)),
        note=[f"a remark of some length, number {k} of all" for k in range(len(frame))],
    )
    assert_equal(infer_types(more, list(frame.columns)), infer_types(frame))


def test_every_row_twice(name, frame, report) -> None:
    twice = infer_types(pd.concat([frame, frame]))
    assert_strong_stand(name, report, twice)
    for column in report:
        assert dict(twice[column].levels) == {
            level: 2 * count for level, count in report[column].levels.items()
        } or report[column].semantic_type in ("identifier", "continuous", "count")


WEIGHTED = {
    "GPOrdinalClassifier": autotype.models.GPOrdinalClassifier("linear"),
    "GPMulticlassClassifier": autotype.models.GPMulticlassClassifier("linear"),
    "LinearNPSVOR": autotype.models.LinearNPSVOR(tol=1e-6, max_iter=20_000),
    "LinearRedSVM": autotype.models.LinearRedSVM(tol=1e-6, max_iter=20_000),
    "NPSVOR": autotype.models.NPSVOR(tol=1e-6),
    "SVOR": autotype.models.SVOR(tol=1e-6),
}


@pytest.mark.parametrize("kind", WEIGHTED)
def test_copies_of_rows_are_weights(kind: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.digitize(X @ [1.0, -0.5, 0.2] + 0.3 * rng.normal(size=40), [-0.7, 0.6])
    copies = rng.integers(1, 4, 40)
    weighted = clone(WEIGHTED[kind]).fit(X, y, sample_weight=copies)
    repeated = clone(WEIGHTED[kind]).fit(X.repeat(copies, axis=0), y.repeat(copies))
    new = rng.normal(size=(200, 3))
    assert np.mean(weighted.predict(new) == repeated.predict(new)) > 0.98

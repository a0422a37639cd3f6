"""Compare autotype with tools that do part of the same, on the examples of this project.

usage: python benchmarks/comparison.py [--only {pages,checks,orders,models}] [--repeats N]

Needs `pip install ".[bench,parquet,report]"`; a tool that is not installed is left out. How well
tools find types is measured elsewhere (`docs/comparison.md`). Four tables:

pages   a page on a table: CPU seconds (median) and size
checks  which faults of a second batch a schema made from the first batch finds
orders  where the order of an ordered Categorical survives
models  ordinal regression: cross-validated error, log loss and CPU seconds
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.linalg import qr
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

import autotype

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    tables = {"pages": pages, "checks": checks, "orders": orders, "models": models}
    parser.add_argument("--only", choices=tables)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(argv)
    warnings.simplefilter("ignore")  # those of the peers
    for name, table in tables.items():
        if options.only in (None, name):
            print(f"\n{name}\n{table(options.repeats).to_string()}", flush=True)
    return 0


def cpu(call: Callable[[], object], repeats: int) -> float:
    """Return the median CPU time of a call in seconds, after a first one that is not counted."""
    call()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return round(float(np.median(seconds)), 2)


def survey() -> pd.DataFrame:
    return pd.read_csv(EXAMPLES / "survey.csv")


def pages(repeats: int) -> pd.DataFrame:
    """Time a page on each example, and measure it."""
    frames = {"survey": survey(), "election": pd.read_csv(EXAMPLES / "election.csv")}
    rows = {}
    for name, frame in frames.items():
        for tool, page in _page_makers(frame):
            rows[name, tool] = {
                "CPU s": cpu(page, repeats),
                "kB": round(len(page().encode()) / 1000),
            }
    return pd.DataFrame(rows).T


def _page_makers(frame: pd.DataFrame) -> Iterator[tuple[str, Callable[[], str]]]:
    yield "autotype", lambda: autotype.infer_types(frame, n_jobs=1).to_html()
    if find_spec("skrub"):
        import skrub

        yield "skrub TableReport", lambda: skrub.TableReport(frame, verbose=0).html()
    if find_spec("ydata_profiling"):
        from ydata_profiling import ProfileReport

        def profile() -> str:
            return ProfileReport(frame, minimal=True, progress_bar=False).to_html()

        yield "ydata-profiling, minimal", profile


def faults(day: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the batch with one fault each."""
    alphabetical = pd.Categorical(day["company_size"], ordered=True)
    moved = day["satisfaction"].replace("Satisfied", "Very satisfied")
    dates = ["31/31/2020", *day["signup_date"][1:]]
    return {
        "none": day,
        "unknown level": day.replace({"satisfaction": {"Satisfied": "Delighted"}}),
        "levels in another order": day.assign(company_size=alphabetical),
        "missing column": day.drop(columns="region"),
        "one value in all rows": day.assign(company_size="M"),
        "number far outside": day.assign(age=day["age"] * 1e6),
        "date that does not exist": day.assign(signup_date=dates),
        "shares of levels moved": day.assign(satisfaction=moved),
    }


def checks(repeats: int) -> pd.DataFrame:
    """Tabulate which faults are found, by schemas that nobody has written by hand.

    A fault is found if a check fails that does not fail without it.
    """
    day1, day2 = survey()[:500], survey()[500:]
    columns = {}
    for tool, failures in _checkers(day1):
        alarms = failures(day2)
        found = {name: failures(batch) - alarms for name, batch in faults(day2).items()}
        shown = {name: "found" if new else "-" for name, new in found.items()}
        shown["none"] = f"{len(alarms)} false alarms"
        columns[tool] = shown | {"CPU s a batch": cpu(lambda ask=failures: ask(day2), repeats)}
    return pd.DataFrame(columns)


def _checkers(day1: pd.DataFrame) -> Iterator[tuple[str, Callable[[pd.DataFrame], set]]]:
    """Yield tools, and what of a batch fails."""
    import pandera.pandas as pa
    from pandera.errors import SchemaErrors

    def failing(validate: Callable[[], object]) -> set:
        try:
            validate()
        except SchemaErrors as failures:
            cases = failures.failure_cases[["column", "check"]].astype(str)
            return set(cases.itertuples(index=False, name=None))
        return set()

    types = autotype.infer_types(day1)
    own = autotype.to_schema(day1, types, share_tolerance=0.1)
    yield "autotype", lambda batch: failing(lambda: autotype.validate(batch, own))
    inferred = pa.infer_schema(day1)
    yield (
        "pandera infer_schema",
        lambda batch: failing(lambda: inferred.validate(batch, lazy=True)),
    )
    if find_spec("pointblank"):
        import pointblank as pb

        plan = autotype.TypeReport.from_schema(own).to_pointblank()

        def by_pointblank(batch: pd.DataFrame) -> set:
            steps = pb.yaml_interrogate(plan, set_tbl=batch).validation_info
            return {step.i for step in steps if not step.all_passed}

        yield "pointblank, autotype's plan", by_pointblank


def orders(repeats: int) -> pd.DataFrame:
    """Tabulate which tools keep the order S < M < L < XL of an ordered Categorical."""
    sizes = ["S", "M", "L", "XL"]
    values = pd.Categorical(["M", "XL", "S", "L"] * 25, sizes, ordered=True)
    frame = pd.DataFrame({"size": values, "weight": np.arange(100.0)})
    found = {name: "kept" if kept else "lost" for name, kept in _kept(frame, sizes)}
    return pd.Series(found, name="order").to_frame()


def _kept(frame: pd.DataFrame, sizes: list[str]) -> Iterator[tuple[str, bool]]:
    import pandera.pandas as pa

    codes = frame["size"].cat.codes.to_numpy()
    yield (
        "scikit-learn OrdinalEncoder",
        bool((OrdinalEncoder().fit_transform(frame[["size"]])[:, 0] == codes).all()),
    )
    if find_spec("skrub"):
        import skrub

        made = skrub.TableVectorizer().fit_transform(frame)
        yield "skrub TableVectorizer", any(np.array_equal(made[c], codes) for c in made)
    declared = pa.DataFrameSchema({"size": pa.Column(frame["size"].dtype)})
    read = pa.DataFrameSchema.from_yaml(declared.to_yaml())
    dtype = read.columns["size"].dtype.type
    yield "pandera, schema to YAML and back", bool(getattr(dtype, "ordered", False))
    with tempfile.TemporaryDirectory() as folder:
        types = autotype.infer_types(frame)
        path = Path(folder, "schema.yaml")
        autotype.write_schema(autotype.to_schema(frame, types), path)
        again = autotype.TypeReport.from_schema(autotype.read_schema(path))
        yield "autotype, schema to YAML and back", again["size"].order == tuple(sizes)
        frame.to_csv(Path(folder, "frame.csv"), index=False)
        dtype = pd.read_csv(Path(folder, "frame.csv"))["size"].dtype
        yield "pandas, CSV and back", bool(getattr(dtype, "ordered", False))
        frame.to_parquet(Path(folder, "frame.parquet"))
        dtype = pd.read_parquet(Path(folder, "frame.parquet"))["size"].dtype
        yield "pandas, Parquet and back", list(dtype.categories) == sizes
    made = types.make_encoder(scale=False).fit_transform(frame)
    made = pd.DataFrame(made)
    yield "autotype, make_encoder", any(np.array_equal(made[c], codes) for c in made)


def targets() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield name, standardised features and ranks of three ordinal targets."""
    X, progress = load_diabetes(return_X_y=True)
    yield "diabetes, 4 grades", StandardScaler().fit_transform(X), _ranks(pd.qcut(progress, 4))
    for file, target in (("election", "party"), ("survey", "satisfaction")):
        frame = pd.read_csv(EXAMPLES / f"{file}.csv").drop(columns="comment", errors="ignore")
        types = autotype.infer_types(frame)
        frame = frame.dropna(subset=target)
        y = _ranks(pd.Categorical(frame[target], types[target].order, ordered=True))
        made = np.asarray(types.make_encoder(target=target).fit_transform(frame), float)
        yield f"{file}, {target}", independent(made), y


def independent(X: np.ndarray) -> np.ndarray:
    """Return columns that depend neither on each other nor on a constant, as statsmodels needs."""
    _, r, order = qr(X - X.mean(axis=0), mode="economic", pivoting=True)
    size = abs(np.diag(r))
    return X[:, np.sort(order[: (size > 1e-8 * size[0]).sum()])]


def _ranks(values: pd.Categorical) -> np.ndarray:
    return np.asarray(values.codes if hasattr(values, "codes") else values, dtype=int)


def models(repeats: int) -> pd.DataFrame:
    """Cross-validate ordinal regressions: 5 folds, all models on the same ones."""
    rows = {}
    for name, X, y in targets():
        for tool, make in _models():
            error, loss, seconds = _scores(make, X, y)
            rows[name, tool] = {"mae": error, "log loss": loss, "CPU s a fit": seconds}
    return pd.DataFrame(rows).T.round(3)


def _models() -> Iterator[tuple[str, Callable[[], object]]]:
    yield (
        "autotype GPOrdinalClassifier, linear",
        lambda: autotype.models.GPOrdinalClassifier("linear"),
    )
    yield "autotype GPOrdinalClassifier, rbf", lambda: autotype.models.GPOrdinalClassifier("rbf")
    yield (
        "autotype GPOrdinalClassifier, rbf, median",
        lambda: autotype.models.GPOrdinalClassifier("rbf", decision="median"),
    )
    yield "autotype LinearNPSVORCV", lambda: autotype.models.LinearNPSVORCV()
    yield "autotype SVOR", lambda: autotype.models.SVOR()
    yield "scikit-learn LogisticRegression", lambda: LogisticRegression(max_iter=1000)
    if find_spec("mord"):
        import mord

        yield "mord LogisticAT", lambda: mord.LogisticAT()
    if find_spec("skordinal"):
        from skordinal.classifiers import REDSVM, SVOR, LogisticAT

        yield "skordinal LogisticAT", lambda: LogisticAT()
        yield "skordinal REDSVM", lambda: REDSVM()
        yield "skordinal SVOR", lambda: SVOR()
    if find_spec("statsmodels"):
        yield "statsmodels OrderedModel, logit", lambda: _OrderedModel()


class _OrderedModel:
    """statsmodels' proportional odds behind fit and predict_proba."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> _OrderedModel:
        from statsmodels.miscmodels.ordinal_model import OrderedModel

        self.fitted_ = OrderedModel(y, X, distr="logit").fit(method="bfgs", disp=0)
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.fitted_.predict(X))

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.predict_proba(X).argmax(axis=1)


def _scores(make: Callable, X: np.ndarray, y: np.ndarray) -> tuple[float, float, float]:
    """Return mean absolute error, log loss (NaN without probabilities) and CPU seconds a fit."""
    errors, losses, seconds = [], [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        start = time.process_time()
        model = make().fit(X[train], y[train])
        seconds.append(time.process_time() - start)
        errors.extend(abs(np.asarray(model.predict(X[test]), dtype=float) - y[test]))
        if hasattr(model, "predict_proba"):
            p = np.asarray(model.predict_proba(X[test]))[np.arange(len(test)), y[test]]
            losses.extend(-np.log(np.maximum(p, 1e-12)))
    loss = float(np.mean(losses)) if losses else np.nan
    return float(np.mean(errors)), loss, float(np.median(seconds))


if __name__ == "__main__":
    sys.exit(main())

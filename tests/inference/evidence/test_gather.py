from __future__ import annotations

import os
import pickle
import signal
import time
import warnings
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import autotype
from autotype.inference.column import Column
from autotype.inference.evidence import gather
from autotype.inference.evidence.column_evidence import begin_evidence
from autotype.inference.evidence.predictors import FramePredictors, encode
from autotype.inference.profile.triage import triage
from autotype.inference.sampling.sample import sample_frame
from tests.inference.frames.engines import lacking


def frame_of(n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    latent = rng.standard_normal(n_rows)
    columns = {
        f"c{k}": np.array(["one", "two", "three", "four"])[
            np.digitize(latent + rng.standard_normal(n_rows), [-1, 0, 1])
        ]
        for k in range(4)
    }
    return pd.DataFrame(columns | {"colour": rng.choice(["red", "blue", "grey"], n_rows)})


def test_a_failed_column_is_reported_in_its_own_row(monkeypatch) -> None:
    calls = []

    def failing(codes: Any, rows: Any, scale: tuple, *arguments: Any) -> Any:
        calls.append(scale)
        if "red" in scale:
            raise ArithmeticError("singular")
        return original(codes, rows, scale, *arguments)

    original = gather.weigh_scale
    expected = autotype.infer_types(frame_of())
    monkeypatch.setattr(gather, "weigh_scale", failing)
    message = "'colour' could not be computed: ArithmeticError: singular"
    with pytest.warns(UserWarning, match=message):
        types = autotype.infer_types(frame_of())
    assert len(calls) == 6  # of five columns, one was tried again
    failed = types["colour"]
    assert failed.semantic_type == "undetermined"
    assert failed.reason == "Its evidence could not be computed (ArithmeticError: singular)."
    assert sum(failed.levels.values()) == 300
    for name in ("c0", "c1", "c2", "c3"):
        assert types[name].order == expected[name].order


def test_a_column_that_succeeds_the_second_time(monkeypatch) -> None:
    attempts = []

    def flaky(*arguments: Any) -> Any:
        attempts.append(1)
        if len(attempts) == 1:
            raise MemoryError
        return original(*arguments)

    original = gather.weigh_scale
    expected = autotype.infer_types(frame_of()).to_json()
    monkeypatch.setattr(gather, "weigh_scale", flaky)
    assert autotype.infer_types(frame_of()).to_json() == expected


class KillsItsWorker:
    """Ends the process that unpickles it, unless that is the one that made it."""

    def __init__(self) -> None:
        self.maker = os.getpid()

    def __reduce__(self) -> tuple:
        return _end_unless, (self.maker,)


def _end_unless(maker: int) -> None:
    if os.getpid() != maker:
        os._exit(1)


def candidates_of(frame: pd.DataFrame) -> tuple[list[Column], FramePredictors]:
    columns = sample_frame(frame, max_rows=1000, max_levels=20, seed=0).columns
    for column in columns:
        triage(column, max_levels=20)
        column.reading, column.excluded = column.labels, [column.position]
    return columns, encode(columns)


def test_workers_beyond_counting_do_what_one_does() -> None:
    assert autotype.infer_types(frame_of(), n_jobs=10**29) == autotype.infer_types(frame_of())


def test_the_death_of_a_worker_costs_one_column_only() -> None:
    expected, offered = candidates_of(frame_of())
    gather.gather_all(expected, offered)
    columns, _ = candidates_of(frame_of())
    columns[2].excluded = KillsItsWorker()  # type: ignore[assignment]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gather.gather_all(columns, offered, n_jobs=2)
    assert "the evidence on column 'c2' could not be computed" in str(caught[-1].message)
    assert columns[2].data is None
    assert columns[2].error.startswith(("TerminatedWorkerError", "BrokenProcessPool"))
    for k in {0, 1, 3, 4}:
        assert columns[k].data.numbers == expected[k].data.numbers


def test_workers_receive_no_values() -> None:
    """A task has a few numbers for each sampled row; the values may be long strings."""
    columns, _ = candidates_of(frame_of())
    task = pickle.dumps(begin_evidence(columns[0]))
    assert len(task) < 20 * 300 + 2000


def test_after_the_time_limit_only_labels_are_examined() -> None:
    types = autotype.infer_types(frame_of(), max_seconds=1e-9)
    for column in types.columns:
        assert column.reasons[-1] == (
            "The other columns were not examined: the time limit (max_seconds) had passed."
        )
        assert "loo_ordinal" not in column.evidence
    assert types["c0"].order == ("one", "two", "three", "four")


def test_a_generous_time_limit_changes_nothing() -> None:
    expected = autotype.infer_types(frame_of()).to_json()
    assert autotype.infer_types(frame_of(), max_seconds=1e6).to_json() == expected


@pytest.mark.parametrize(("is_limited", "expected"), [(True, [3, 5, 9]), (False, [9, 5, 3])])
def test_columns_with_few_levels_come_first_under_a_time_limit(
    monkeypatch, is_limited, expected
) -> None:
    seen = []

    def attempt(begun: tuple, *_: Any) -> tuple:
        seen.append(len(begun[2]))
        return None, "", False

    monkeypatch.setattr(gather, "_attempt", attempt)
    columns = [
        Column("c", n_distinct=n, levels={f"v{k}": 9 for k in range(n)}, values=pd.Series(["v0"]))
        for n in (9, 3, 5)
    ]
    deadline = time.time() if is_limited else None
    gather.gather_all(columns, encode([]), deadline=deadline)
    assert seen == expected


@pytest.mark.parametrize("limit", [0, -1, float("inf"), float("nan"), "3"])
def test_time_limits_that_are_none(limit: Any) -> None:
    with pytest.raises(ValueError, match="max_seconds must be None or a number above 0"):
        autotype.infer_types(frame_of(), max_seconds=limit)


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_local_backends_agree(backend: str) -> None:
    expected = autotype.infer_types(frame_of()).to_json()
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert autotype.infer_types(frame_of()).to_json() == expected


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no masks")
def test_interrupts_are_deferred_while_workers_start(monkeypatch) -> None:
    def is_deferred() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    class Workers(joblib.Parallel):
        def __call__(self, jobs: Any) -> Any:
            seen.append(is_deferred())
            return super().__call__(jobs)

    seen: list[bool] = []
    monkeypatch.setattr(joblib, "Parallel", Workers)
    expected = autotype.infer_types(frame_of()).to_json()
    seen.clear()
    assert autotype.infer_types(frame_of(), n_jobs=2).to_json() == expected
    assert seen == [True]
    assert not is_deferred()


@pytest.mark.skipif(lacking("distributed"), reason="needs distributed")
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_agrees() -> None:
    from distributed import Client, LocalCluster

    expected = autotype.infer_types(frame_of()).to_json()
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        assert autotype.infer_types(frame_of()).to_json() == expected


@pytest.mark.skipif(lacking("pyspark", "joblibspark"), reason="needs joblibspark")
@pytest.mark.filterwarnings("ignore")
def test_spark_workers_agree() -> None:
    from joblibspark import register_spark

    from tests.inference.frames.engines import spark_session

    spark_session()
    register_spark()
    expected = autotype.infer_types(frame_of()).to_json()
    with joblib.parallel_config(backend="spark", n_jobs=1):
        assert autotype.infer_types(frame_of()).to_json() == expected


@pytest.mark.skipif(lacking("pyspark"), reason="needs pyspark")
@pytest.mark.filterwarnings("ignore")
def test_tables_are_tasks_of_spark(tmp_path) -> None:
    from tests.inference.frames.engines import spark_session

    def infer(path: str) -> autotype.TypeReport:
        return autotype.infer_types(pd.read_parquet(path))

    paths = [str(tmp_path / f"{n}.parquet") for n in (100, 200)]
    for path, n in zip(paths, (100, 200), strict=True):
        frame_of(n).to_parquet(path)
    reports = spark_session().sparkContext.parallelize(paths, 2).map(infer).collect()
    expected = [autotype.infer_types(frame_of(n)).to_json() for n in (100, 200)]
    assert [report.to_json() for report in reports] == expected


@pytest.mark.skipif(lacking("distributed"), reason="needs distributed")
@pytest.mark.filterwarnings("ignore")
def test_tables_are_tasks_of_a_cluster(tmp_path) -> None:
    from distributed import Client, LocalCluster

    def infer(path: str) -> autotype.TypeReport:
        return autotype.infer_types(pd.read_parquet(path))

    frames = {tmp_path / f"{n}.parquet": frame_of(n) for n in (100, 200, 300)}
    for path, frame in frames.items():
        frame.to_parquet(path)
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        tasks = {path: client.submit(infer, str(path)) for path in [*frames, damaged]}
        reports = {path: task.result() for path, task in tasks.items() if not task.exception()}
        assert tasks[damaged].status == "error"
    assert reports.keys() == frames.keys()
    for path, frame in frames.items():
        assert reports[path].to_json() == autotype.infer_types(frame).to_json()

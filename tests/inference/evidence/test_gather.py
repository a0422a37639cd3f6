from __future__ import annotations

import itertools
import os
import signal
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import joblib
import numpy as np
import pandas as pd
import pytest

import autotype
import autotype.inference.evidence.predictors
import autotype.inference.profile.triage
import autotype.inference.sampling.sample
from autotype.inference.evidence import gather
from autotype.inference.evidence.predictors import FramePredictors, encode
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


def no_predictors() -> FramePredictors:
    return encode([], [])


def test_a_failed_column_is_reported_in_its_own_row(monkeypatch) -> None:
    calls = []

    def failing(column: Any, *arguments: Any, **options: Any) -> Any:
        calls.append(column.name)
        if column.name == "c1":
            raise ArithmeticError("singular")
        return original(column, *arguments, **options)

    original = gather.gather_evidence
    expected = autotype.infer_types(frame_of())
    monkeypatch.setattr(gather, "gather_evidence", failing)
    with pytest.warns(UserWarning, match="'c1' could not be computed: ArithmeticError: singular"):
        types = autotype.infer_types(frame_of())
    assert calls.count("c1") == 2  # retried once
    assert types["c1"].semantic_type == "undetermined"
    assert types["c1"].reason == "Its evidence could not be computed (ArithmeticError: singular)."
    assert sum(types["c1"].levels.values()) == 300
    for name in ("c0", "c2", "colour"):
        assert types[name].order == expected[name].order


def test_a_column_that_succeeds_the_second_time(monkeypatch) -> None:
    attempts = []

    def flaky(*arguments: Any, **options: Any) -> Any:
        attempts.append(1)
        if len(attempts) == 1:
            raise MemoryError
        return original(*arguments, **options)

    original = gather.gather_evidence
    expected = autotype.infer_types(frame_of()).to_json()
    monkeypatch.setattr(gather, "gather_evidence", flaky)
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


def test_the_death_of_a_worker_costs_one_column_only() -> None:
    sampled = autotype.inference.sampling.sample.sample_frame(
        frame_of(), max_rows=1000, max_levels=20, seed=0
    )
    design = autotype.inference.evidence.predictors.encode(
        sampled.columns,
        [autotype.inference.profile.triage.triage(c, max_levels=20) for c in sampled.columns],
    )
    candidates = [
        gather.Candidate(column, [j], column.labels, None, 1)
        for j, column in enumerate(sampled.columns)
    ] * 4  # so that workers receive several at once
    expected = gather.gather_all(candidates, design)
    candidates[2] = gather.Candidate(sampled.columns[2], [2], KillsItsWorker(), None, 1)  # type: ignore[arg-type]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcomes = gather.gather_all(candidates, design, n_jobs=2)
    assert "the evidence on column 'c2' could not be computed" in str(caught[-1].message)
    assert outcomes[2].evidence is None
    assert outcomes[2].error.startswith(("TerminatedWorkerError", "BrokenProcessPool"))
    for k in set(range(20)) - {2}:
        assert outcomes[k].evidence.data.log_evidence_ordinal == pytest.approx(
            expected[k].evidence.data.log_evidence_ordinal
        )


def test_this_process_works_until_the_workers_have_started(monkeypatch) -> None:
    columns = [type("Column", (), {"n_distinct": k % 5, "name": k})() for k in range(12)]
    candidates = [gather.Candidate(column, [], None, None, 1) for column in columns]
    monkeypatch.setattr(gather, "_parallel", _LateWorkers)
    monkeypatch.setattr(gather, "_attempt", lambda candidate, *_: gather.Outcome(candidate))
    outcomes = gather.gather_all(candidates, no_predictors(), n_jobs=2)
    assert [outcome.evidence for outcome in outcomes] == candidates
    # The columns of most levels, which cost most, were begun first: two by workers, then one here.
    assert _LateWorkers.given == [4, 9, 8, 2, 7, 1, 6, 11, 0, 5, 10]


class _LateWorkers:
    """Workers that take two tasks, and are there when one column is done without them."""

    return_generator = True
    given: ClassVar[list[int]] = []

    def __init__(self, n_jobs: int | None) -> None:
        self._completed = itertools.count()

    @property
    def n_completed_tasks(self) -> int:
        return next(self._completed)

    def __call__(self, tasks: Iterator[Any]) -> Iterator[list[gather.Outcome]]:
        first = [next(tasks), next(tasks)]
        return self._run(itertools.chain(first, tasks))

    def _run(self, tasks: Iterable[Any]) -> Iterator[list[gather.Outcome]]:
        self.given.clear()
        for function, arguments, options in tasks:
            self.given.extend(candidate.column.name for candidate in arguments[0])
            yield function(*arguments, **options)


def test_workers_receive_several_columns_at_once_and_the_last_ones_one_at_a_time() -> None:
    waiting, given = deque(range(40)), []
    batches = list(gather._batches(waiting, given, n_workers=2))
    assert batches == given
    assert [len(batch) for batch in batches] == [1, 1, 12, 8, 6, 4, 2, 2, 1, 1, 1, 1]
    assert [k for batch in batches for k in batch] == list(range(40))


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


def test_columns_with_few_levels_come_first_under_a_time_limit(monkeypatch) -> None:
    order = []
    monkeypatch.setattr(
        gather, "_attempt", lambda candidate, *_: order.append(candidate) or gather.Outcome(None)
    )
    columns = [
        gather.Candidate(type("Column", (), {"n_distinct": n, "name": n})(), [], None, None, 1)  # type: ignore[arg-type]
        for n in (9, 3, 5)
    ]
    gather.gather_all(columns, no_predictors(), deadline=time.time())
    assert [c.column.n_distinct for c in order] == [3, 5, 9]


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
class TestDeferredInterrupts:
    """Ctrl-C while workers start is deferred with every declared joblib and threadpoolctl."""

    @staticmethod
    def is_deferred() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    def test_a_tracker_that_unblocks_them_when_it_starts(self, monkeypatch) -> None:
        from joblib.externals.loky.backend import resource_tracker

        starts: list[None] = []

        def ensure_running() -> None:
            if not starts:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
                starts.append(None)

        monkeypatch.setattr(resource_tracker, "ensure_running", ensure_running)
        with gather._interrupts_deferred():
            resource_tracker.ensure_running()  # as joblib calls it for its workers
            assert self.is_deferred()
        assert not self.is_deferred()

    def test_libraries_are_listed_meanwhile(self, monkeypatch) -> None:
        seen = []

        class Controller(gather.ThreadpoolController):
            def __init__(controller) -> None:  # noqa: N805
                seen.append(self.is_deferred())
                super().__init__()

        monkeypatch.setattr(gather, "ThreadpoolController", Controller)
        gather._blas.cache_clear()
        autotype.infer_types(frame_of(), n_jobs=2)
        gather._blas.cache_clear()
        assert seen == [True]


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

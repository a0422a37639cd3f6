"""Resolve the number of workers, without loading joblib where one is enough."""

from __future__ import annotations

import sys


def needs_joblib(n_jobs: int | None) -> bool:
    """Check whether joblib decides on the number of workers.

    None is for joblib's configuration to decide; there is none where joblib is not loaded, and a
    single worker does not need to load it.

    Examples
    --------
    >>> needs_joblib(1), needs_joblib(2)
    (False, True)
    """
    return n_jobs != 1 and (n_jobs is not None or "joblib" in sys.modules)


def count_threads(n_jobs: int | None) -> int:
    """Return the number of threads of this process that `n_jobs` workers stand for.

    Parameters
    ----------
    n_jobs : int or None
        Workers, as in joblib; perhaps of a cluster.

    Returns
    -------
    int
        At most one for each core of this machine.

    Examples
    --------
    >>> count_threads(1)
    1
    """
    if not needs_joblib(n_jobs):
        return 1
    from joblib import cpu_count, effective_n_jobs

    return min(effective_n_jobs(n_jobs), cpu_count())

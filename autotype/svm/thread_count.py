"""How many threads `n_jobs` asks for."""

from __future__ import annotations

import os


def thread_count(n_jobs: int | None) -> int:
    """Count threads as scikit-learn counts jobs.

    Parameters
    ----------
    n_jobs : int or None
        None is 1; negative numbers count from all processors, -1 being all of them.

    Returns
    -------
    int
        At least 1.

    Raises
    ------
    ValueError
        Where `n_jobs` is 0.

    Examples
    --------
    >>> thread_count(None), thread_count(2)
    (1, 2)
    """
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs must be a number of threads or negative, got 0; pass 1 or -1")
    if n_jobs > 0:
        return n_jobs
    available = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return max(1, available + 1 + n_jobs)

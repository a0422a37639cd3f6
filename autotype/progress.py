"""A progress bar for people, silence for jobs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

# Seconds before an automatic bar appears: shorter work needs none.
DELAY = 2.0
_FORMAT = "{l_bar}{bar}| {n_fmt}/{total_fmt} columns [{elapsed}<{remaining}]"


def track(
    iterable: Iterable[T], *, total: int | None = None, progress: bool | None = None
) -> Iterator[T]:
    """Hand on the items of an iterable, with a progress bar on the standard error stream.

    Parameters
    ----------
    iterable : iterable
        Where results come from another process, hand in the generator of results as they are
        ready, so that the bar counts finished work.
    total : int, optional
        How many items there will be; else ``len(iterable)`` where that exists.
    progress : bool, optional
        True shows the bar from the start, False never. None shows it on a terminal or in a
        notebook, and only on work that takes longer than two seconds.

    Returns
    -------
    iterator
        The items, in their order. Once exhausted or closed it leaves no bar behind.

    Notes
    -----
    Columns typed in parallel pass through it as joblib finishes them::

        jobs = (delayed(type_column)(column) for column in columns)
        results = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
        types = list(track(results, total=len(columns), progress=progress))

    Examples
    --------
    >>> list(track("abc", progress=False))
    ['a', 'b', 'c']
    """
    if progress is None and not _someone_watches():
        progress = False
    if progress is False:
        return iter(iterable)
    from tqdm import tqdm  # loaded where a bar may be shown, not with the package

    delay = 0.0 if progress else DELAY
    bar = tqdm(iterable, total=total, delay=delay, leave=False, bar_format=_FORMAT, file=sys.stderr)
    return iter(bar)


def _someone_watches() -> bool:
    """Tell whether the standard error stream goes to a terminal or a notebook."""
    if sys.stderr is None:
        return False
    return sys.stderr.isatty() or "ipykernel" in sys.modules

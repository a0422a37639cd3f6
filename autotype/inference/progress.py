"""Progress bar, shown only in interactive sessions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

# Seconds before an automatic bar appears.
DELAY = 2.0
_FORMAT = "{l_bar}{bar}| {n_fmt}/{total_fmt} columns [{elapsed}<{remaining}]"


def track(
    iterable: Iterable[T], *, total: int | None = None, progress: bool | None = None
) -> Iterator[T]:
    """Iterate over items with a progress bar on the standard error stream.

    Parameters
    ----------
    iterable : iterable
        For results of other processes, a generator of results as they finish, so that the bar
        counts finished work.
    total : int, optional
        Number of items; by default ``len(iterable)``, if defined.
    progress : bool, optional
        True shows the bar from the start, False never. None shows it on a terminal or in a
        notebook after two seconds.

    Returns
    -------
    iterator
        The items, in their order. The bar is removed at the end.

    Notes
    -----
    With joblib::

        jobs = (delayed(type_column)(column) for column in columns)
        results = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
        types = list(track(results, total=len(columns), progress=progress))

    Examples
    --------
    >>> list(track("abc", progress=False))
    ['a', 'b', 'c']
    """
    if progress is None and not _is_interactive():
        progress = False
    if progress is False:
        return iter(iterable)
    from tqdm import tqdm  # imported only if a bar may be shown

    delay = 0.0 if progress else DELAY
    bar = tqdm(iterable, total=total, delay=delay, leave=False, bar_format=_FORMAT, file=sys.stderr)
    return iter(bar)


def _is_interactive() -> bool:
    """Check whether the standard error stream is a terminal or a notebook."""
    if sys.stderr is None:
        return False
    return sys.stderr.isatty() or "ipykernel" in sys.modules

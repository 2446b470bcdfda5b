"""Ahead: what is asked for next is fetched by another thread while one works on what is there."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def ahead(asked: Iterable[Asked], fetch: Callable[[Asked], Found]) -> Iterator[tuple[Asked, Found]]:
    """Each thing asked for, and what was fetched for it; one more is on its way meanwhile.

    >>> list(ahead([1, 2, 3], lambda x: x * x))
    [(1, 1), (2, 4), (3, 9)]
    """
    waiting: tuple[Asked, Future[Found]] | None = None
    with ThreadPoolExecutor(1) as pool:
        for one in asked:
            coming = one, pool.submit(fetch, one)
            if waiting is not None:
                yield waiting[0], waiting[1].result()
            waiting = coming
        if waiting is not None:
            yield waiting[0], waiting[1].result()

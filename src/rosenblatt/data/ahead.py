"""Ahead: what is asked for next is fetched by another thread while one works on what is there."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def made_ahead(source: Iterable[Found]) -> Iterator[Found]:
    """What an iterable gives; the next one is made by another thread meanwhile.

    >>> list(made_ahead(range(3)))
    [0, 1, 2]
    """
    made, end = iter(source), object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, made, end)
        while (one := coming.result()) is not end:
            coming = pool.submit(next, made, end)
            yield one  # type: ignore[misc]


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

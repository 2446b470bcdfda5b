"""Ahead: what is asked for next is fetched by another thread while one works on what is there.

The thread is a daemon: whoever reads a pipe that nobody writes to can be interrupted, and leaves it waiting.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")


def ahead(asked: Iterable[Asked], fetch: Callable[[Asked], Found]) -> Iterator[tuple[Asked, Found]]:
    """Each thing asked for, and what was fetched for it; one more is on its way meanwhile.

    What is asked for is made by the caller's thread, always just as far ahead.

    >>> list(ahead([1, 2, 3], lambda x: x * x))
    [(1, 1), (2, 4), (3, 9)]
    """
    tasks: SimpleQueue[Any] = SimpleQueue()
    answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
    end = object()

    def work() -> None:
        while (task := tasks.get()) is not end:
            try:
                answers.put((fetch(task), None))
            except BaseException as error:  # it is raised again by whoever waits for the answer
                answers.put((None, error))

    def answer() -> Any:
        found, error = answers.get()
        if error is not None:
            raise error
        return found

    Thread(target=work, daemon=True).start()
    try:
        waiting: list[Asked] = []
        for one in asked:
            tasks.put(one)
            waiting.append(one)
            if len(waiting) > 1:
                yield waiting.pop(0), answer()
        if waiting:
            yield waiting.pop(), answer()
    finally:
        tasks.put(end)


def made_ahead(source: Iterable[Found]) -> Iterator[Found]:
    """What an iterable gives; the next one is made by another thread meanwhile.

    >>> list(made_ahead(range(3)))
    [0, 1, 2]
    """
    made, end = iter(source), object()
    for _, one in ahead(repeat(None), lambda _: next(made, end)):
        if one is end:
            return
        yield one  # type: ignore[misc]

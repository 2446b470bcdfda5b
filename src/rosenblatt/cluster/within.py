"""Within: a call that may not take longer, though nobody can end it: whoever waits goes on without it."""

import threading
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def within(seconds: float, call: Callable[[], Found]) -> Found:
    """What the call gives, or raises. Raises `TimeoutError` when the time is up; the call goes on in a thread.

    >>> within(5, lambda: 3)
    3
    """
    found, raised = list[Found](), list[BaseException]()

    def run() -> None:
        try:
            found.append(call())
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)  # for which the end of the program does not wait
    thread.start()
    thread.join(seconds)
    if raised:
        raise raised[0]
    if not found:
        raise TimeoutError(f"no answer in {seconds:g} seconds")
    return found[0]

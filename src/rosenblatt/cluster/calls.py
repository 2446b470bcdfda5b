"""Functions and values as tasks of a graph: objects, in which an engine looks for nothing that it might replace."""

from collections.abc import Callable
from typing import Any


class Call:
    """A function to be called with what its task depends on, and then with what it was given along."""

    def __init__(self, function: Callable[..., Any], *along: Any) -> None:
        self.function, self.along = function, along

    def __call__(self, *found: Any) -> Any:
        """What the function gives."""
        return self.function(*found, *self.along)


class Joins(Call):
    """A function of several results at once, in order."""

    def __call__(self, *found: Any) -> Any:
        """What it makes of them."""
        return self.function(found)


class Value:
    """A value that is there already."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self) -> Any:
        """That."""
        return self.value

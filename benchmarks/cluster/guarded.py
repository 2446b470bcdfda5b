"""A Dask cluster whose results are weighed when they come to the client: one that is too large is an error.

Whoever gathered rows would not get far.
"""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

from rosenblatt.cluster.dask_engine import DaskEngine
from rosenblatt.cluster.engine import Kept


def size_of(value: Any) -> int:
    """Bytes of a value as it is sent."""
    return len(pickle.dumps(value, protocol=5))


class Guarded(DaskEngine):
    """An engine of which one call may bring `limit` bytes to the client. `most`: the largest so far."""

    def __init__(self, client: Any, limit: int) -> None:
        super().__init__(client)
        self.limit, self.most = limit, 0

    def each(self, function: Callable[..., Any], kept: Sequence[Kept], shared: Any = None) -> list[Any]:
        """The results of all shards."""
        found: list[Any] = self._weighed(function, super().each(function, kept, shared))
        return found

    def joined(
        self, function: Callable[..., Any], join: Callable[[Sequence[Any]], Any], kept: Sequence[Kept], shared: Any
    ) -> Any:
        """The one result that comes back."""
        return self._weighed(function, super().joined(function, join, kept, shared))

    def chained(self, function: Callable[..., Any], kept: Sequence[Kept], first: Any) -> Any:
        """The last result."""
        return self._weighed(function, super().chained(function, kept, first))

    def _weighed(self, function: Callable[..., Any], found: Any) -> Any:
        size = size_of(found)
        self.most = max(self.most, size)
        if size > self.limit:
            name = getattr(function, "__name__", type(function).__name__)
            raise RuntimeError(f"{name}: {size:,} bytes came to the client; expected {self.limit:,} at most")
        return found

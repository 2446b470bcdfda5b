"""Dask as an engine: the one file that knows it. A round is one graph, sent at once; what it waits for is its end.

A round depends on nothing but what is kept and what it is given: no task waits for a certain worker, so that one that
dies takes nothing along which Dask cannot make again elsewhere. What all tasks of a round share (the weights) is a task
of its own: it goes to the scheduler once, and from worker to worker after that. If it is small it goes along with every
task instead, which spares the round a step.
"""

import asyncio
import itertools
import logging
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import wait as wait_for
from contextlib import suppress
from importlib.metadata import version
from operator import itemgetter, methodcaller
from typing import Any, cast
from uuid import uuid4

import dask
import dask.array
import numpy as np
from dask.base import normalize_token
from dask.delayed import Delayed, delayed
from distributed import Client, Future, KilledWorker, LocalCluster, get_client, wait
from distributed.protocol.serialize import serialize

from ..choices import thread_count
from ..errors import InputError, LostClusterError
from .calls import Call, Joins, Value
from .engine import Engine, FailedTaskError, Kept, StoppedError, alike, groups
from .failures import check_package
from .uninterrupted import uninterrupted
from .within import within

_LOOK = 0.1  # seconds between two calls of whoever waits
_PATIENCE = 30.0  # seconds without a worker, or without a scheduler, after which it is given up: rosenblatt.patience
_CONNECT = 20.0  # seconds in which a scheduler is to answer at all
_ANSWER = 5.0  # seconds in which a scheduler says who is there
_TRIES = 3  # of a round whose tasks were cancelled: a scheduler that forgets what a lost worker had
_FAILED = ("error", "cancelled")
_SMALL = 2**21  # bytes of what a round shares, sent with every task, rather than once to whoever asks for it
_SOON = 0.05  # seconds after a round in which what is left of it may stay
_WATCHED = 64  # tasks of a round whose results stay until it ends, so as to see how far it is; or twice as many
_QUIET = {"distributed.admin.large-graph-warning-threshold": "1 TB"}  # weights are meant to be sent


class _Graph(dict[str, Any]):
    """The tasks of a round. Its name is its token: Dask would make one of all that is sent, half of what a round costs.

    Names are never used again, so that no two rounds are taken for each other.
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.name = f"rosenblatt-{what}-{uuid4().hex}"

    def sharing(self, function: Callable[..., Any], shared: Any, tasks: int) -> tuple[Any, ...]:
        """What so many tasks call, with what they depend on before the rest of this behind it."""
        _, frames = serialize(shared)  # arrays are not copied
        if tasks * sum(memoryview(one).nbytes for one in frames) <= _SMALL:
            return (Call(function, shared),)
        self[f"{self.name}-shared"] = (Value(shared),)
        return Call(function), f"{self.name}-shared"


normalize_token.register(_Graph, lambda graph: graph.name)


class DaskEngine(Engine):
    """The workers of a `distributed.Client`."""

    def __init__(self, client: Client | None = None, own: LocalCluster | None = None) -> None:
        self._own: Any = own
        try:
            self.client = get_client() if client is None else client
        except ValueError:
            raise InputError("no Dask client: make one, distributed.Client(...), or give it as client") from None
        if not isinstance(self.client, Client):
            raise InputError(f"client must be a distributed.Client, not {type(client).__name__}; it comes first")
        if self.client.asynchronous:
            raise InputError("an asynchronous client: expected one that waits, distributed.Client(...)")
        with suppress(OSError, TimeoutError, CancelledError, LostClusterError):  # which is said of what is asked next
            self._check_open()
            asked = self.client._run, version, "rosenblatt"
            check_package(self.client.sync(*asked, on_error="return", callback_timeout=_ANSWER))

    @classmethod
    def at(cls, address: str) -> "DaskEngine":
        """A cluster by the address of its scheduler; "local": one of this machine, a process for each CPU."""
        own = None
        if address == "local":
            with uninterrupted():
                own = LocalCluster(
                    n_workers=thread_count(None), threads_per_worker=1, processes=True, host="127.0.0.1",
                    dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL,
                )  # fmt: skip
        try:
            return cls(within(_CONNECT, lambda: Client(own or address, timeout=10, set_as_default=False)), own)
        except InputError:  # of the package there
            raise
        except Exception as error:  # whatever Dask makes of what answers there
            raise InputError(
                f"{address}: no Dask scheduler answers there ({error}); expected tcp://HOST:PORT, or local"
            ) from None

    def close(self) -> None:
        """Leave the cluster; one that was made by `at` ends."""
        self.client.close()
        if self._own is not None:
            self._own.close()

    def keep(self, function: Callable[..., Any], *columns: Sequence[Any], shared: Any = None) -> list[Kept]:
        """A future each. What they are made of is kept in mind by the scheduler, to make them again."""

        def round_() -> list[Kept]:
            tasks = _Graph("keep")
            name = tasks.name
            call, *more = tasks.sharing(function, shared, len(columns[0]))
            for i, row in enumerate(zip(*columns, strict=True)):
                parts = [one if _kept(one) else _shared(tasks, i, j, one) for j, one in enumerate(row)]
                tasks[f"{name}-{i}"] = (call, *parts, *more)
            return self._futures(tasks, [f"{name}-{i}" for i in range(len(columns[0]))])

        return cast("list[Kept]", self._again(round_, *columns))

    def each(self, function: Callable[..., Any], kept: Sequence[Kept], shared: Any = None) -> list[Any]:
        """One graph."""

        def round_() -> list[Any]:
            tasks = _Graph("each")
            call, *more = tasks.sharing(function, shared, len(kept))
            leaves = [f"{tasks.name}-{i}" for i in range(len(kept))]
            for key, one in zip(leaves, kept, strict=True):
                tasks[key] = (call, one, *more)
            return cast("list[Any]", self._gathered(self._futures(tasks, leaves)))

        return cast("list[Any]", self._again(round_, kept))

    def joined(
        self, function: Callable[..., Any], join: Callable[[Sequence[Any]], Any], kept: Sequence[Kept], shared: Any
    ) -> Any:
        """One graph, whose root comes to the client."""

        def round_() -> Any:
            tasks = _Graph("joined")
            name = tasks.name
            call, *more = tasks.sharing(function, shared, len(kept))
            levels = [[f"{name}-{i}" for i in range(len(kept))]]
            for key, one in zip(levels[0], kept, strict=True):
                tasks[key] = (call, one, *more)
            for depth, level in enumerate(groups(len(kept)), 1):
                # Of another name, by which Dask remembers how long such tasks take.
                above = [f"{name.replace('joined', 'join')}-{depth}-{i}" for i in range(len(level))]
                for key, group in zip(above, level, strict=True):
                    tasks[key] = (Joins(join), *(levels[-1][i] for i in group))
                levels.append(above)
            watched = next(level for level in levels if len(level) <= _WATCHED)
            return self._last_of(tasks, levels[0], watched, levels[-1][0])

        return self._again(round_, kept)

    def chained(self, function: Callable[..., Any], kept: Sequence[Kept], first: Any) -> Any:
        """One graph, in which each task waits for the one before."""

        def round_() -> Any:
            tasks = _Graph("chain")
            name = tasks.name
            tasks[f"{name}-first"] = (Value(first),)
            before, links = f"{name}-first", list[str]()
            for i, one in enumerate(kept):
                links.append(f"{name}-{i}")
                tasks[links[-1]] = (Call(function), one, before)
                before = links[-1]
            return self._last_of(tasks, links, links[:: -(-len(links) // _WATCHED)], before)

        return self._again(round_, kept)

    def blocks(self, *collections: Any) -> list[list[Kept]]:
        """Of Dask arrays, frames and series, lists of delayed values or futures: a future for each block of rows."""
        self._check_open()
        counts = {len(one.to_delayed()) for one in collections if hasattr(one, "to_delayed") and hasattr(one, "index")}
        if getattr(collections[0], "ndim", 2) != 2:
            raise InputError(f"rows must form a table (n, d), not an array of {collections[0].ndim} dimension(s)")
        rows, *_ = collections = self._cut_alike(*collections) if len(counts) > 1 else collections
        chunks = rows.chunks[0] if hasattr(rows, "chunks") else None
        known = chunks is not None and not any(map(math.isnan, chunks))
        return alike([self._blocks(one, chunks if known else None) for one in collections])

    def _cut_alike(self, rows: Any, *others: Any) -> tuple[Any, ...]:
        """A frame, and series of it: in one frame, for of a few columns Dask may read several blocks as one."""
        names = [f"rosenblatt {i}" for i in range(len(others))]
        series = {name: one for name, one in zip(names, others, strict=True) if one is not None}
        try:
            blocks = self.client.compute(rows.assign(**series).to_delayed())
        except Exception:  # whatever Dask says of series that are not of this frame
            return rows, *others

        def each(function: Callable[..., Any]) -> list[Kept]:
            return [self.client.submit(function, block, pure=False) for block in blocks]

        columns = [each(itemgetter(name)) if name in series else None for name in names]
        return each(methodcaller("drop", columns=list(series))), *columns

    def _blocks(self, given: Any, chunks: Any) -> list[Kept] | None:
        if given is None:
            return None
        if isinstance(given, (list, tuple)) and all(isinstance(one, (Delayed, Future)) for one in given):
            return cast("list[Kept]", self.client.compute(list(given)))  # futures stay as they are
        if not hasattr(given, "to_delayed") and chunks is not None:
            values = np.asarray(given)
            if values.ndim == 0 or len(values) != sum(chunks):
                raise InputError(f"{values.size} labels or weights for {sum(chunks)} rows")
            ends = np.cumsum(chunks)[:-1]
            return [self.client.submit(Value(part), pure=False) for part in np.split(values, ends)]
        if not hasattr(given, "to_delayed"):
            other = "array, frame or series is needed, or a list of delayed blocks; rows in memory are for Perceptron"
            raise InputError(f"{type(given).__name__} where a Dask {other}")
        if hasattr(given, "rechunk"):
            sizes = {} if chunks is None or math.isnan(given.shape[0]) else {0: tuple(chunks)}
            if sizes and given.shape[0] != sum(chunks):
                raise InputError(f"{given.shape[0]} labels or weights for {sum(chunks)} rows")
            given = given.rechunk(sizes | ({1: -1} if given.ndim > 1 else {})) if sizes or given.ndim > 1 else given
        some = given.to_delayed()
        parts = some.ravel().tolist() if hasattr(some, "ravel") else list(some)
        return cast("list[Kept]", self.client.compute(parts))

    @staticmethod
    def mapped(function: Any, collection: Any) -> Any:
        """A Dask array. Nothing is computed, so that no client is needed."""
        none = function.none()
        if hasattr(collection, "map_blocks"):
            rows = collection.rechunk({1: -1})
            shape = {"drop_axis": 1} if none.ndim == 1 else {"chunks": (rows.chunks[0], (none.shape[1],))}
            return rows.map_blocks(function, dtype=function.dtype, meta=none, **shape)
        parts = collection.to_delayed()
        given = delayed(function, pure=True)
        length = (math.nan,) if none.ndim == 1 else (math.nan, none.shape[1])
        blocks = [dask.array.from_delayed(given(part), length, dtype=function.dtype, meta=none) for part in parts]
        return dask.array.concatenate(blocks)

    def _last_of(self, tasks: _Graph, leaves: list[str], watched: list[str], last: str) -> Any:
        """What the last task of a graph finds. Some others are watched meanwhile; their results stay as long."""
        futures = self._futures(tasks, [*watched, last], leaves)
        return self._gathered(futures[-1:], futures)[0]

    def _futures(self, tasks: _Graph, wanted: list[str], leaves: list[str] | None = None) -> list[Any]:
        """Have a graph computed, and wait; then everything wanted is there.

        Raises `FailedTaskError` with the first that failed, of `leaves` if those are not what is wanted.
        """
        self._check_open()
        futures = self._sent(tasks, wanted)
        try:
            try:
                self._wait(futures)
            except _ForgottenError:
                raise
            except FailedTaskError as error:
                if leaves is None or (wanted[: len(leaves)] == leaves and error.index < len(leaves)):
                    raise
                known = self._sent(tasks, leaves)
                futures = [*futures, *known]
                self._wait(known)  # which says which of them it was
                raise FailedTaskError(-1, error.cause) from error  # a join, which knows no shard
        except BaseException:
            for one in futures:
                one.release()  # so that nobody wants them: `cancel` fails for tasks that others wait for
            raise
        return futures

    def _sent(self, tasks: _Graph, wanted: list[str]) -> list[Any]:
        with dask.config.set(_QUIET):
            return cast("list[Any]", self.client.get(tasks, wanted, sync=False))

    @property
    def is_closed(self) -> bool:
        """Whether the client was closed."""
        return self.client.status in ("closed", "closing")

    def _check_open(self) -> None:
        if self.is_closed:
            raise LostClusterError("the Dask client is closed, or its scheduler is gone: connect again, and go on")

    def _wait(self, futures: list[Any]) -> None:
        absent_since: float | None = None
        for looks in itertools.count():
            with suppress(TimeoutError, CancelledError), self.client.as_current():
                wait(futures, timeout=_LOOK)
            # What is "lost" with a worker is being made again. What waits for a task that fails, fails behind it, even
            # while all were looked at: so the first one is looked for once more.
            if any(one.status in _FAILED for one in futures):
                raise self._failure(*next((i, one) for i, one in enumerate(futures) if one.status in _FAILED))
            done = sum(one.status == "finished" for one in futures)
            if done == len(futures):
                return
            if self.stops(done, len(futures)):
                raise StoppedError
            if looks % 10 == 9:
                absent_since = self._absence(absent_since, futures)

    def _absence(self, since: float | None, futures: list[Any]) -> float | None:
        """Since when nobody has been there to work on these. Raises where that is too long."""
        self._check_open()
        since = time.monotonic() if since is None else since
        there: dict[str, Any] | None = None
        try:
            there = self._ask_scheduler("ncores")
            if self._ask_scheduler("ncores_running"):
                return None
            if there and self._work_on(futures):
                return None  # those that are paused begin nothing, but end what they have begun
        except (OSError, TimeoutError, CancelledError):
            there = None  # a scheduler that is gone, or sleeps
        if time.monotonic() - since > dask.config.get("rosenblatt.patience", _PATIENCE):
            paused = " but such as are paused, for want of memory" if there else ""
            what = "does not answer" if there is None else f"has no workers{paused}"
            raise LostClusterError(f"the Dask cluster {what}, and nothing can be computed: start some, and go on")
        return since

    def _work_on(self, futures: list[Any]) -> bool:
        """Whether any worker is at what these wait for."""
        try:
            return bool(self._ask_scheduler("call_stack", keys=[one.key for one in futures if not one.done()]))
        except KeyError:
            return False  # the scheduler knows nothing of them

    def _ask_scheduler(self, what: str, **given: Any) -> Any:
        return self.client.sync(getattr(self.client.scheduler, what), callback_timeout=_ANSWER, **given)

    def _failure(self, index: int, future: Any) -> Exception:
        if future.status != "error":
            return _ForgottenError(index)
        error = future.exception()
        if isinstance(error, KilledWorker):
            error = InputError("the workers that held it died again and again, for want of memory perhaps")
        return FailedTaskError(index, error)

    def _gathered(self, wanted: list[Any], futures: list[Any] | None = None) -> Any:
        """The results of the last of a round's futures, which come to the client."""
        futures = wanted if futures is None else futures

        async def gather() -> Any:
            return await self.client.gather(wanted, asynchronous=True)

        # Not in one call: one that waits for what died with the last worker would not end.
        loop = cast("Any", self.client.loop).asyncio_loop
        found = asyncio.run_coroutine_threadsafe(gather(), loop)
        absent_since: float | None = None
        try:
            while not wait_for([found], timeout=1).done:
                absent_since = self._absence(absent_since, futures)
            results = found.result()
        except (CancelledError, KeyError, OSError) as error:
            raise _ForgottenError(-1) from error
        finally:
            found.cancel()
        # Whatever a client sends delays what it sends next, by ten milliseconds; that may be the next round.
        loop.call_soon_threadsafe(loop.call_later, _SOON, futures.clear)
        return results

    def _again(self, round_: Callable[[], Any], *columns: Sequence[Any]) -> Any:
        """A round, and again if Dask forgot its tasks: what was kept is there still, or is made again."""
        for left in range(_TRIES, 0, -1):
            try:
                return round_()
            except _ForgottenError as error:
                lost = error
                self._check_open()
                if left > 1:
                    time.sleep(1)
        for column in columns:
            # What is kept may be a list: what it is of comes first, and then what all have in common.
            rows = [one if isinstance(one, list) else [one] for one in column]
            for places in itertools.zip_longest(*rows):
                for i, one in enumerate(places):
                    if isinstance(one, Future) and one.status != "finished":
                        raise FailedTaskError(i, lost.cause) from lost
        raise LostClusterError("the Dask cluster lost what was being computed, and lost it again") from lost


class _ForgottenError(FailedTaskError):
    """Tasks that Dask knows nothing of any more."""

    def __init__(self, index: int) -> None:
        super().__init__(index, InputError("Dask has lost it with a worker, and cannot make it again"))


def _kept(given: Any) -> bool:
    """Whether it is what is kept, or a list of that."""
    return isinstance(given, Future) or (isinstance(given, list) and all(isinstance(one, Future) for one in given))


def _shared(tasks: _Graph, i: int, j: int, value: Any) -> str:
    key = f"{tasks.name}-{i}-{j}"
    tasks[key] = (Value(value),)
    return key

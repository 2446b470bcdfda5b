"""What fails on a worker, by the name of the shard it failed for: one line that says which, and why."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..errors import ClusterError, InputError
from .engine import FailedTaskError


def installed() -> str | None:
    """The version of the package as it is installed here, which workers are asked for, too; None where it is not."""
    try:
        return version("rosenblatt")
    except PackageNotFoundError:
        return None


def check_package(found: Mapping[str, Any]) -> None:
    """Raises `InputError` for a worker that has no rosenblatt, or another, of those that were asked for its version.

    Before anything is sent: a worker that cannot import what it is sent ends itself.
    """
    own = installed()
    for worker, there in found.items():
        if isinstance(there, BaseException):
            raise InputError(f"worker {worker} has no rosenblatt ({there}): install it there, as docs/cluster.md says")
        if own is not None and there != own:
            raise InputError(
                f"worker {worker} has rosenblatt {there}, and the client {own}: install the same on both, as"
                " docs/cluster.md says"
            )


def named(names: Sequence[str], call: Callable[..., Any], *given: Any, **more: Any) -> Any:
    """What the engine is asked for, of shards of these names: an error names the one that failed."""
    try:
        return call(*given, **more)
    except FailedTaskError as error:
        raise named_error(error, names) from error.cause


def named_error(error: FailedTaskError, names: Sequence[str]) -> Exception:
    """The error of a shard, by its name. One of time stays what it is."""
    cause, name = error.cause, names[error.index] if 0 <= error.index < len(names) else "the cluster"
    if type(cause).__name__ == "OutOfTimeError":
        return cause if isinstance(cause, Exception) else InputError(str(cause))
    if isinstance(cause, InputError):
        said = str(cause)
        return ClusterError(said if said.startswith(name) else f"{name}: {said}")
    if isinstance(cause, FileNotFoundError):
        return ClusterError(f"{name}: {cause.filename or cause}: no such file; expected it to stay where it was")
    return ClusterError(f"{name}: it failed on a worker: {type(cause).__name__}: {cause}")

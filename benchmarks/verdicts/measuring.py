"""What a verdict costs: each question in a process of its own, ended if it takes far too long."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import kept
from benchmarks.contest import AbsentError
from benchmarks.verdicts.rivals import RIVALS
from benchmarks.verdicts.shapes import Shape

WARM_UP = np.array([[0.0], [1.0], [1.0], [2.0]]), np.array([-1, -1, 1, 1])  # so that nobody is timed while importing


@dataclass(frozen=True)
class Measured:
    """A shape, and what came of it; of the rivals the seconds, and their answer, or why there is none."""

    shape: Shape
    rows: int
    columns: int
    nonzeros: int
    ours: dict[str, Any]
    rivals: dict[str, dict[str, Any]]

    @property
    def wrong(self) -> list[str]:
        """What contradicts what is known: a proof refused, a kind that cannot be, a rival of another opinion."""
        kind, found = self.ours.get("kind"), []
        if self.ours.get("holds") is False:
            found.append("the proof does not hold")
        full = (self.rows, self.columns) == (self.shape.n, self.shape.d)
        if full and self.shape.kind and kind not in (self.shape.kind, "undecided", None):
            found.append(f"made to be {self.shape.kind}")
        for name, rival in self.rivals.items():
            if "answer" in rival and kind not in ("undecided", None) and rival["answer"] != (kind != "overlapping"):
                found.append(f"{name} says {'separation' if rival['answer'] else 'none'}")
        return found


def apart(call: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any]:
    """What the call gives, from a process of its own; "why" says why there is nothing."""
    try:
        found = kept.limited(lambda: _or_reason(call), max(1, int(seconds)))
    except RuntimeError:
        return {"why": "the process was killed"}
    return {"why": f"> {seconds:g} s"} if found is None else found


def _or_reason(call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return call()
    except AbsentError as reason:
        return {"why": str(reason)}
    except Exception as error:
        return {"why": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"}


def verdict(X: Any, y: Any, limit: float) -> dict[str, Any]:
    """Kind, seconds, the bytes of the proof, and the seconds of the checker."""
    import rosenblatt

    rosenblatt.separability(*WARM_UP, threads=1)
    begin = time.perf_counter()
    found = rosenblatt.separability(X, y, time_limit=limit, threads=1)
    told = {"kind": found.kind, "seconds": time.perf_counter() - begin, "separable": found.separable}
    if found.kind == "undecided" and found.separable is None:
        return told
    begin = time.perf_counter()
    text = found.proof.dumps()
    told |= {"bytes": len(text.encode()), "writing": time.perf_counter() - begin}
    begin = time.perf_counter()
    check = rosenblatt.verify(rosenblatt.Proof.loads(text), X, y)
    return told | {"holds": check.holds, "verify": time.perf_counter() - begin}


def rival(ask: Callable[[Any, Any], bool], X: Any, y: Any) -> dict[str, Any]:
    """Its answer, and the seconds."""
    ask(*WARM_UP)
    begin = time.perf_counter()
    return {"answer": ask(X, y), "seconds": time.perf_counter() - begin}


def measure(shape: Shape, quick: bool, limit: float) -> Measured:
    """The shape's data made, and everybody asked, one after the other."""
    n, d = shape.size(quick)
    X, y = shape.make(n, d)
    ours = apart(lambda: verdict(X, y, limit), 4 * limit + 60)
    rivals = {name: apart(lambda ask=ask: rival(ask, X, y), limit) for name, ask in RIVALS.items()}  # type: ignore[misc]
    return Measured(shape, n, d, int(getattr(X, "nnz", n * d)), ours, rivals)

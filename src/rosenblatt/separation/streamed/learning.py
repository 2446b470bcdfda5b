"""Runs over all rows of a source, whose hyperplanes may be better than what few rows tell of."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...errors import ClusterError, InputError
from ...learning.learn import learn
from ...learning.progress import Progress
from ...runs.run import Run
from ..signed_rows import Vector
from .source_rows import SourceRows

READOUTS = ("averaged", "last")


def learnt(rows: SourceRows, ends: Callable[[Progress], bool], **settings: Any) -> Run | None:
    """A run until it ends or is ended; None where numbers leave float64, or rows cannot be learnt from so."""
    offset = 0.0 if rows.origin else 1.0
    threads = rows.threads if rows.source.driver is None else None  # a task's, on a cluster
    try:
        return learn(
            rows.source, order="shuffled", offset=offset, readout=READOUTS, threads=threads, callback=ends, **settings,
        )  # fmt: skip
    except ClusterError:
        raise
    except InputError:
        return None


def plane_of(run: Run, readout: str, origin: bool) -> Vector:
    """The hyperplane that a run ended with, exactly."""
    W, b = run.state.folded(readout)
    return [Fraction(x) for x in (*W[:, 0].tolist(), *([] if origin else b.tolist()))]

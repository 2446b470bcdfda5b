"""Trace: a run round by round, as the notes work it out on paper: the row met, its margin, the weights after it.

A round is a visit: one row is met. Of each the trace has the score of the row under the weights it met, the step taken
(0 where there is none), and the weights in force afterwards with their survival count c, as the voted perceptron counts
it: 1 when they come to be, and 1 more for each round that leaves them alone. In a batch the weights move with its last
row, whichever of its rows had a step.

Nothing is stored on the way: which row a round meets is a pure function of the order (visits.py), the weights are made
again from the log, to the bit (trajectory.py), and only those of the rounds asked for.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..choices import count
from ..data.columns import Columns
from ..data.hyperplane import scores
from ..data.rows import matrix_of
from ..data.source import Source
from ..errors import InputError
from ..report.plain import plain
from ..report.trace import trace_text
from .log import Log
from .plan import Plan
from .trajectory import Trajectory, margins_of
from .visits import rows_met

_TOGETHER = 256  # rows gathered at a time
_MOST_NUMBERS = 2**27  # weights that a trace holds: a gigabyte


class Round(NamedTuple):
    """One row met."""

    round: int
    """From 1, over all epochs."""
    epoch: int
    row: int
    label: Any
    score: float
    """w·x + b under the weights it met; where K outputs move together, that of its own class."""
    margin: float
    """y·score, or the lead of its class over all others."""
    mistake: bool
    """Whether the margin is at most 0."""
    updated: bool
    """Whether it was learnt from."""
    step: float
    """τ, with the sample weight in it; 0 if it was not learnt from."""
    w: NDArray[np.float64]
    """The weights after the round: (d,), or (d, K) where K outputs move together."""
    b: Any
    """Their offset, or K of them."""
    count: int  # type: ignore[assignment]
    """How long these weights have lived, the round included."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Trace(Columns):
    """Some rounds of a run: columns, whose rows are `Round`s.

    >>> from rosenblatt import datasets, learn
    >>> sample = datasets.four_in_the_plane()
    >>> trace = learn(*sample, **sample.plan, log=True).trace(most=4)
    >>> trace
    <Trace: rounds 1 to 4 of 8>
    >>> [(one.round, one.mistake, one.w.tolist(), one.count) for one in trace]
    [(1, True, [4.0, 0.0], 1), (2, True, [3.0, -1.0], 1), (3, False, [3.0, -1.0], 2), (4, True, [1.0, -3.0], 1)]
    """

    round: NDArray[np.int64]
    epoch: NDArray[np.int64]
    row: NDArray[np.int64]
    label: NDArray[Any]
    score: NDArray[np.float64]
    margin: NDArray[np.float64]
    mistake: NDArray[np.bool_]
    updated: NDArray[np.bool_]
    step: NDArray[np.float64]
    count: NDArray[np.int64]
    total: int
    """T, the rounds of the whole run."""
    names: tuple[str, ...]
    """Of the weights: those of the columns, or 1 … d; where K outputs move together, each with its class."""
    facts: dict[str, Any]
    """The rule, the order, whether there is an offset, and the class whose output it is."""
    weights: NDArray[np.float64]
    """Every weight vector in force: (changes, d·K), the one before the first round first."""
    offsets: NDArray[np.float64]
    """Their offsets: (changes, K)."""
    which: NDArray[np.int64]
    """For each round, the place among them of those in force afterwards."""
    before: int
    """The survival count of the weights before the first round."""

    def __len__(self) -> int:
        return int(self.round.size)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        known = {name: getattr(self, name)[at].tolist() for name in Round._fields if name not in ("w", "b", "label")}
        w, b = self.weights[self.which[at]], self.offsets[self.which[at]]
        one = b.size == 1
        return Round(
            **known, label=plain(self.label[at]), w=w if one else w.reshape(-1, b.size), b=float(b[0]) if one else b
        )

    def __iter__(self) -> Iterator[Round]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<Trace: {self.span}>"

    def __str__(self) -> str:
        return self.summary()

    @property
    def span(self) -> str:
        """`rounds 1 to 1000 of 12345`."""
        if not len(self):
            return f"no rounds of {self.total}"
        return f"rounds {self.round[0]} to {self.round[-1]} of {self.total}"

    def table(self) -> dict[str, Any]:
        """The columns by name, a column for each weight."""
        columns = {name: getattr(self, name) for name in Round._fields if name not in ("w", "b", "count")}
        columns |= {f"w_{name}": self.weights[self.which, j] for j, name in enumerate(self.names)}
        K = self.offsets.shape[1]
        heads = ["b"] if K == 1 else [f"b_{label}" for label in self.facts["classes"]]
        columns |= {head: self.offsets[self.which, k] for k, head in enumerate(heads)}
        return {**columns, "count": self.count}

    def summary(self) -> str:
        """The rounds as a table of at most 80 characters a line; it says which weights find no room."""
        return "\n".join(trace_text(self.to_dict()))

    def to_dict(self) -> dict[str, Any]:
        """The rounds in plain values: what `rosenblatt train --trace --json` has under "trace"."""
        return {
            "rounds": self.span,
            "first": int(self.round[0]) if len(self) else 1,
            "last": int(self.round[-1]) if len(self) else 0,
            "total": self.total,
            **self.facts,
            "names": list(self.names),
            "before": {"w": self.weights[0].tolist(), "b": _one(self.offsets[0]), "count": self.before},
            "listed": [
                {**one._asdict(), "w": self.weights[at].tolist(), "b": _one(self.offsets[at])}
                for one, at in zip(self, self.which.tolist(), strict=True)
            ],
        }

    def to_csv(self) -> str:
        """The rounds as CSV, a column for each weight, every number such that it is read again as it was."""
        columns, text = self.table(), io.StringIO()
        out = csv.writer(text, lineterminator="\n")
        out.writerow(columns)
        values = [[plain(value) for value in column] for column in columns.values()]
        out.writerows(zip(*([_written(v) for v in column] for column in values), strict=True))
        return text.getvalue()


def trace_of(path: Trajectory, log: Log, plan: Plan, source: Source, rule: str, first: int, most: int) -> Trace:
    """The rounds first … first + most − 1 of the run that went this way."""
    total, n = path.visited, source.n_rows
    first, most = count("first", first), count("most", most)
    if first > max(1, total):
        raise InputError(f"first={first}: the run has {total} rounds; expected one of them")
    rounds = np.arange(first, min(total, first + most - 1) + 1)
    row = rows_met(plan.visit_order, plan.seed, n, first, int(rounds[-1]) if rounds.size else first - 1)
    step, updated = _steps(log, path, rounds, row)
    born = np.searchsorted(path.births, np.append(first - 1, rounds), side="right") - 1
    weights, offsets = _weights(path, int(born[0]), int(born[-1]))
    which = born - born[0]
    labels = source.labels_of(row) if row.size else np.empty(0, np.int64)
    score, margin = _scores(path, source, row, labels, which[:-1], weights, offsets)
    ages = np.append(first - 1, rounds) - path.births[born] + 1
    codes = (labels > 0).astype(np.int64) if source.n_outputs == 1 else labels
    return Trace(
        round=rounds, epoch=(rounds - 1) // n + 1, row=row, label=np.asarray(source.classes[codes]),
        score=score + 0.0, margin=margin + 0.0, mistake=margin <= 0, updated=updated, step=step, count=ages[1:],
        total=total, names=_names(source, path), facts=_facts(path, plan, source, rule),
        weights=weights.reshape(len(weights), -1) + 0.0, offsets=offsets + 0.0, which=which[1:], before=int(ages[0]),
    )  # fmt: skip


def _steps(log: Log, path: Trajectory, rounds: Any, row: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """τ of each round, and whether it has one."""
    step, updated = np.zeros(rounds.size), np.zeros(rounds.size, dtype=bool)
    if not rounds.size:
        return step, updated
    lo, hi = np.searchsorted(log.visit, [rounds[0], rounds[-1] + 1])
    own = slice(lo, hi)
    chosen = np.ones(hi - lo, dtype=bool) if path.output is None else log.output[own] == path.output
    at = log.visit[own][chosen] - rounds[0]
    if (log.row[own][chosen] != row[at]).any():
        raise InputError("the log is damaged: its rows are not those that the order of the run meets")
    step[at], updated[at] = log.step[own][chosen], True
    return step, updated


def _weights(path: Trajectory, first: int, last: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The weights after the changes first … last: (changes, d, K) and (changes, K)."""
    W, b = path.weights(first)
    size = last - first + 1
    if size * W.size > _MOST_NUMBERS:
        raise InputError(
            f"{size} weight vectors of {W.size} numbers do not fit into memory at once; expected fewer rounds: most="
            f"{max(1, _MOST_NUMBERS // W.size)}"
        )
    weights, offsets = np.empty((size, *W.shape)), np.empty((size, b.size))
    weights[0], offsets[0] = W, b
    for at in range(1, size):
        path.add_change(W, b, first + at)
        weights[at], offsets[at] = W, b
    return weights, offsets


def _scores(
    path: Trajectory, source: Source, row: Any, labels: Any, which: Any, weights: Any, offsets: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The score and the margin of each row under the weights it met: as many together as met the same."""
    score, margin = np.empty(row.size), np.empty(row.size)
    changed = (np.flatnonzero(np.diff(which)) + 1).tolist()
    cuts = sorted({0, *changed, *range(0, row.size, _TOGETHER), row.size})
    for lo, hi in pairwise(cuts):
        if lo % _TOGETHER == 0:
            first, X = lo, matrix_of(source.gather(row[lo : lo + _TOGETHER]).rows)
        found = scores(X[lo - first : hi - first], weights[which[lo]], offsets[which[lo]], 1)
        margin[lo:hi] = margins_of(found, labels[lo:hi], path.output)
        joint = found.shape[1] > 1
        score[lo:hi] = found[np.arange(hi - lo), labels[lo:hi]] if joint else found[:, 0]
    return score, margin


def _names(source: Source, path: Trajectory) -> tuple[str, ...]:
    own: Sequence[str] = source.feature_names or [str(j + 1) for j in range(source.n_columns)]
    if path.start[1].size == 1:
        return tuple(own)
    return tuple(f"{name}_{label}" for name in own for label in source.classes.tolist())


def _facts(path: Trajectory, plan: Plan, source: Source, rule: str) -> dict[str, Any]:
    origin = not path.rho2 and not path.start[1].any()
    output = None if path.output is None else plain(source.classes[path.output])
    return {
        "rule": rule,
        "order": plan.order,
        "batch_size": plan.batch_size,
        "through_origin": origin,
        "scale": plan.scale,
        "classes": [plain(label) for label in source.classes],
        "class": output,
    }


def _one(b: NDArray[np.float64]) -> Any:
    return float(b[0]) if b.size == 1 else b.tolist()


def _written(value: Any) -> Any:
    return repr(value) if isinstance(value, float) else int(value) if isinstance(value, bool) else value

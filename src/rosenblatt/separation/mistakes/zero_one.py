"""A hyperplane with few mistakes, found in floats and counted exactly.

Given z_1 … z_n, find v with as few z_i·v ≤ 0 as possible: the 0/1 loss. NP-hard when the dimension is not fixed
(Johnson and Preparata 1978), so nothing is promised but that the count is right. What is tried, each from what the
others found:

- the perceptron's pocket (Gallant 1990), and its average;
- logistic regression, by Newton's method;
- the hinge, a linear program, with random weights; then, a few times over, with weights u_i = 1/(1 + ξ_i/τ) from its
  own losses ξ, so that hopeless rows cease to pull (the reweighting of Candès, Wakin and Boyd 2008);
- a smooth count of the mistakes, made steeper and steeper (smooth.py);
- along a line v + t·u mistakes are counted for every t at once, by sorting the places where a row changes sides. Of
  many lines the best place is the next v, and if none is better, one as good (Li and Lin 2007, "Optimizing 0/1 loss
  for perceptrons by random coordinate descent"); when that stalls, from the best v again, a little changed at random.
"""

import time
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...learning.learn import learn
from ..exact import rounded
from ..lp import column_scale, scaled
from ..signed_rows import Floats, Ints, SignedRows, Vector
from .columns import Columns
from .lines import after, along, spread_of
from .smooth import Metric, Slide, metric_of, slide

MOST_COLUMNS = 1000  # beyond which only the pocket is tried
_NUMBERS = 4_500_000  # in the table of rows that is searched: all rows if they are no more than that
_A_SECOND = 1_000_000  # of them for each second there is
_OF_HINGE, _MOST_ROWS = 600_000, 10_000  # numbers and rows of a hinge program
_OF_LOGIT, _NEWTON = 2_000_000, 12  # numbers, and steps
_FOR_EACH = 10  # rows for each weight
_FEW_COLUMNS = 200  # up to which descents soon do better than the pocket
_SLIDES, _TINY = 6, 60  # without success; but one of so few rows
_SAME = 3  # slides by the same metric
_BATCH = 60_000  # rows × lines at a time
_STEPS = 25  # without success, after which the best v is changed at random
_RESTARTS = 4  # without success, and a descent ends


class ZeroOneDescent:
    """The best hyperplane so far, and the ways to a better one."""

    def __init__(self, s: SignedRows) -> None:
        self.s, self.random = s, s.random
        majority = 1 if 2 * int((s.y > 0).sum()) >= s.n else -1
        # One class is right by an offset alone.
        self.v = s.tilted([Fraction(0)] * (s.d - 1) + [Fraction(1 if s.origin else majority)])
        self.wrong = s.mistakes(self.v)
        self.wide = s.d > MOST_COLUMNS
        self.program: tuple[Ints, Columns] | None = None
        self.metric: Metric | None = None
        self.slides = 0

    @cached_property
    def which(self) -> Ints:
        """The rows of the table that is searched: all, if they are not too many."""
        size = max(1, int(min(_NUMBERS, _A_SECOND * (1 + self.s.seconds_left()))) // self.s.d)
        return np.arange(self.s.n) if self.s.n <= size else np.sort(self.random.choice(self.s.n, size, False))

    @cached_property
    def scale(self) -> Ints:
        """Of each column, the power of two that it is divided by in the table."""
        return column_scale(self._raw)

    @cached_property
    def table(self) -> Floats:
        """The table, each row of size about 1."""
        self.s.seconds_left()
        table = scaled(self._raw, self.scale)
        del self._raw
        return table

    @cached_property
    def by_column(self) -> Floats:
        """The table by columns."""
        return np.ascontiguousarray(self.table.T)

    @cached_property
    def spread(self) -> Floats:
        """By which noise moves all margins about equally."""
        return spread_of(self.table)

    @cached_property
    def _raw(self) -> Floats:
        return self.s.z(self.which)

    @property
    def upper(self) -> int:
        """The mistakes of the best hyperplane."""
        return int(self.wrong.size)

    @property
    def whole(self) -> bool:
        """Whether the table has all rows."""
        return self.which.size == self.s.n

    @property
    def near(self) -> Floats:
        """The best hyperplane, for the rows of the table."""
        return rounded([x * Fraction(2) ** e for x, e in zip(self.v, self.scale.tolist(), strict=True)])

    def margins(self, v: Floats) -> Floats:
        """z·v of the rows of the table."""
        # Not v @ ZT: on a busy machine the threads of a BLAS may wait for each other.
        return np.asarray(np.einsum("d,dn->n", v, self.by_column))

    def count(self, v: Floats) -> int:
        """The mistakes of v on the rows of the table."""
        return int((self.margins(v) <= 0).sum())

    def offer(self, v: Vector | Floats) -> bool:
        """Take v (exact; or in floats, for the rows of the table) if it makes fewer mistakes than the best so far."""
        if not isinstance(v, list):
            v = [Fraction(x) / Fraction(2) ** e for x, e in zip(v.tolist(), self.scale.tolist(), strict=True)]
        v = self.s.tilted(v)
        wrong = self.s.mistakes(v)
        if wrong.size >= self.wrong.size:
            return False
        self.v, self.wrong = v, wrong
        return True

    def pocket(self, end: float) -> None:
        """The perceptron's pocket and its average."""
        s = self.s
        rho = 0.0 if s.origin else float(np.clip(s.radius / np.sqrt(s.d), 1e-100, 1e100))
        epochs = 20 if s.d <= _FEW_COLUMNS else 300
        run = learn(
            s.examples, order="shuffled", offset=rho, max_epochs=epochs, seed=int(self.random.integers(2**31)),
            readout=("pocket", "averaged"), threads=s.threads, callback=lambda _: time.monotonic() > end,
        )  # fmt: skip
        for readout in ("pocket", "averaged"):
            w, b = run.state.read(readout)
            if self.upper and np.isfinite(w).all() and np.isfinite(b).all():
                self.offer([Fraction(x) for x in [*w[:, 0].tolist(), *b.tolist()][: s.d]])

    def logit(self, end: float) -> Floats | None:
        """Logistic regression by Newton's method: a good hyperplane where the classes overlap, soon.

        A little ridge keeps it finite where they do not.
        """
        Z, v = self.table, np.zeros(self.s.d)
        self.s.seconds_left()
        Z = Z[:: 1 + Z.size // _OF_LOGIT]
        if len(self.table) > len(Z) < _FOR_EACH * self.s.d:
            return None  # so few rows say little of the others
        best, fewest = None, len(self.table) + 1
        for _ in range(_NEWTON):
            with np.errstate(over="ignore"):
                wrong = 1 / (1 + np.exp(Z @ v))  # the chance that each is
            H = (Z * (wrong * (1 - wrong))[:, None]).T @ Z / len(Z)
            H[np.diag_indices_from(H)] += 1e-6
            step = np.linalg.solve(H, wrong @ Z / len(Z) - 1e-6 * v)
            v = v + step / max(1.0, float(np.abs(step).max()) / 30)
            if (count := self.count(v)) < fewest:
                best, fewest = v, count
            if time.monotonic() > end or np.abs(step).max() < 1e-3:
                break
        return best

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")
    def slide(self, end: float, start: Floats | None = None) -> Floats | None:
        """Down the smooth count of mistakes, until that fails a few times. From `start`, or the best hyperplane.

        Gives where it came to last: another place than the best, if it failed.
        """
        v = self.near if start is None else start
        fewest, failed, found = self.count(v), 0, None
        while self.upper and failed < (_SLIDES if len(self.table) > _TINY else 1):
            how, noise = Slide(), 0.0
            if self.metric is None or self.slides % _SAME == 0:
                size = 1.0 if self.metric is None else 10.0 ** self.random.uniform(0, 1)
                self.metric = metric_of(self.table, v if self.metric is None else self.metric.unit(v), size)
            if self.metric is None:
                return found
            self.s.seconds_left()
            if self.slides:
                how, noise = Slide.at_random(self.random, len(self.table)), 10.0 ** self.random.uniform(-2, 0)
            self.slides += 1
            beside = self.metric.root @ self.random.standard_normal(v.size)
            start = self.metric.unit(v) + (noise / np.sqrt(v.size)) * beside
            if not np.isfinite(start).all():
                return found
            found, count = slide(self.by_column, start, self.metric, how, end)
            failed += 1
            if count < fewest:
                failed = 0
                self.offer(found)
            if count <= fewest:
                v, fewest = found, count
            if time.monotonic() > end:
                return found
        return found

    def hinge(self, shares: Floats, end: float) -> Floats | None:
        """The hinge with random weights, small ones for suspect rows: those with large `shares`, which go up to 1."""
        if self.program is None:
            k = min(_OF_HINGE // self.s.d, _MOST_ROWS)
            size = len(self.table)
            some = np.arange(size) if size <= k else self.random.choice(size, k, False)
            self.program = some, Columns(self.table[some])
        some, columns = self.program
        low = self.random.choice([0.0, 0.5, 1.0])
        weights = (low + (1 - low) * self.random.random(some.size)) * (1 - 0.999 * shares[self.which[some]])
        tau = 10.0 ** self.random.uniform(-2, 0)
        best, fewest = None, len(self.table) + 1
        for _ in range(12):
            v = columns.hinge(weights, max(0.0, end - time.monotonic()))
            if v is None:
                break
            m = self.margins(v)
            if (count := int((m <= 0).sum())) < fewest:
                best, fewest = v, count
            weights = 1 / (1 + np.maximum(0.0, 1 - m[some]) / tau)
        return best

    def descend(self, v: Floats, end: float) -> None:
        """Lines through v, and on from the best place on them."""
        Z = self.table
        K = int(np.clip(_BATCH // len(Z), 2, 64))
        best, fewest = v, self.count(v)
        least, steps, restarts = fewest, 0, 0  # the least since the last restart
        while restarts < _RESTARTS and time.monotonic() < end:
            v, found = self._step(v, K)
            steps = 0 if found < least else steps + 1
            least = min(least, found)
            if found < fewest:
                best, fewest, restarts = v, found, 0
            if steps > _STEPS:
                restarts, steps = restarts + 1, 0
                noise = self.spread @ self.random.standard_normal(v.size)
                size = np.linalg.norm(best) * 10.0 ** self.random.uniform(-3, -0.5)
                v = best + size * noise / (np.linalg.norm(noise) or 1.0)
                least = self.count(v)
        if not self.whole or fewest < self.upper:
            self.offer(best)

    @np.errstate(over="ignore", invalid="ignore", divide="ignore")
    def _step(self, v: Floats, K: int) -> tuple[Floats, int]:
        """The best place on K lines through v, by chance one of the best; and its mistakes."""
        Z, k = self.table, len(self.table)
        a = self.margins(v)
        U = self.random.standard_normal((K, v.size)) @ self.spread.T
        if v.size <= min(100, k):
            # Half of them move away from one of some nearby rows, and along the others.
            close = np.argpartition(np.abs(a), min(2 * v.size, k - 1))[: 2 * v.size]
            try:
                edges = np.linalg.inv(Z[self.random.choice(close, v.size, False)]).T
                U[: min(K // 2, v.size)] = self.random.permutation(edges)[: K // 2]
            except np.linalg.LinAlgError:
                pass
        U /= np.maximum(np.linalg.norm(U, axis=1, keepdims=True), 1e-300)
        right, T = along(a, np.einsum("kd,dn->kn", U, self.by_column))
        places = np.flatnonzero(right == right.max())
        line, at = divmod(int(places[self.random.integers(places.size)]), k)
        moved = v + after(T[line], at, self.random.uniform(0.1, 0.9)) * U[line]
        moved /= np.abs(moved).max() or 1.0
        return moved, self.count(moved)

    def try_line(self, u: Floats) -> None:
        """Take the best place on the line through the best hyperplane in direction u, if it is better."""
        v = self.near
        u = u / (np.abs(u).max() or 1.0)
        right, T = along(self.margins(v), self.margins(u)[None, :])
        moved = v + after(T[0], int(right[0].argmax()), 0.5) * u
        if not self.whole or self.count(moved) < self.upper:
            self.offer(moved)

    def polish(self, end: float) -> None:
        """Lines through the best hyperplane, counted on all rows: where the table has only some of them."""
        s = self.s
        lift = max(
            0, -900 - int(self.scale.min())
        )  # a line has its places whatever its scale: weights may not overflow
        while time.monotonic() < end:
            v, u = self.near, self.spread @ self.random.standard_normal(s.d)
            v, u = v / np.linalg.norm(v), u / np.linalg.norm(u)
            a, g = (s.margins(np.ldexp(x, -self.scale - lift)) for x in (v, u))
            right, T = along(a, g[None, :])
            self.offer(v + after(T[0], int(right[0].argmax()), 0.5) * u)

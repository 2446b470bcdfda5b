"""Verdict: separable, quasi-separable, overlapping or undecided, and its proof."""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, plural
from ..examples import Examples, matrix_of, rows_of, signs_of
from ..hyperplane import Hyperplane
from ..plan import number, thread_count
from .coefficients import coefficients
from .fingerprint import fingerprint
from .proof import Combination, ExactHyperplane, Proof, Witness
from .search import Found, Search, search

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is known of the rows, every part of it exact.

    kind
        "separable", "quasi-separable", "overlapping", or "undecided" if the time limit ran out.
    through_origin
        Whether only hyperplanes through the origin were asked for.
    seconds
        How long the search took.
    """

    kind: str
    through_origin: bool
    seconds: float
    examples: Examples
    threads: int
    found: Found

    @property
    def separable(self) -> bool | None:
        """True, False, or None if it is not known."""
        if self.found.strict:
            return True
        return False if self.found.witness is not None else None

    @cached_property
    def exact_hyperplane(self) -> tuple[tuple[Fraction, ...], Fraction] | None:
        """(w, b): strictly separating, or of quasi-separable rows weakly and strictly where possible; else None."""
        v = self.found.v
        if v is None or (self.kind == "undecided" and not self.found.strict):
            return None
        return (tuple(v), Fraction(0)) if self.through_origin else (tuple(v[:-1]), v[-1])

    @property
    def hyperplane(self) -> Hyperplane | None:
        """The same in float64, scaled to a largest weight of about 1; rounded, it may no longer separate."""
        if self.exact_hyperplane is None:
            return None
        w, b = self.exact_hyperplane
        size = Fraction(2) ** _exponent(max(abs(x) for x in (*w, b)))
        sides = self.examples.classes
        return Hyperplane(np.array([float(x / size) for x in w]), float(b / size), (sides[0], sides[1]))

    @cached_property
    def margin2(self) -> Fraction | None:
        """The square of the hyperplane's margin on the rows, if it separates them."""
        if not self.found.strict or self.found.v is None:
            return None
        return exact_margin2(self._search(), self.found.v, self.through_origin)

    @property
    def margin(self) -> float | None:
        """The hyperplane's margin, rounded."""
        return None if self.margin2 is None else _root(self.margin2)

    @property
    def witness_rows(self) -> Ints | None:
        """The few rows that no hyperplane separates, though it would all but any one of them."""
        return None if self.found.witness is None else self.found.witness[0]

    @property
    def multipliers(self) -> tuple[Fraction, ...] | None:
        """α > 0 with Σ α·y·(x, 1) = 0 over the witness (x alone through the origin); they sum to 1."""
        if self.found.witness is None:
            return None
        total = sum(self.found.witness[1], Fraction(0))
        return tuple(a / total for a in self.found.witness[1])

    @property
    def boundary_rows(self) -> Ints | None:
        """The rows that lie on every hyperplane with no row on its wrong side; None if that is not known."""
        if self.kind == "separable":
            return np.empty(0, dtype=np.int64)
        return None if self.found.boundary is None else np.flatnonzero(self.found.boundary)

    @cached_property
    def coefficients(self) -> dict[str, str]:
        """Of each coefficient of a logistic regression, by name: finite, +inf, -inf or indeterminate."""
        if self.kind == "undecided":
            raise InputError("nothing is known of the coefficients: the verdict is undecided; raise time_limit")
        names = self.examples.feature_names or tuple(f"x{j}" for j in range(self.examples.n_columns))
        words = coefficients(self._search(), self.found)
        return dict(zip((*names, *(() if self.through_origin else ("(offset)",))), words, strict=True))

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check the verdict with `verify`; bound to the data by their fingerprint."""
        f = self.found
        n, d = self.examples.n_rows, self.examples.n_columns
        common: dict[str, Any] = {"rows": n, "columns": d, "through_origin": self.through_origin}
        common["sha256"] = fingerprint(matrix_of(self.examples.rows), self.examples.labels)
        common["reading"] = {"numbers": "as stored, each an exact float64", "positive": str(self.examples.classes[1])}
        plane = None if self.exact_hyperplane is None else ExactHyperplane.of(*self.exact_hyperplane)
        if self.kind == "separable":
            return Proof("separable", hyperplane=plane, margin2=self.margin2, **common)
        if f.witness is None:
            raise InputError("there is nothing to prove: the verdict is undecided; raise time_limit")
        witness = Witness(tuple(f.witness[0].tolist()), self.multipliers or ())
        if f.balance is None:
            return Proof("inseparable", witness=witness, **common)
        balance = Combination(tuple(f.balance[0].tolist()), tuple(f.balance[1]))
        if self.kind == "overlapping":
            return Proof("overlapping", witness=witness, balance=balance, **common)
        return Proof("quasi-separable", hyperplane=plane, witness=witness, balance=balance, **common)

    def summary(self) -> str:
        """Text to paste into a report."""
        n, d = self.examples.n_rows, self.examples.n_columns
        lines = [
            f"{n} rows, {d} columns, {'through the origin' if self.through_origin else 'with an offset'}: {self.kind}"
        ]
        if self.kind == "separable":
            lines.append(
                f"A hyperplane has every row strictly on its side, at a distance of at least {self.margin:.6g}."
            )
            lines.append("Logistic regression has no finite maximum-likelihood estimate.")
        elif self.kind == "undecided":
            known = "that no hyperplane separates the rows" if self.separable is False else "nothing yet"
            lines.append(f"The time limit ran out; known is {known}.")
        else:
            assert self.boundary_rows is not None
            rows = self.witness_rows.tolist() if self.witness_rows is not None else []
            shown = ", ".join(map(str, rows[:12])) + (", …" if len(rows) > 12 else "")
            lines.append(
                f"No hyperplane separates rows {shown} ({plural(len(rows), 'row')}), though any one fewer could be."
            )
            stuck = self.boundary_rows.size
            if self.kind == "quasi-separable":
                lines.append(
                    f"A hyperplane has no row on its wrong side and {n - stuck} strictly on their own;"
                    f" {stuck} lie on the boundary of every such hyperplane."
                )
                lines.append("Logistic regression has no finite maximum-likelihood estimate.")
            else:
                lines.append("Every hyperplane has a row on its wrong side, or all of them on itself.")
                lines.append(
                    "Logistic regression has a finite maximum-likelihood estimate, if the columns are independent."
                )
        if self.kind != "undecided" and self.kind != "overlapping":
            infinite = [f"{name} ({word})" for name, word in self.coefficients.items() if word != "finite"]
            shown = ", ".join(infinite[:12]) + (", …" if len(infinite) > 12 else "")
            lines.append(f"Coefficients without a finite estimate: {shown or 'none'}.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Verdict: {self.kind}, {self.examples.n_rows} × {self.examples.n_columns}>"

    def _search(self) -> Search:
        return Search(self.examples, self.through_origin, math.inf, self.threads)


def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = False,
    classes: str | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
) -> Any:
    """Can a hyperplane separate the two classes? With an exact proof, whichever way it goes.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y. Of more classes
        say `classes="rest"` for a verdict of each against the others, or "pairs" for each two: a dictionary by label,
        or by pair of labels.
    through_origin
        Whether to ask for hyperplanes through the origin only.
    time_limit
        Seconds after which to give up with "undecided"; None: never.
    threads
        None: as many as there are CPUs. Never changes the kind of the verdict.

    >>> verdict = separability([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> verdict.kind, verdict.margin2 > 0
    ('separable', True)
    >>> separability([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]).kind
    'overlapping'
    """
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    threads = thread_count(threads)
    if isinstance(X, Examples):
        if y is not None:
            raise InputError("Examples have their labels with them: leave out y")
        if X.n_outputs > 1:
            raise InputError("of Examples only two classes can be asked about: give X and y, and say classes=")
        return _verdict(X, through_origin, seconds, threads)
    if y is None:
        raise InputError("labels are missing: separability(X, y)")
    rows = rows_of(X)
    labels = np.asarray(y)
    if classes not in (None, "rest", "pairs"):
        raise InputError(f"unknown classes {classes!r}; expected None, 'rest' or 'pairs'")
    if classes is None and labels.ndim == 1 and labels.dtype.kind in "iuf" and np.isin(labels, (-1, 1)).all():
        examples = Examples(rows, signs_of(labels, rows.n), np.array([-1, 1]), _names(X, rows.d))
        return _verdict(examples, through_origin, seconds, threads)
    examples = Examples.of(X, y)
    if classes is None:
        if examples.n_outputs > 1:
            raise InputError(
                f"{examples.classes.size} classes: say classes='rest' (each against the others) or 'pairs'"
            )
        return _verdict(examples, through_origin, seconds, threads)
    codes = np.unique(labels, return_inverse=True)[1].reshape(-1)
    found: dict[Any, Verdict] = {}
    sides = examples.classes.tolist()
    if classes == "rest":
        for k, label in enumerate(sides):
            signs = np.where(codes == k, 1, -1).astype(np.int8)
            one = Examples(examples.rows, signs, np.array([-1, 1]), examples.feature_names)
            found[label] = _verdict(one, through_origin, seconds, threads)
        return found
    matrix = matrix_of(examples.rows)
    for a in range(len(sides)):
        for b in range(a + 1, len(sides)):
            which = np.flatnonzero((codes == a) | (codes == b))
            two = Examples(
                rows_of(matrix[which]), np.where(codes[which] == b, 1, -1).astype(np.int8), np.array([-1, 1]),
                examples.feature_names,
            )  # fmt: skip
            found[sides[a], sides[b]] = _verdict(two, through_origin, seconds, threads)
    return found


def _names(X: Any, d: int) -> tuple[str, ...] | None:
    names = getattr(X, "columns", None)
    return tuple(map(str, names)) if names is not None and len(names) == d else None


def _verdict(examples: Examples, through_origin: bool, seconds: float, threads: int) -> Verdict:
    begin = time.monotonic()
    found = search(examples, through_origin, seconds, threads)
    if found.strict:
        kind = "separable"
    elif found.balance is not None:
        kind = "quasi-separable" if found.v is not None else "overlapping"
    else:
        kind = "undecided"
    return Verdict(kind, through_origin, time.monotonic() - begin, examples, threads, found)


def exact_margin2(s: Search, v: list[Fraction], through_origin: bool) -> Fraction:
    """(min z·v)²/‖w‖², exactly: only rows whose float margin may be the least are computed in fractions."""
    near = np.array([float(x) for x in v])
    m = s.margins(near)
    slack = s.slack(near)
    candidates = np.flatnonzero(~(m > m.min() + 2 * slack)) if np.isfinite(m).all() else np.arange(s.n)
    least = min(s.margin(int(i), v) for i in candidates)
    w = v if through_origin else v[:-1]
    return least * least / sum((x * x for x in w), Fraction(0))


def _root(value: Fraction) -> float:
    """√value, rounded, though the square itself may lie beyond float64."""
    half = _exponent(value) // 2
    return math.ldexp(math.sqrt(value / Fraction(4) ** half), half)


def _exponent(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() if value else 0

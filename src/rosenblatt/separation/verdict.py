"""Verdict: separable, quasi-separable, overlapping or undecided, and its proof."""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..choices import number, thread_count
from ..data.examples import Examples
from ..data.hyperplane import Hyperplane
from ..data.labels import column_of
from ..data.rows import matrix_of, rows_of
from ..data.two_classes import aligned, two_classes
from ..errors import InputError
from ..proof.fingerprint import fingerprint
from ..proof.nouns import Combination, ExactHyperplane, Proof, Witness
from ..proof.verify import Check, verify
from .coefficients import coefficients, dependent
from .exact import rounded
from .search import search
from .signed_rows import OutOfTimeError, SignedRows, Vector
from .sorting import MOST_COLUMNS, Found

Ints = NDArray[np.int64]

_PATIENCE = 10.0  # seconds a summary spends on coefficients


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
    time_limit: float
    digest: int
    found: Found
    numbers: Ints | None = None
    """Of a verdict on some of the rows, which ones."""

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
        near, sides = rounded([*w, b]), self.examples.classes
        return Hyperplane(near[:-1], float(near[-1]), (sides[0], sides[1]))

    @cached_property
    def margin2(self) -> Fraction | None:
        """The square of the hyperplane's margin on the rows, if it separates them."""
        if not self.found.strict or self.found.v is None:
            return None
        return exact_margin2(self._rows(), self.found.v)

    @property
    def margin(self) -> float | None:
        """The hyperplane's margin, rounded."""
        return None if self.margin2 is None else root(self.margin2)

    @property
    def witness_rows(self) -> Ints | None:
        """The few rows that no hyperplane separates, though it would all but any one of them."""
        return None if self.found.witness is None else self.named(self.found.witness[0])

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
        return None if self.found.boundary is None else self.named(np.flatnonzero(self.found.boundary))

    @cached_property
    def coefficients(self) -> dict[str, str]:
        """Of each coefficient of a logistic regression, by name: finite, +inf, -inf or indeterminate.

        Exact, but not part of the proof. "indeterminate": the estimate may run to either side, because the likelihood
        grows both ways (separable rows), or because columns are dependent (see `aliased`). The signs are those of a
        model for the positive class, the second of `examples.classes`.
        """
        return self._coefficients(self.time_limit)

    def _coefficients(self, seconds: float) -> dict[str, str]:
        if self.kind == "undecided":
            raise InputError("nothing is known of the coefficients: the verdict is undecided; raise time_limit")
        if self.examples.n_columns > MOST_COLUMNS:
            raise InputError(f"of more than {MOST_COLUMNS} columns they are not asked for")
        try:
            return dict(zip(self.names, coefficients(self._rows(seconds), self.found), strict=True))
        except OutOfTimeError:
            raise InputError(f"not settled within {seconds:g} s") from None

    @cached_property
    def aliased(self) -> tuple[str, ...]:
        """The coefficients that the columns leave open, because some columns are dependent on others."""
        if self.examples.n_columns > MOST_COLUMNS:
            raise InputError(f"of more than {MOST_COLUMNS} columns they are not asked for")
        return tuple(name for name, free in zip(self.names, dependent(self._rows()), strict=True) if free)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the coefficients: the columns', and "(offset)" if there is one."""
        names = self.examples.feature_names or tuple(f"x{j}" for j in range(self.examples.n_columns))
        if len({*names, "(offset)"}) <= len(names):
            often = Counter((*names, "(offset)"))
            names = tuple(name if often[name] == 1 else f"{name} (column {j})" for j, name in enumerate(names))
        return names if self.through_origin else (*names, "(offset)")

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check the verdict with `verify`; bound to the data by their fingerprint."""
        f = self.found
        self._rows()  # says if the rows were changed
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
        """Text to paste into a report. Rows are numbered from 0."""
        n, d = self.examples.n_rows, self.examples.n_columns
        counts = ((self.examples.labels > 0).sum(), (self.examples.labels < 0).sum())
        negative, positive = self.examples.classes.tolist()
        lines = [
            f"{n} rows, {d} columns, {'through the origin' if self.through_origin else 'with an offset'}: {self.kind}.",
            f"Positive class {positive!r} ({counts[0]} rows) against {negative!r} ({counts[1]} rows).",
        ]
        if self.kind == "undecided":
            known = "no hyperplane separates the rows" if self.separable is False else "nothing is known"
            return "\n".join([*lines, f"Undecided: {'; '.join(self.found.steps)}. So far, {known}."])
        if self.kind == "separable":
            lines.append(
                f"A hyperplane has every row strictly on its side; its margin {self.margin:.3g} may not be the best."
            )
        else:
            assert self.witness_rows is not None
            assert self.boundary_rows is not None
            rows = [str(row) for row in self.witness_rows.tolist()]
            lines.append(
                f"No hyperplane separates rows {_some(rows)} (counted from 0); leave out any of them, and one does."
            )
            stuck = self.boundary_rows.size
            if self.kind == "quasi-separable":
                lines.append(f"A hyperplane has no row on its wrong side and {n - stuck} rows strictly on their own;")
                lines.append(f"the other {stuck} lie on the boundary of every such hyperplane.")
            else:
                lines.append("Every hyperplane has a row on its wrong side, or all rows on itself.")
        lines.append(self._estimate())
        return "\n".join(lines)

    def _estimate(self) -> str:
        """What it means for a logistic regression; coefficients are named if that does not take long."""
        if self.kind == "overlapping":
            if not self.aliased:
                return "Logistic regression has a finite maximum-likelihood estimate."
            return f"Logistic regression has no unique estimate: columns are dependent ({_some(self.aliased)})."
        head = "Logistic regression has no finite maximum-likelihood estimate"
        try:
            words = self._coefficients(min(self.time_limit, _PATIENCE))
        except InputError as error:
            return f"{head} (its coefficients: {error})."
        grouped = {word: [name for name in words if words[name] == word] for word in ("+inf", "-inf", "indeterminate")}
        parts = [f"{word}: {_some(names)}" for word, names in grouped.items() if names]
        return f"{head}; {'; '.join(parts) or 'all coefficients finite'}."

    def __repr__(self) -> str:
        return f"<Verdict: {self.kind}, {self.examples.n_rows} × {self.examples.n_columns}>"

    def check(self) -> Check:
        """Whether the proof holds, by the checker, on the rows the verdict speaks of."""
        return verify(self.proof, matrix_of(self.examples.rows), self.examples.labels)

    def named(self, rows: Ints) -> Ints:
        """The caller's numbers of these rows, where a verdict is on some of them."""
        return rows if self.numbers is None else self.numbers[rows]

    def _rows(self, seconds: float | None = None) -> SignedRows:
        if not self.examples.rows.sound() or self.examples.digest(all=True) != self.digest:
            raise InputError("the rows or labels were changed since the verdict: ask again")
        limit = self.time_limit if seconds is None else seconds
        return SignedRows(self.examples, self.through_origin, limit, self.threads)


@overload
def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = ...,
    multiclass: None = ...,
    time_limit: float | None = ...,
    threads: int | None = ...,
) -> Verdict: ...


@overload
def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = ...,
    multiclass: str,
    time_limit: float | None = ...,
    threads: int | None = ...,
) -> dict[Any, Verdict]: ...


def separability(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = False,
    multiclass: str | None = None,
    time_limit: float | None = None,
    threads: int | None = None,
) -> Verdict | dict[Any, Verdict]:
    """Can a hyperplane separate the two classes? With an exact proof, whichever way it goes.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y. Of more classes
        say `multiclass="rest"` for a verdict of each against the others, or "pairs" for each two: a dictionary by
        label, or by pair of labels.
    through_origin
        Whether to ask for hyperplanes through the origin only.
    time_limit
        Seconds after which to give up with "undecided", of each question; looked at between steps, so a step in exact
        numbers may run over. None: never.
    threads
        None: as many as there are CPUs. Never changes the kind of the verdict.

    >>> verdict = separability([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> verdict.kind, verdict.margin2 > 0
    ('separable', True)
    >>> separability([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]).kind
    'overlapping'
    """
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    threads, through_origin = thread_count(threads), bool(through_origin)
    if multiclass not in (None, "rest", "pairs"):
        raise InputError(f"unknown multiclass {multiclass!r}; expected None, 'rest' or 'pairs'")
    if multiclass is None:
        return settled(two_classes(X, y, "separability"), through_origin, seconds, threads)
    if isinstance(X, Examples) or y is None:
        raise InputError("of several classes give X and y: separability(X, y, multiclass=...)")
    aligned(X, y)
    rows = rows_of(X)
    labels = column_of(y, rows.n)
    examples = Examples.of(X, labels)
    codes = np.unique(labels, return_inverse=True)[1].reshape(-1)
    found: dict[Any, Verdict] = {}
    sides = examples.classes.tolist()
    if multiclass == "rest":
        for k, label in enumerate(sides):
            signs = np.where(codes == k, 1, -1).astype(np.int8)
            one = Examples(examples.rows, signs, np.array(["rest", str(label)]), examples.feature_names)
            found[label] = settled(one, through_origin, seconds, threads)
        return found
    matrix = matrix_of(examples.rows)
    for a in range(len(sides)):
        for b in range(a + 1, len(sides)):
            which = np.flatnonzero((codes == a) | (codes == b))
            two = Examples(
                rows_of(matrix[which]), np.where(codes[which] == b, 1, -1).astype(np.int8), examples.classes[[a, b]],
                examples.feature_names,
            )  # fmt: skip
            found[sides[a], sides[b]] = settled(two, through_origin, seconds, threads, which)
    return found


def _some(names: Sequence[str]) -> str:
    """The first of many names, and how many more there are."""
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def settled(
    examples: Examples,
    through_origin: bool,
    seconds: float,
    threads: int,
    numbers: Ints | None = None,
    witness: tuple[Ints, Vector] | None = None,
) -> Verdict:
    """The verdict on examples of two classes; `numbers` are what their rows are called, a `witness` may be known."""
    begin = time.monotonic()
    found = search(examples, through_origin, seconds, threads, witness=witness)
    if found.strict:
        kind = "separable"
    elif found.balance is not None:
        kind = "quasi-separable" if found.v is not None else "overlapping"
    else:
        kind = "undecided"
    took = time.monotonic() - begin
    return Verdict(kind, through_origin, took, examples, threads, seconds, examples.digest(all=True), found, numbers)


def exact_margin2(s: SignedRows, v: list[Fraction]) -> Fraction:
    """(min z·v)²/‖w‖², exactly, of a v that separates."""
    least = s.least(v)
    if least <= 0:
        raise AssertionError("a separator that does not separate")
    return least * least / sum((x * x for x in (v if s.origin else v[:-1])), Fraction(0))


def root(value: Fraction) -> float:
    """√value, rounded, though the square itself may lie beyond float64."""
    half = _exponent(value) // 2
    try:
        return math.ldexp(math.sqrt(value / Fraction(4) ** half), half)
    except OverflowError:
        return math.inf


def _exponent(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() if value else 0

"""Verdict: separable, quasi-separable, overlapping or undecided, and its proof."""

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..data.examples import Examples
from ..data.hyperplane import Hyperplane
from ..data.source import Source
from ..errors import InputError
from ..proof.numerals import exact_text
from ..proof.parts import Combination, Witness
from ..proof.proof import Proof
from ..proof.verify import Check
from ..report.html_cards import verdict_card
from ..report.plain import finite
from ..report.terms import terms_of
from ..report.verdict import verdict_text
from ..report.words import next_steps
from .coefficients import coefficients
from .dependent import DROPPED, Dependences, by_name, dependences, dropped_report, nearly_report
from .evidence import FINITE, OPEN, UNKNOWN
from .exact import root
from .narrow import narrowed
from .nearly import nearly_dependent
from .partition import SearchResult
from .signed_rows import Ints, SignedRows, Vector
from .streamed.source_rows import SourceRows
from .subject import (
    check_unchanged,
    checked,
    data_of,
    exact_plane,
    hyperplane_between,
    in_memory,
    listed,
    proof_facts,
    rounded_plane,
)
from .unsettled import half, not_settled
from .watch import OutOfTimeError, Watch, watch_for
from .witness_rows import WitnessRow, WitnessRows

_PATIENCE = 10.0  # seconds that a dictionary, and so a summary or an answer, takes for coefficients
_LEAST = 0.2  # seconds that they get when the search has taken all of its time
_NOT_LISTED = (FINITE, DROPPED, UNKNOWN)
_ELSEWHERE = "not settled: this takes rows in memory"
_LONG = 60  # characters beyond which an exact number is left to the proof


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
    source: Source
    threads: int
    time_limit: float
    digest: int
    found: SearchResult
    numbers: Ints | None = None
    """Of a verdict on some of the rows, which ones."""

    @property
    def examples(self) -> Examples:
        """The rows, if they are in memory. Raises `InputError` if they are elsewhere."""
        return in_memory(self.source, "all rows of a verdict")

    @property
    def separable(self) -> bool | None:
        """True, False, or None if it is not known."""
        if self.found.strict:
            return True
        return False if self.found.witness is not None else None

    @property
    def weakly_separable(self) -> bool | None:
        """Whether a hyperplane has no row on its wrong side, and some strictly on their own; None if not known."""
        if self.found.v is not None:
            return True
        return False if self.kind == "overlapping" else None

    @cached_property
    def exact_hyperplane(self) -> tuple[tuple[Fraction, ...], Fraction] | None:
        """(w, b): strictly separating, or of quasi-separable rows weakly and strictly where possible; else None."""
        v = self._known_v
        if v is None:
            return None
        return (tuple(v), Fraction(0)) if self.through_origin else (tuple(v[:-1]), v[-1])

    @property
    def _known_v(self) -> Vector | None:
        return None if self.kind == "undecided" and not self.found.strict else self.found.v

    @property
    def hyperplane(self) -> Hyperplane | None:
        """The same in float64, scaled to a largest weight of about 1; rounded, it may no longer separate."""
        v = self._known_v
        if v is None:
            return None
        return hyperplane_between(self.source, rounded_plane(v, self.source.n_columns, self.found.columns))

    @cached_property
    def margin2(self) -> Fraction | None:
        """The square of the hyperplane's margin on the rows, if it separates them."""
        if not self.found.strict or self.found.v is None:
            return None
        if not isinstance(self.source, Examples):
            check_unchanged(self.source, self.digest)
            return SourceRows(self.source, self.through_origin, math.inf, self.threads).margin2(self.found.v)
        narrow = None if self.found.columns is None else narrowed(self.source)
        if narrow is None:
            return self._rows(math.inf).margin2(self.found.v)
        check_unchanged(self.source, self.digest)
        rows = SignedRows(narrow.examples, self.through_origin, math.inf, self.threads)
        return rows.margin2(narrow.of(self.found.v))

    @property
    def margin(self) -> float | None:
        """The hyperplane's margin, rounded."""
        return None if self.margin2 is None else root(self.margin2)

    @property
    def witness_rows(self) -> Ints | None:
        """The few rows that no hyperplane separates, though it would all but any one of them."""
        return None if self.found.witness is None else self.named(self.found.witness[0])

    @property
    def witness(self) -> WitnessRows | None:
        """The same rows as a table: row, line, label and multiplier of each; None where there is no witness."""
        if self.witness_rows is None or self.multipliers is None:
            return None
        entries = self.listed(self.witness_rows)
        return WitnessRows(
            WitnessRow(**entry, multiplier=a) for entry, a in zip(entries, self.multipliers, strict=True)
        )

    @property
    def multipliers(self) -> tuple[Fraction, ...] | None:
        """α > 0 with Σ α·y·(x, 1) = 0 over the witness (x alone through the origin); they sum to 1."""
        if self.found.witness is None:
            return None
        total = sum(self.found.witness[1], Fraction(0))
        return tuple(a / total for a in self.found.witness[1])

    @property
    def boundary_rows(self) -> Ints | None:
        """The rows that lie on every hyperplane with no row on its wrong side; None if they are not sorted out."""
        if self.kind == "separable":
            return np.empty(0, dtype=np.int64)
        if self.found.stuck is not None:
            return self._on_hyperplane()
        return None if self.found.boundary is None else self.named(np.flatnonzero(self.found.boundary))

    @property
    def boundary(self) -> int | None:
        """How many these are."""
        if self.kind == "separable" or self.found.stuck is not None:
            return self.found.stuck or 0
        return None if self.found.boundary is None else int(self.found.boundary.sum())

    def _on_hyperplane(self) -> Ints:
        """The rows of a source with z·v = 0: a scan, for whoever has room for their numbers."""
        check_unchanged(self.source, self.digest)
        rows = SourceRows(self.source, self.through_origin, math.inf, self.threads)
        return np.arange(rows.n) if self.found.v is None else rows.on(self.found.v)

    @cached_property
    def coefficients(self) -> dict[str, str]:
        """Of each coefficient of a logistic regression, by name: finite, +inf, -inf, indeterminate or dropped.

        Exact, but not part of the proof. "indeterminate": the estimate may run to either side, because the likelihood
        grows both ways. "dropped": the column is a combination of earlier ones (see `dependences`), and the others are
        those of the model without it, as in R. The signs are those of a model for the positive class, the second of
        `examples.classes`. What the time limit leaves open is "infinite" (not finite; to which side is not settled)
        or "unknown"; and while it is not settled which columns are dropped, those may be among them.
        """
        return self.known_coefficients(self.time_limit)

    def known_coefficients(self, seconds: float | Watch) -> dict[str, str]:
        """The same, as far as it is known within so many seconds."""
        if self.kind == "undecided" and self.found.v is None:
            raise InputError("nothing is known of the coefficients: the verdict is undecided; raise time_limit")
        watch = watch_for(seconds)
        dropped = self.dropped(half(watch))
        return dict(zip(self.names, coefficients(self._rows(watch), self.found, dropped), strict=True))

    @cached_property
    def aliased(self) -> tuple[str, ...]:
        """The coefficients that are dropped, because their columns are combinations of earlier ones: R's NA."""
        return tuple(self.dependences)

    @property
    def dependences(self) -> dict[str, dict[str, Fraction]]:
        """The combination of earlier columns that each column dropped equals, exactly; the offset comes before all."""
        known = self.dropped(self.time_limit)
        if not known.settled:
            least = f" ({known.least} or more are)" if known.least else ""
            raise InputError(
                f"which columns are dependent{least} is not settled within {self.time_limit:g} s; raise it"
            )
        return by_name(known.sums, self.names)

    def dropped(self, seconds: float | Watch) -> Dependences:
        """The same by the numbers of the coefficients, as far as they are known within so many seconds."""
        known: Dependences | None = vars(self).get("_dropped")
        if known is None or not known.settled:
            new = dependences(self._rows(seconds))
            # A second look may have less time: what was known stays so.
            known = new if known is None or new.settled or len(new.sums) >= len(known.sums) else known
            vars(self)["_dropped"] = known
        return known

    def nearly_dependent(self, seconds: float | Watch) -> list[dict[str, Any]]:
        """Columns that rounding alone keeps from being dependent, by name, and about what each equals.

        Empty also where time does not allow to say.
        """
        watch = watch_for(seconds)
        known = self.dropped(watch)
        if not known.settled:
            return []
        watch.tell("looking for nearly dependent columns")
        with suppress(OutOfTimeError):
            near = nearly_dependent(self.examples, self.through_origin, known.sums, watch.seconds_left)
            return nearly_report(near, self.names)
        return []

    @cached_property
    def _logistic_regression(self) -> dict[str, Any]:
        return self._regression(self._patience())

    def _patience(self) -> float:
        """As long as a reader would wait, within what the search left of the time limit, or a little beyond it."""
        return min(_PATIENCE, max(self.time_limit - self.seconds, min(_LEAST, self.time_limit)))

    def _regression(self, seconds: float | Watch) -> dict[str, Any]:
        """Whether the maximum-likelihood estimate is finite, and the coefficients that are not, by name.

        As far as it is known within so many seconds; "why" says what is missing.
        """
        known: dict[str, Any] = {"estimate": "unknown", "why": None, "infinite": {}, "aliased": [], "dropped": []}
        known |= {"nearly_dependent": [], "least_dropped": 0, "dropped_settled": False, "unsettled": 0}
        if self.kind == "undecided" and self.found.v is None:
            return {**known, "why": "the verdict is undecided"}
        if not isinstance(self.source, Examples):
            infinite = {} if self.kind == "overlapping" else {"estimate": "infinite"}
            return {**known, **infinite, "unsettled": len(self.names), "why": _ELSEWHERE}
        overlapping = self.kind == "overlapping"
        first_half = half(watch := watch_for(seconds))
        columns = self.dropped(first_half)
        late = not columns.settled and first_half.over()
        dropped = by_name(columns.sums, self.names)
        known["aliased"], known["dropped"] = list(dropped), dropped_report(dropped)
        known["least_dropped"], known["dropped_settled"] = columns.least, columns.settled
        if not overlapping:
            words = dict(zip(self.names, coefficients(self._rows(watch), self.found, columns), strict=True))
            known["infinite"] = {name: word for name, word in words.items() if word not in _NOT_LISTED}
            known["unsettled"] = sum(word in OPEN for word in words.values())
        if not columns.settled or known["unsettled"]:
            ended = first_half if late else watch
            sorted_out = self.found.strict or self.found.boundary is not None
            known["why"] = not_settled(ended if late or ended.over() else None, columns.settled, sorted_out)
        if columns.settled:
            known["nearly_dependent"] = self.nearly_dependent(watch)
        if not overlapping:
            known["estimate"] = "infinite"
        elif columns.settled:
            known["estimate"] = "not unique" if known["aliased"] else "finite"
        return known

    @property
    def names(self) -> tuple[str, ...]:
        """Of the coefficients: the columns', and "(offset)" if there is one."""
        names = self.source.feature_names or tuple(f"x{j}" for j in range(self.source.n_columns))
        if len({*names, "(offset)"}) <= len(names):
            often = Counter((*names, "(offset)"))
            names = tuple(name if often[name] == 1 else f"{name} (column {j})" for j, name in enumerate(names))
        return names if self.through_origin else (*names, "(offset)")

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check the verdict with `verify`; bound to the data by their fingerprint."""
        f = self.found
        check_unchanged(self.source, self.digest)
        common = proof_facts(self.source, self.through_origin)
        v = self._known_v
        plane = None if v is None else exact_plane(v, self.source.n_columns, f.columns)
        if self.kind == "separable":
            return Proof("separable", hyperplane=plane, margin2=self.margin2, **common)
        if f.witness is None:
            raise InputError("there is nothing to prove: the verdict is undecided; raise time_limit")
        witness = Witness(tuple(f.witness[0].tolist()), self.multipliers or ())
        balance = None if f.balance is None else Combination(tuple(f.balance[0].tolist()), tuple(f.balance[1]))
        if plane is None:
            return Proof(
                "inseparable" if balance is None else "overlapping", witness=witness, balance=balance, **common
            )
        return Proof("quasi-separable", hyperplane=plane, witness=witness, balance=balance, **common)

    def to_dict(self, text: Sequence[str] | None = None, watch: Watch | None = None) -> dict[str, Any]:
        """All of it in plain values: what `rosenblatt check --json` has under "verdict".

        `text` are columns of text, whose levels R's terms name. None: those that the examples were read from. A `watch`
        says how long the coefficients may take, and who looks on meanwhile.
        """
        if watch is not None and "_logistic_regression" not in vars(self):
            vars(self)["_logistic_regression"] = self._regression(watch)
        return self._plain(self._in_terms(self._logistic_regression, text))

    def _in_terms(self, logistic_regression: dict[str, Any], text: Sequence[str] | None = None) -> dict[str, Any]:
        known = deepcopy({key: value for key, value in logistic_regression.items() if key != "dropped"})
        # There may be very many of these, of which `deepcopy` would make much ado.
        known["dropped"] = [
            {key: {**value} if isinstance(value, dict) else value for key, value in one.items()}
            for one in logistic_regression["dropped"]
        ]
        own = getattr(self.source, "text", ())
        return {**known, "terms": terms_of(known, own if text is None else text)}

    def _plain(self, logistic_regression: dict[str, Any] | None) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "separable": self.separable,
            "through_origin": self.through_origin,
            "margin": finite(self.margin),
            "witness": self._witness(),
            "boundary": self.boundary,
            "steps": list(self.found.steps),
            "logistic_regression": logistic_regression,
            "seconds": self.seconds,
            "weakly_separable": self.weakly_separable,
        }

    def _witness(self) -> list[dict[str, Any]] | None:
        if self.witness is None:
            return None
        entries = []
        for one in self.witness:
            exact = text if len(text := exact_text(one.multiplier)) <= _LONG else None
            entry = {**one._asdict(), "multiplier": float(one.multiplier), "exact": exact}
            entries.append({name: value for name, value in entry.items() if name != "file" or value is not None})
        return entries

    def summary(self) -> str:
        """The verdict in words, as `rosenblatt check` prints it: at most 80 characters wide, to paste into a report.

        Rows are called by their lines, and counted from 0 if they have none.
        """
        steps = next_steps(["give-more-time"] if self.kind == "undecided" else [])
        report = {"data": data_of(self.source), "verdict": self.to_dict(), "next": steps}
        return "\n".join(verdict_text(report))

    def __repr__(self) -> str:
        return f"<Verdict: {self.kind}, {self.source.n_rows} × {self.source.n_columns}>"

    def _repr_html_(self) -> str:
        known = vars(self).get("_logistic_regression")  # coefficients take a search: shown if they were asked for
        return verdict_card(data_of(self.source), self._plain(None if known is None else self._in_terms(known)))

    def check(self) -> Check:
        """Whether the proof holds, by the checker, on the rows the verdict speaks of."""
        return checked(self.proof, self.source)

    def named(self, rows: Ints) -> Ints:
        """The caller's numbers of these rows, where a verdict is on some of them."""
        return rows if self.numbers is None else self.numbers[rows]

    def listed(self, rows: Ints) -> list[dict[str, Any]]:
        """Some rows, by the caller's numbers, for a report: number, line and label."""
        own = rows if self.numbers is None else np.searchsorted(self.numbers, rows)
        entries = listed(self.source, own.tolist())
        return [{**entry, "row": row} for entry, row in zip(entries, rows.tolist(), strict=True)]

    def _rows(self, seconds: float | Watch | None = None) -> SignedRows:
        check_unchanged(self.source, self.digest)
        limit = self.time_limit if seconds is None else seconds
        return SignedRows(self.examples, self.through_origin, limit, self.threads)

"""Proof: what is claimed about some rows and labels, in exact numbers.

A proof says that data are separable, quasi-separable, overlapping, or merely inseparable; or how large a margin, or how
few mistakes, hyperplanes have on them; and holds what anyone needs to see that for themselves: `verify` does, and
states the theorems. A `Proof` that exists is well formed; whether it is true is not asked here. Its parts are in
parts.py, its one JSON form in json.py.
"""

import decimal
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..atomic import replace_file
from ..errors import InputError, shown
from .json import KINDS, MAX_BYTES, OPTIONAL, PARTS, dumped, parsed
from .parts import Combination, ExactHyperplane, Hull, Packing, Witness, check_exact, is_count

CLAIMS = {
    "separable": "a hyperplane has every row strictly on its side",
    "quasi-separable": "a hyperplane has no row on its wrong side, but none has every row strictly on its own",
    "overlapping": "every hyperplane has a row on its wrong side, or all rows on itself",
    "inseparable": "no hyperplane has every row strictly on its side",
    "largest-margin": "how large a margin hyperplanes have",
    "fewest-mistakes": "how few mistakes hyperplanes make",
}
_UNSORTED = "; which of the rows on it could leave it is not sorted out"


@dataclass(frozen=True)
class Proof:
    """A claim about `rows` × `columns` numbers and their labels, known by their fingerprint `sha256`.

    >>> plane = ExactHyperplane.of([-1], Fraction(5, 2))
    >>> proof = Proof("separable", 4, 1, "0" * 64, hyperplane=plane, margin2=Fraction(1, 4))
    >>> Proof.loads(proof.dumps()) == proof
    True
    """

    kind: str
    rows: int
    columns: int
    sha256: str
    through_origin: bool = False
    hyperplane: ExactHyperplane | None = None
    margin2: Fraction | None = None
    """The square of the margin: (min m_i)²/‖w‖², or over ‖w‖² + b²/ρ² where the hull has a ρ."""
    witness: Witness | None = None
    balance: Combination | None = None
    """Of quasi-separable rows it may be None: then it is not sorted out which rows on the hyperplane could leave it."""
    hull: Hull | None = None
    mistakes: int | None = None
    """How many rows have m ≤ 0 under the hyperplane."""
    packing: Packing | None = None
    reading: Mapping[str, str] = field(default_factory=dict)
    """How the rows were read, in words; "read" in JSON. Nothing rests on it."""

    def __post_init__(self) -> None:
        if type(self.kind) is not str or self.kind not in KINDS:
            raise InputError(f"kind {shown(self.kind)}: expected one of {', '.join(KINDS)}")
        if not (is_count(self.rows) and is_count(self.columns) and self.rows and self.columns):
            raise InputError("rows and columns must be whole numbers > 0")
        if type(self.sha256) is not str or not re.fullmatch("[0-9a-f]{64}", self.sha256):
            raise InputError(f"sha256 {shown(self.sha256)}: expected 64 hexadecimal digits")
        if type(self.through_origin) is not bool:
            raise InputError("through_origin must be true or false")
        for part, form in PARTS.items():
            wanted = {form.type} if part in KINDS[self.kind] else {type(None)}
            if (self.kind, part) in OPTIONAL:
                wanted.add(type(None))
            if type(getattr(self, part)) not in wanted:
                raise InputError(f"{part}: {self.kind} proofs have {', '.join(KINDS[self.kind])}, and nothing else")
        if (plane := self.hyperplane) and (plane.columns[-1] >= self.columns or (self.through_origin and plane.b)):
            raise InputError("hyperplane: a column beyond the last, or an offset although through the origin")
        if self.margin2 is not None:
            check_exact((self.margin2,), 1, "margin2")
            if self.margin2 <= 0:
                raise InputError("margin2 must be > 0")
        for some in (self.witness, self.balance, self.hull, *(self.packing.witnesses if self.packing else ())):
            if some and some.rows and some.rows[-1] >= self.rows:
                raise InputError(f"row {some.rows[-1]}: the data have rows 0 to {self.rows - 1}")
        if self.hull and self.through_origin != (self.hull.rho2 == 0):
            raise InputError("hull: rho2 is 0 through the origin, and only there")
        if self.mistakes is not None and not 0 <= self.mistakes <= self.rows:
            raise InputError(f"mistakes: expected 0 to {self.rows}")
        if self.witness and self.kind != "inseparable" and not self.witness.minimal:
            raise InputError(f"{self.kind}: the witness must be minimal")
        if not all(type(text) is str for pair in self.reading.items() for text in pair):
            raise InputError("read: expected strings only")
        object.__setattr__(self, "reading", dict(self.reading))

    def __repr__(self) -> str:
        return f"<Proof: {self.rows} × {self.columns}, {self.kind}{', through the origin' * self.through_origin}>"

    @property
    def unsorted(self) -> bool:
        """Whether it says of quasi-separable rows no more than that: which could leave the hyperplane is left open."""
        return self.kind == "quasi-separable" and self.balance is None

    def to_dict(self) -> dict[str, Any]:
        """What it claims in plain values, numbers rounded to floats: what `rosenblatt show --json` says of a proof."""
        known: dict[str, Any] = {
            "kind": self.kind,
            "claim": CLAIMS[self.kind] + _UNSORTED * self.unsorted,
            "rows": self.rows,
            "columns": self.columns,
            "sha256": self.sha256,
            "through_origin": self.through_origin,
            "read": dict(self.reading),
        }
        if self.hyperplane is not None:
            known["weights"] = len(self.hyperplane.columns)
        if self.margin2 is not None:
            known["margin"] = _root(self.margin2)
        if self.hull is not None:
            known["margin_upper"] = _root(self.hull.upper2)
            known["support"] = len(self.hull.rows)
        if self.witness is not None:
            known["witness"] = list(self.witness.rows)
        if self.balance is not None or self.unsorted:
            known["balance"] = None if self.balance is None else len(self.balance.rows)
        if self.packing is not None:
            known["mistakes"] = self.mistakes
            known["least"] = self.packing.lower
            known["witnesses"] = len(self.packing.witnesses)
        return known

    def dumps(self) -> str:
        """The proof as JSON: ASCII, one line for each key."""
        fields = {
            "kind": self.kind,
            "through_origin": self.through_origin,
            "data": {"rows": self.rows, "columns": self.columns, "sha256": self.sha256},
            "read": dict(self.reading),
        }
        return dumped(fields, {part: getattr(self, part) for part in KINDS[self.kind]})

    @classmethod
    def loads(cls, text: str | bytes) -> "Proof":
        """The proof that a text holds. Raises `InputError`, in one line, for a text that does not hold one."""
        return cls(**parsed(text))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the proof to a file: wholly or not at all."""
        replace_file(path, self.dumps().encode("ascii"))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Proof":
        """The proof in a file."""
        with open(path, "rb") as file:
            text = file.read(MAX_BYTES + 1)
        try:
            return cls.loads(text)
        except InputError as error:
            raise InputError(f"{os.fspath(path)}: {error}") from None


def _root(square: Fraction) -> float | None:
    """√square as a float, None if it is beyond them."""
    context = decimal.Context(prec=25, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    value = context.sqrt(context.divide(decimal.Decimal(square.numerator), decimal.Decimal(square.denominator)))
    found = float(value)
    return found if 0 < found < float("inf") else None

"""Writing a proof with how its data were read, and reading the data of a proof the same way.

Nothing rests on these words: the proof is bound to the numbers by their fingerprint, and to nothing else.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import LawBrokenError
from ..files.reading import Reading

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..proof.proof import Proof
    from ..proof.verify import Check
    from .framework import Settings


def write_proof(path: str, proof: "Proof", check: "Check", sheet: "Sheet") -> dict[str, Any]:
    """Write a proof that has been checked; what was written. A proof that does not hold is never written."""
    if not check:
        raise LawBrokenError(f"the proof of {proof.kind} does not hold: {check.reason}")
    replace(proof, reading={**proof.reading, **sheet.reading.in_words()}).write(path)
    return {"file": path, "kind": proof.kind, "holds": check.holds, "reason": check.reason}


def verify_step(settings: "Settings", proof: str, data: str) -> dict[str, Any]:
    """What to do next with a proof that was written: it says how to read its data, unless their name says otherwise."""
    from ..files.formats import format_named

    named = format_named(data)
    if named is None or settings.reading.format in (None, named):
        settings = replace(settings, reading=Reading(), positive=None)
    return {"why": "Check the proof again, by itself", "command": settings.again("verify", proof, data)}


def as_read(settings: "Settings", proof: "Proof", data: str) -> "Settings":
    """To read data as the proof says they were, unless options say otherwise."""
    from ..files.formats import format_named
    from .named import is_example

    if is_example(data):
        return settings
    alike = Reading.of_words(proof.reading).alike(settings.reading.format or format_named(data))
    return replace(settings, reading=alike.updated(settings.reading))


def positive_of(proof: "Proof", labels: Any) -> str | None:
    """The class the proof calls positive, if the data have it."""
    from ..data.classes import class_counts

    return positive_among(proof, class_counts(labels) or ())


def positive_among(proof: "Proof", classes: Iterable[Any]) -> str | None:
    """The same, of data with these classes."""
    named = proof.reading.get("positive")
    return named if named in [str(label) for label in classes] else None

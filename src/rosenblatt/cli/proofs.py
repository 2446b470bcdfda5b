"""Writing a proof with how its data were read, so that `rosenblatt verify` reads them the same way by itself.

Nothing rests on these words: the proof is bound to the numbers by their fingerprint, and to nothing else.
"""

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
    replace(proof, reading={**proof.reading, **sheet.reading.words()}).write(path)
    return {"file": path, "kind": proof.kind, "holds": check.holds, "reason": check.reason}


def verify_step(settings: "Settings", proof: str, data: str) -> dict[str, Any]:
    """What to do next with a proof that was written: it says how to read its data, unless their name says otherwise."""
    from ..files.formats import format_named

    named = format_named(data)
    if named is None or settings.reading.format in (None, named):
        settings = replace(settings, reading=Reading(), positive=None)
    return {"why": "Check the proof again, by itself", "command": settings.again("verify", proof, data)}

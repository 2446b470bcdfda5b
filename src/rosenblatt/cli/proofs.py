"""Writing a proof with how its data were read, so that `rosenblatt verify` reads them the same way by itself.

Nothing rests on these words: the proof is bound to the numbers by their fingerprint, and to nothing else.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import LawBrokenError

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..proof.nouns import Proof
    from ..proof.verify import Check
    from .framework import Settings

_WORDS = ("format", "label", "missing", "base", "hash_bits", "text", "leave_out")


def write_proof(path: str, proof: "Proof", check: "Check", sheet: "Sheet") -> dict[str, Any]:
    """Write a proof that has been checked; what was written. A proof that does not hold is never written."""
    if not check:
        raise LawBrokenError(f"the proof of {proof.kind} does not hold: {check.reason}")
    words = {key: _text(value) for key in _WORDS if (value := sheet.reading.get(key)) not in (None, [], "refuse")}
    replace(proof, reading={**proof.reading, **words}).write(path)
    return {"file": path, "kind": proof.kind, "holds": check.holds, "reason": check.reason}


def verify_step(settings: "Settings", proof: str, data: str) -> dict[str, Any]:
    """What to do next with a proof that was written: it says how to read its data, unless their name says otherwise."""
    from ..files.formats import format_named

    named = format_named(data)
    if named is None or settings.reading.get("format", named) == named:
        settings = replace(settings, reading={}, positive=None)
    return {"why": "Check the proof again, by itself", "command": settings.again("verify", proof, data)}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def options_in(words: Mapping[str, str], format: str | None) -> dict[str, Any]:
    """The options of reading that a proof's words name, for `options_of`: those that make sense for data in a format.

    None: nothing is known of the format, so that it is the proof's.
    """
    from ..files.options import FORMATS, MISSING

    found: dict[str, Any] = {"label": words["label"]} if "label" in words else {}
    for key, allowed in (("format", FORMATS), ("missing", MISSING), ("base", ("0", "1"))):
        if words.get(key) in allowed:
            found[key] = int(words[key]) if key == "base" else words[key]
    if words.get("hash_bits") in [str(bits) for bits in range(1, 31)]:
        found["hash_bits"] = int(words["hash_bits"])
    for key in ("text", "leave_out"):
        try:
            names = json.loads(words.get(key, ""))
        except ValueError:
            continue
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            found[key] = names
    if format is not None and format != found.pop("format", None):
        kept = {"svmlight": ("base", "hash_bits"), "vw": ("hash_bits",), "npy": (), "npz": ()}
        tables = ("label", "missing", "text", "leave_out", "hash_bits")
        found = {key: value for key, value in found.items() if key in kept.get(format, tables)}
    return found

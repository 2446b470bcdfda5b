"""Faults that change no result: only how long it takes, what is cached or shown meanwhile, or nothing at all.

They stand in effort.toml, each with its reason, by file, function and a piece of the line.
"""

import tomllib
from pathlib import Path

from .mutants import Mutant

_LISTED = tomllib.loads(Path(__file__).with_name("effort.toml").read_text(encoding="utf-8"))["effort"]


def reason(mutant: Mutant) -> str | None:
    """Why nobody could notice it; None if somebody should."""
    for entry in _LISTED:
        same = entry["file"] == mutant.file and entry["function"] == mutant.function
        if same and entry["text"] in mutant.text:
            return str(entry["reason"])
    return None

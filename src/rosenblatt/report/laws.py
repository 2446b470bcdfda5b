"""The laws: where a run stands against each bound, and what it proves about the best margin of its rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from .text import number, paragraph, table

Entry = Mapping[str, Any]


def audit_headline(audit: Entry) -> str:
    """That every law held; an audit that found one broken was never made."""
    of = " on scaled rows" if audit.get("scaled") else ""
    return f"Audit of {plural(audit['updates'], 'update')}{of}: every law that applies holds."


def audit_text(audit: Entry) -> list[str]:
    """The laws at the end of a run."""
    return [audit_headline(audit), *_measures(audit), "", *laws_lines(audit["laws"])]


def headline(bounds: Entry) -> str:
    """A run beside the difficulty of its rows."""
    met = "" if bounds["mistakes"] is None else f", {plural(bounds['mistakes'], 'mistake')}"
    hard = "infinity" if bounds["difficulty"] is None else number(bounds["difficulty"])
    return f"{plural(bounds['updates'], 'update')}{met}, against a difficulty R′/γ′ of {hard}."


def bounds_text(bounds: Entry) -> list[str]:
    """A run beside every bound that a hyperplane gives."""
    return [headline(bounds), *_measures(bounds), "", *laws_lines(bounds["laws"])]


def _measures(known: Entry) -> list[str]:
    of = " of the scaled rows" if known.get("scaled") else ""
    return paragraph(f"Augmented margin {number(known['margin'])}, radius {number(known['radius'])}{of}.")


def laws_lines(laws: Sequence[Entry]) -> list[str]:
    """A line for each law."""
    rows = [(law["law"], law["quantity"], number(law["value"]), bound_said(law)) for law in laws]
    return table(["law", "quantity", "value", "bound"], rows)


def bound_said(law: Entry) -> str:
    """`at most 493`, or why there is no bound."""
    if law["bound"] is None:
        return f"none: {law['why']}"
    return f"at {'least' if law['at_least'] else 'most'} {number(law['bound'])}"


def bracket_headline(bracket: Entry) -> str:
    """Both bounds in one line."""
    lower, upper = number(bracket["lower"]), number(bracket["upper"])
    of = " of the scaled rows" if bracket.get("scaled") else ""
    return f"Best augmented margin{of}: at least {lower}, at most {upper}."


def bracket_text(bracket: Entry) -> list[str]:
    """Both bounds, and who shows them."""
    lines = [bracket_headline(bracket)]
    lines += paragraph(f"The lower bound is the margin of the {bracket['readout']} readout.")
    if bracket["witness_rows"] is not None:
        lines += paragraph(f"The upper bound is shown by the steps on {plural(bracket['witness_rows'], 'row')}.")
    return lines

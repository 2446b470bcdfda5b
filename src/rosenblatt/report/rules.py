"""The rules of the family, with formula and guarantee."""

from collections.abc import Mapping
from typing import Any

from .text import paragraph


def rules_text(report: Mapping[str, Any]) -> list[str]:
    """Each rule with its formula, its parameters, its guarantee and its paper."""
    lines: list[str] = []
    for rule in report["rules"]:
        lines += [*([""] if lines else []), rule["name"], *paragraph(rule["formula"], 4, 2)]
        if rule["parameters"]:
            said = [
                f"--{p['name']}" + (" (needed)" if p["default"] is None else f" (default {p['default']:g})")
                for p in rule["parameters"]
            ]
            lines += paragraph(f"parameters: {', '.join(said)}", 4, 2)
        lines += [*paragraph(f"guarantee: {rule['guarantee']}", 4, 2), *paragraph(rule["paper"], 4, 2)]
    lines += ["", *paragraph("m = y·(w·x + b); x′ = (x, ρ) and w′ = (w, b/ρ), R′ = max ‖x′‖, γ′ their largest margin;")]
    lines[-1] = lines[-1].rstrip(";") + "; η the step (--eta)."
    return [
        *lines,
        *paragraph(
            "Without --rule, or with --rule auto, train tries a few of them and takes the best on rows held out."
        ),
    ]

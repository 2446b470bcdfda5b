"""Figures of the nouns, in scikit-learn's Display convention: each class draws one thing, `.from_…` says of what.

A display is made by a class method (`from_run`, `from_verdict`, `from_estimator`, …), which computes what is shown and
draws it, on `ax=` or a figure of its own; `.ax_` and `.figure_` are what was drawn on. Needs matplotlib, the extra
`plots`; importing this does not import it.
"""

from typing import Any

_HOMES = {
    "LossDisplay": "loss",
    "MarginDistributionDisplay": "margins",
    "MistakesDisplay": "mistakes",
    "ReadoutsDisplay": "readouts",
    "SeparationDisplay": "separation",
    "TheoremDisplay": "theorem",
    "UpdateDisplay": "update",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    """A display, imported when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOMES[name]}", __name__), name)

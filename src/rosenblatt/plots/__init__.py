"""Figures of the nouns, in scikit-learn's Display convention: each class draws one thing, `.from_…` says of what.

A display is made by a class method (`from_run`, `from_verdict`, `from_estimator`, …), which computes what is shown and
draws it, on `ax=` or a figure of its own; `.ax_` and `.figure_` are what was drawn on. Needs matplotlib, the extra
`plots`; importing this does not import it.
"""

from .animation import animate
from .loss import LossDisplay
from .margins import MarginDistributionDisplay
from .mistakes import MistakesDisplay
from .network import NetworkDisplay
from .readouts import ReadoutsDisplay
from .separation import SeparationDisplay
from .theorem import TheoremDisplay
from .update import UpdateDisplay
from .weights import WeightsDisplay

__all__ = [
    "LossDisplay",
    "MarginDistributionDisplay",
    "MistakesDisplay",
    "NetworkDisplay",
    "ReadoutsDisplay",
    "SeparationDisplay",
    "TheoremDisplay",
    "UpdateDisplay",
    "WeightsDisplay",
    "animate",
]

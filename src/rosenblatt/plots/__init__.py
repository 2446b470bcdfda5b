"""Figures of the nouns, in scikit-learn's Display convention: each class draws one thing, `.from_…` says of what.

A display is made by a class method (`from_run`, `from_verdict`, `from_estimator`, …), which computes what is shown and
draws it, on `ax=` or a figure of its own; `.ax_` and `.figure_` are what was drawn on. Needs matplotlib, the extra
`plots`; importing this does not import it.
"""

from .course.animation import animate
from .course.loss import LossDisplay
from .course.mistakes import MistakesDisplay
from .course.theorem import TheoremDisplay
from .course.update import UpdateDisplay
from .margins import MarginDistributionDisplay
from .network.display import NetworkDisplay
from .separation.display import SeparationDisplay
from .separation.readouts import ReadoutsDisplay
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

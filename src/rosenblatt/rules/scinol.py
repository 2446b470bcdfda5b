"""ScInOL: coordinates that bet as in `coin`, by the squares of what they were told. Nothing to set, no pass beforehand.

At a row with m < 1 coordinate j is told g = y·x_j. With θ = Σg, S² = Σg², the wealth E = ε + Σg·w_j and M = max |g| so
far,

    w_j = clip(θ, ±√(S² + M²))·E / (2·(S² + M²))

It bets more boldly than `coin` on columns that are mostly small, as the words of a text are. M grows as rows come, so
the wealth is kept from falling below ε, and no law is claimed. A column multiplied by 2ᵏ changes no bit of a score.

Kempka, Kotłowski and Warmuth 2019, ICML (their M is raised before a row is predicted, ours when it is learnt).
"""

from dataclasses import replace

from . import Update
from .coin import RULE as COIN
from .coin import WEALTH


def update() -> Update:
    """θ = 1, strictly: the rows on which the hinge has a slope."""
    return Update(theta0=1.0, strict=True, coin=WEALTH, squares=True)


RULE = replace(
    COIN,
    name="scinol",
    formula="if m < 1, for each j: w_j = clip(θ_j, ±√(S_j² + M_j²))·E_j/(2(S_j² + M_j²)), S_j² = Σ g_j²",
    guarantee="none is claimed: the largest entries are not known beforehand",
    paper="Kempka, Kotłowski and Warmuth 2019",
    update=update,
    surveyed=False,
)

"""Coin betting: each coordinate is a gambler, and its weight the share of its wealth that it bets. Nothing to set.

At a row with m < 1 coordinate j is told g = y·x_j (times the row's weight) and wins g·w_j. With θ = Σg, G = Σ|g|, the
wealth E = ε + Σg·w_j, and M = max |g| over all rows there are,

    w_j = θ·E / (M·(G + M))

The offset is the coordinate of a column of ones, whatever ρ. A column multiplied by c has its w_j divided by c, so that
no score changes, and for c = 2ᵏ no bit of one. (With an initial wealth of M, as in the paper, that would not be so.)

While M is the largest |g|, every coordinate keeps, after every update,

    E ≥ ε·F(G/M, θ/M),   F(G, θ) = 2ᴳ·B((G + 1 + θ)/2, (G + 1 − θ)/2)/π   (B is Euler's beta function)

with equality for |g| = M, where this is the bettor of Krichevsky and Trofimov. Proof: told g = s·M with 0 ≤ s ≤ 1 the
wealth grows by the factor 1 + sβ, β = θ/(G + M), and F by r(s) = ∫(2t)ˢ dμ(t) for a measure μ on [0, 1] of mass 1. That
is convex in s, with r(0) = 1 and r(1) = 1 + β, so r(s) ≤ 1 + sβ. For g < 0 likewise. Against any u the hinge loss of
the run exceeds that of u by at most Σ_j (u_j·θ_j + ε − E_j), hence by at most Σ_j R_j with
R_j = ε + max over θ of u_j·θ − ε·F(G_j/M_j, θ/M_j).

Where M is not known beforehand (rows that come one after another) it grows, and no law is claimed.

Orabona and Tommasi 2017, NeurIPS; Orabona and Pál 2016 for the potential; Kempka, Kotłowski and Warmuth 2019 for scale.
"""

from . import Rule, Setting, Update

WEALTH = 0.1
"""ε, what each coordinate begins with."""


def update() -> Update:
    """θ = 1, strictly: the rows on which the hinge has a slope."""
    return Update(theta0=1.0, strict=True, coin=WEALTH)


def bound(s: Setting) -> None:
    """None on mistakes: the guarantee is one on the hinge loss."""
    return None


RULE = Rule(
    name="coin",
    formula="if m < 1, for each j: w_j = θ_j·E_j/(M_j·(G_j + M_j)), E_j = ε + Σ g_j·w_j, g_j = y·x_j",
    guarantee="any data: wealth E_j ≥ ε·F(G_j/M_j, θ_j/M_j), and so a hinge loss near that of every other w",
    paper="Orabona and Tommasi 2017",
    update=update,
    bound=bound,
    uses_eta=False,
    batches=False,
    additive=False,
    from_zero=True,
    surveyed=True,
)

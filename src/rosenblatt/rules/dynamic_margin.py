"""The perceptron with dynamic margin: it asks for a share β < 1 of the best margin, whatever that is.

From zero ‖w′‖/Στ ≥ γ′ at every moment (law 9). So if every row has m > β·‖w′‖²/Στ, every margin m/‖w′‖ exceeds β·γ′:
the threshold sets itself, and on separable data the run is finite for every β < 1. β = 0 is the perceptron.

**The bound**, row by row with one η, which only scales w′; take η = 1, and f_t = ‖w′‖²/R′² after t updates. Each had
m ≤ β·‖w′‖²/t, hence f_1 ≤ 1, f_{t+1} ≤ f_t·(1 + 2β/t) + 1; and f_t ≥ t²/D with D = (R′/γ′)².

- β < 1/2: f_t ≤ t/(1 − 2β), by induction. So t ≤ D/(1 − 2β).
- β ≥ 1/2: unrolled, f_t ≤ Σ_{j≤t} Π_{j≤i<t} (1 + 2β/i), where 1 + 2β/i ≤ (1 + 1/i)^{2β}; so the product is at most
  (t/j)^{2β}, and Σ_{j≤t} j^{−2β} ≤ 1 + I(t), with I(t) the integral of s^{−2β} from 1 to t: for β = 1/2 it is ln t,
  else (1 − t^{1−2β})/(2β − 1). So t^{2−2β} ≤ D·(1 + I(t)). At t = 1 this holds; t^{2−2β}/(1 + I(t)) first falls and
  then rises without end, so it holds up to one t and not beyond. For β > 1/2 this t is at most
  (D·2β/(2β − 1))^{1/(2−2β)}.

What bounds f_t grows with β, so the t of β = 1/2 will do for a smaller β, too. In batches, with sample weights or steps
that change, law 9 and so the share of the margin hold as well; no bound on the updates is known. The run begins at
zero: elsewhere ‖w′‖/Στ bounds nothing.

Panagiotakopoulos and Tsampouka 2011, The perceptron with dynamic margin (ALT; arXiv 1105.6041).
"""

import math

from . import Rule, Setting, Update


def update(beta: float = 0.5) -> Update:
    """θ = β‖w′‖²/Στ, τ = η."""
    return Update(share=beta)


def bound(s: Setting) -> float | None:
    """On the number of row updates, from zero, row by row."""
    if s.batch_size != 1 or s.start_norm:
        return None
    D = max(1.0, (s.radius / s.margin) ** 2)
    try:
        larger = _largest(D, 2 * max(s.beta, 0.5))
    except OverflowError:
        larger = math.inf
    return min(larger, D / (1 - 2 * s.beta)) if s.beta < 0.5 else larger


def _largest(D: float, a: float) -> float:
    """The t ≥ 1 with t^{2−a} = D·(1 + I(t)), 1 ≤ a < 2, rounded up: by halving, in L = ln t."""

    def holds(L: float) -> bool:
        integral = L if a == 1 else -math.expm1((1 - a) * L) / (a - 1)
        return (2 - a) * L <= math.log(D) + math.log1p(integral)

    low, high = 0.0, 1.0
    while holds(high):
        low, high = high, 2 * high
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return math.exp(high * (1 + 1e-13))


def reached(s: Setting) -> float | None:
    """Every margin of a clean epoch exceeds β·‖w′‖/Στ, which is at least this."""
    return None if s.start_norm else s.beta * s.margin


RULE = Rule(
    name="dynamic-margin",
    formula="if m ≤ β·‖w′‖²/Στ: w′ += η·y·x′",
    guarantee="separable data, β < 1: finite (β < 1/2: at most (R′/γ′)²/(1−2β) updates), then every margin exceeds βγ′",
    paper="Panagiotakopoulos and Tsampouka 2011",
    update=update,
    bound=bound,
    reached=reached,
    beta_below=1.0,
    from_zero=True,
)

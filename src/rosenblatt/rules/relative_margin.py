"""The relative-margin perceptron: update while the functional margin is at most β times the median of ‖x′‖².

An update raises its own row's margin by η·‖x′‖² (law 7), so β counts, about, in updates of a row: the same β asks for
the same of data in any unit. Multiply the rows and ρ by c: w and b change their scale; but for rounding, no prediction
changes.

It is the fixed-margin perceptron with the threshold B = β·median ‖x′‖². So from zero and row by row, on separable data,
k ≤ (R′² + 2B/η)/γ′², and the margin reached is at least Bγ′/(ηR′² + 2B). The median is that of the rows the run begins
with; of more than a million (2²⁰) rows, that of every second, third, … of them.

After Krauth and Mézard 1987, Journal of Physics A 20, as fixed-margin is; the unit is ours.
"""

from dataclasses import replace

from .fixed_margin import RULE as FIXED_MARGIN

RULE = replace(
    FIXED_MARGIN,
    name="relative-margin",
    formula="if m ≤ β·median ‖x′‖²: w′ += η·y·x′",
    guarantee="with B = β·median ‖x′‖²: at most (R′² + 2B/η)/γ′² updates; margin reached ≥ Bγ′/(ηR′² + 2B)",
    paper="after Krauth and Mézard 1987",
    unit="median",
)

"""Setup: what is learnt from, and how."""

from typing import NamedTuple

from ..data.source import Source
from ..rules import Rule
from ..runs.plan import Plan


class Setup(NamedTuple):
    """A source, a rule with its parameters, and a plan."""

    source: Source
    rule: Rule
    parameters: dict[str, float]
    plan: Plan

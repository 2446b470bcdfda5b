"""The rules: one file each, data only.

A rule is the numbers of one additive update (theory: if m ≤ θ then w′ += τ·y·x′), its formula, guarantee and paper,
and the bound its guarantee gives. Put a file here that defines RULE and it is found: `learn(rule=…)`, the tests of
every law and the benchmarks take it from this folder. The file's name is the rule's, with `_` for `-`.
"""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from ..errors import InputError, shown


class Update(NamedTuple):
    """The numbers: θ = theta0 + beta·‖w′‖ + share·‖w′‖²/Στ, τ = min(cap, (e + g·m) / (p·‖x′‖² + q)), times η for rules
    that use it. With coin > 0 a row is not added to the weights: each coordinate has that much to begin with, and bets.
    """

    theta0: float = 0.0
    beta: float = 0.0
    strict: bool = False
    cap: float = math.inf
    e: float = 1.0
    g: float = 0.0
    p: float = 0.0
    q: float = 1.0
    share: float = 0.0
    coin: float = 0.0


@dataclass(frozen=True)
class Setting:
    """What a bound may depend on: the data's R′ and γ′ (in the augmented space) and how the run was set up."""

    radius: float
    margin: float
    eta: float = 1.0
    beta: float = 0.0
    C: float = 1.0
    start_norm: float = 0.0
    batch_size: int = 1


@dataclass(frozen=True)
class Rule:
    """One rule of the family."""

    name: str
    formula: str
    guarantee: str
    paper: str
    update: Callable[..., Update]
    bound: Callable[[Setting], float | None]
    """On `counts`, for separable data; None where none is known."""
    counts: str = "updates"
    """What the bound is on: row "updates", or "mistakes" (rows with m ≤ 0)."""
    reached: Callable[[Setting], float | None] | None = None
    """The margin in the augmented space that a clean run is sure to have reached, where the rule promises one."""
    uses_eta: bool = True
    """Whether η multiplies τ."""
    batches: bool = True
    """Whether updates of several rows may be added up."""
    additive: bool = True
    """Whether w′ is the sum of its updates, as the vote, the trajectory, batches and bounds on the margin take it."""
    direct: bool = True
    """Whether it has a direct multiclass form."""
    loss: str = "perceptron"
    """The loss a plateau is seen by: "perceptron" or "squared"."""
    diverges: bool = False
    """Whether a large η can make the weights grow without end."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names among beta and C that `update` takes."""
        return tuple(inspect.signature(self.update).parameters)

    @property
    def required(self) -> tuple[str, ...]:
        """The parameters that have no default."""
        given = inspect.signature(self.update).parameters.values()
        return tuple(p.name for p in given if p.default is inspect.Parameter.empty)

    def with_defaults(self, given: dict[str, float]) -> dict[str, float]:
        """The parameters given, and the defaults of the others."""
        known = inspect.signature(self.update).parameters.values()
        return {p.name: given.get(p.name, p.default) for p in known}

    def to_dict(self) -> dict[str, Any]:
        """What there is to say of it, in plain values."""
        required, defaults = self.required, self.with_defaults({})
        parameters = [{"name": name, "default": None if name in required else defaults[name]} for name in defaults]
        said = {"name": self.name, "formula": self.formula, "guarantee": self.guarantee, "paper": self.paper}
        return {**said, "parameters": parameters, "uses_eta": self.uses_eta, "multiclass": self.direct}


def names() -> list[str]:
    """The names of all rules.

    >>> "perceptron" in names()
    True
    """
    import pkgutil

    return sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__))


def get(name: str) -> Rule:
    """The rule of this name.

    >>> get("perceptron").formula
    'if m ≤ 0: w′ += η·y·x′'
    """
    try:
        # Imported by its name, without a look at the others: a run should start at once.
        if not isinstance(name, str) or not name.replace("-", "").isalnum():
            raise ModuleNotFoundError
        rule: Rule = import_module(f".{name.replace('-', '_')}", __name__).RULE
    except ModuleNotFoundError:
        raise InputError(f"unknown rule {shown(name)}; the rules are {', '.join(names())}") from None
    return rule

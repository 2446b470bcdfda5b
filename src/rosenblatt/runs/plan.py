"""Plan: how a run goes about it. Every choice checked once, every refusal saying what is allowed."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import MULTICLASS, ORDERS, READOUTS, SCALES, SCHEDULES, count, number, one_of, thread_count
from ..errors import ParameterError
from ..rules import Rule

Schedule = str | Callable[[int], float]


@dataclass(frozen=True)
class Plan:
    """Order, batch size, step schedule, offset, budgets, tolerances, seed, readout, threads."""

    order: str
    """cyclic, shuffled, or given: in `orders`."""
    batch_size: int | str
    eta: float
    schedule: Schedule
    offset: float | str
    max_epochs: int
    tol: float | None
    patience: int
    step_tol: float | None
    seed: int
    readout: str
    """What scores and predictions are read from."""
    kept: tuple[str, ...]
    """Every readout that the run keeps what it takes for."""
    multiclass: str
    threads: int
    orders: NDArray[np.int64] | None = None
    """The caller's own: see visits.orders_of."""
    scale: str = "none"
    """Of the columns: see data/scaling.py."""

    @property
    def repeats(self) -> bool:
        """Whether the weights alone decide the next epoch, so that their return proves a loop.

        With several orders in turn they do not: which is next counts, too, and no loop is looked for.
        """
        one_order = self.order == "cyclic" or (self.orders is not None and len(self.orders) == 1)
        return one_order and self.schedule == "constant"

    @property
    def visit_order(self) -> str | NDArray[np.int64]:
        """The order as `visits` takes it."""
        return self.order if self.orders is None else self.orders

    def etas(self, first: int, size: int) -> NDArray[np.float64]:
        """η_k for the weight changes k = first, first + 1, …"""
        if not callable(self.schedule):
            changes = np.arange(first, first + size)
            return np.asarray(self.eta / (changes if self.schedule == "1/k" else np.sqrt(changes)), dtype=np.float64)
        # A function is asked ahead, and may fail at a k that is never reached: only the first one must not.
        table: list[float] = []
        for k in range(first, first + size):
            try:
                step = self.eta * float(self.schedule(k))
            except Exception as error:
                if table:
                    break
                raise ParameterError(
                    "schedule({k}) must give a number > 0, but failed: {why}", k=k, why=error
                ) from error
            if not (math.isfinite(step) and step > 0):
                if table:
                    break
                raise ParameterError("schedule({k}) gives a step of {got}; expected a finite number > 0", k=k, got=step)
            table.append(step)
        return np.array(table)


def plan_of(rule: Rule, **choices: Any) -> Plan:
    """A checked plan. Raises `InputError` for a value out of range or a combination that makes no sense."""
    kept = _readouts(choices["readout"])
    plan = Plan(
        order=one_of("order", choices["order"], ORDERS) if isinstance(choices["order"], str) else "given",
        batch_size=_batch(choices["batch_size"]),
        eta=number("eta", choices["eta"], above=0),
        schedule=choices["schedule"]
        if callable(choices["schedule"])
        else one_of("schedule", choices["schedule"], SCHEDULES),
        offset=offset_scale(choices["offset"]),
        max_epochs=count("max_epochs", choices["max_epochs"]),
        tol=None if choices["tol"] is None else number("tol", choices["tol"], least=0),
        patience=count("patience", choices["patience"]),
        step_tol=None if choices["step_tol"] is None else number("step_tol", choices["step_tol"], above=0),
        seed=count("seed", choices["seed"], least=0, most=2**64 - 1),
        readout=kept[0],
        kept=kept,
        multiclass=one_of("multiclass", choices["multiclass"], MULTICLASS),
        threads=thread_count(choices["threads"]),
        scale=one_of("scale", choices["scale"], SCALES),
    )
    if plan.scale != "none" and "voted" in plan.kept:
        raise ParameterError(
            "a vote is made of rows as they are, and {scale:given} changes them: use {readout:averaged}, or scale the"
            " columns beforehand",
            given=plan.scale,
        )
    if not rule.batches and plan.batch_size != 1:
        raise ParameterError(
            "rule {which} steps row by row: {batch_size} must be 1, not {given}",
            which=repr(rule.name),
            given=repr(plan.batch_size),
        )
    if not rule.additive and "voted" in kept:
        raise ParameterError(
            "rule {which} has no vote: its weights are no sum of rows; use {readout:averaged}", which=repr(rule.name)
        )
    if not rule.uses_eta and (plan.eta != 1 or plan.schedule != "constant"):
        raise ParameterError("rule {which} sets its own step: leave out {eta} and {schedule}", which=repr(rule.name))
    return plan


def parameters_of(rule: Rule, beta: Any, C: Any) -> dict[str, float]:
    """The rule's parameters, checked; those it does not take must be left out."""
    given = {"beta": beta, "C": C}
    checked = {
        "beta": lambda: number("beta", beta, least=0),
        "C": lambda: number("C", C, least=1e-300),
    }
    for name, value in given.items():
        if value is not None and name not in rule.parameters:
            raise ParameterError(f"rule {{which}} takes no {{{name}}}; leave it out", which=repr(rule.name))
        if value is None and name in rule.required:
            raise ParameterError(
                f"rule {{which}} needs {{{name}}}, a number >= 0: the margin to reach, in the data's units",
                which=repr(rule.name),
            )
    known = rule.with_defaults({name: checked[name]() for name, value in given.items() if value is not None})
    if known.get("beta", -math.inf) >= rule.beta_below:
        raise ParameterError(
            "rule {which}: {beta} is the share of the best margin to reach, and must be below {most:g}, not {given:g}",
            which=repr(rule.name),
            most=rule.beta_below,
            given=known["beta"],
        )
    return known


def _batch(value: Any) -> int | str:
    if isinstance(value, str) and value == "all":
        return "all"
    try:
        return count("batch_size", value)
    except ParameterError as error:
        raise ParameterError(f"{error.template}; or 'all'", **error.values) from None


def _readouts(value: Any) -> tuple[str, ...]:
    if isinstance(value, (tuple, list)) and value:
        return tuple(dict.fromkeys(one_of("readout", name, READOUTS) for name in value))
    return (one_of("readout", value, READOUTS),)


def offset_scale(value: Any, words: str = "'radius'") -> float | str:
    """ρ as a number >= 0 whose square float64 holds, or "radius"."""
    if isinstance(value, str) and value == "radius":
        return "radius"
    try:
        offset = number("offset", value, least=0)
    except ParameterError as error:
        raise ParameterError(f"{error.template}; or {words}", **error.values) from None
    if offset and not 1e-140 < offset < 1e140:
        raise ParameterError(
            "{offset} {given:g}: its square leaves the range of float64; expected 0, or 1e-140 to 1e140", given=offset
        )
    return offset

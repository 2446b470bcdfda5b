"""Choices: values that a caller gives, checked once; a refusal says what is allowed.

Without NumPy, so that a file may be read while that is being imported.
"""

import math
import operator
import os
from typing import Any

from .errors import InputError, ParameterError, shown

# The words there are for some parameters.
ORDERS = ("cyclic", "shuffled")
SCHEDULES = ("constant", "1/k", "1/sqrt(k)")
READOUTS = ("last", "averaged", "voted", "pocket")
MULTICLASS = ("ovr", "direct")
MIXINGS = ("uniform", "mistakes")
SCALES = ("none", "standard", "max", "power-of-two")

LARGEST_EXACT = 2**53
"""Whole numbers up to this are exact as float64."""


def one_of(name: str, value: Any, known: tuple[str, ...]) -> str:
    """`value` if it is one of the known words; else an error that lists them."""
    if isinstance(value, str) and value in known:
        return value
    raise ParameterError(f"unknown {{{name}}} {{value}}; expected one of {', '.join(known)}", value=shown(value))


def number(name: str, value: Any, *, least: float = -math.inf, above: float = -math.inf) -> float:
    """`value` as a finite float within its range."""
    if not _is_bool(value) and not isinstance(value, (str, bytes)):
        try:
            real = float(value)
        except (TypeError, ValueError, OverflowError):
            real = math.nan
        if math.isfinite(real) and real >= least and real > above:
            return real
    bound = f" > {above:g}" if above > -math.inf else f" >= {least:g}"
    raise ParameterError(f"{{{name}}} must be a finite number{bound}, not {{value}}", value=shown(value))


def count(name: str, value: Any, *, least: int = 1, most: int = 2**62 - 1) -> int:
    """`value` as a whole number within its range."""
    if not _is_bool(value):
        try:
            whole = operator.index(value)
        except TypeError:
            whole = least - 1
        if least <= whole <= most:
            return whole
    plain = most == 2**62 - 1 and not (isinstance(value, int) and value > most)
    bound = f">= {least}" if plain else f"from {least} to {most}"
    raise ParameterError(f"{{{name}}} must be a whole number {bound}, not {{value}}", value=shown(value))


def thread_count(asked: Any) -> int:
    """`asked`, else ROSENBLATT_NUM_THREADS, else the CPUs this process may really use (affinity and cgroup).

    Nor more than OMP_NUM_THREADS, by which joblib and schedulers share out the CPUs among processes.
    """
    if asked is not None:
        return count("threads", asked, most=1024)
    wish = os.environ.get("ROSENBLATT_NUM_THREADS", "").strip()
    if wish:
        if not wish.isascii() or not wish.isdigit() or not 1 <= int(wish) <= 1024:
            raise InputError(f"ROSENBLATT_NUM_THREADS must be a whole number from 1 to 1024, not {wish!r}")
        return int(wish)
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        with open("/sys/fs/cgroup/cpu.max") as file:
            quota, period = file.read().split()
        if quota != "max":
            cpus = min(cpus, max(1, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):
        pass
    share = os.environ.get("OMP_NUM_THREADS", "").strip()
    if share.isascii() and share.isdigit() and int(share) > 0:
        cpus = min(cpus, int(share))
    return min(cpus, 1024)


def _is_bool(value: Any) -> bool:
    """Whether it is a truth value, Python's or NumPy's, which is no number."""
    return type(value).__name__ in ("bool", "bool_")

"""What a cache says of itself: a claim to check before anything is made of it."""

import math
from collections.abc import Callable
from typing import Any

from ...errors import InputError
from ..reading import Reading

_KINDS: dict[str, type | tuple[type, ...]] = {"i": int, "u": int, "f": float, "b": bool, "O": str, "U": str}


def sound(facts: Any) -> bool:
    """Whether all is there, of the right kind, and goes together."""
    try:
        return all(check(facts) for check in _CHECKS)
    except (KeyError, TypeError, ValueError, InputError, AttributeError):
        return False


def _is_whole(value: Any, least: int = 0, most: int = 2**40) -> bool:
    return type(value) is int and least <= value <= most


def _are_texts(values: Any) -> bool:
    return type(values) is list and all(type(value) is str for value in values)


def _shape(facts: Any) -> bool:
    first, form = facts["first_column"], facts["form"]
    flags = all(type(form[name]) is bool for name in ("sparse", "float32", "lines", "weights"))
    width = _is_whole(form["d"]) and (form["sparse"] or form["d"] == facts["columns"])
    sizes = _is_whole(facts["rows"], 1) and _is_whole(facts["columns"], 1) and _is_whole(facts["entries"], 0, 2**62)
    weights = type(facts["weighted"]) is bool and (form["weights"] or not facts["weighted"])
    return flags and width and sizes and weights and _is_whole(first, 0, 1)


def _labels(facts: Any) -> bool:
    labels = facts["labels"]
    kind, values, counts = labels["kind"], labels["values"], labels["counts"]
    alike = type(values) is list and all(type(value) is _KINDS[kind] for value in values)
    finite = kind != "f" or all(map(math.isfinite, values))
    counted = type(counts) is list and all(_is_whole(count, 1) for count in counts) and sum(counts) == facts["rows"]
    return alike and finite and counted and len(values) == len(counts) == len(set(values)) <= 2**16


def _words(facts: Any) -> bool:
    names, levels = facts["feature_names"], facts["levels"]
    named = names is None or (_are_texts(names) and len(names) == facts["columns"])
    lists = all(_are_texts(facts[name]) for name in ("notes", "details", "hashed"))
    counted = type(levels) is dict and all(_is_whole(count) for count in levels.values())
    return named and lists and counted and type(facts["name"]) is str and type(facts["format"]) is str


def _files(facts: Any) -> bool:
    files = facts["files"]
    listed = type(files) is list and all(type(path) is str and _is_whole(rows) for path, rows in files)
    return listed and (not files or sum(rows for _, rows in files) == facts["rows"])


def _reading(facts: Any) -> bool:
    return type(facts["reading"]) is dict and Reading.of_dict(facts["reading"]).to_dict() == facts["reading"]


_CHECKS: tuple[Callable[[Any], bool], ...] = (_shape, _labels, _words, _files, _reading)

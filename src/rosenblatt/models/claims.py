"""Claims: what a file says, asked part by part. Nothing in it is trusted: types, shapes and ranges are looked at.

And the other way: words and numbers as JSON can hold them, infinity, NaN and labels as keys included.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, shown

_NAMES = {dict: "an object", list: "a list", str: "a word", bool: "true or false", int: "an integer", float: "a number"}


class Claims:
    """A header and tensors, whose every use is a question; `where` they stand, for errors."""

    def __init__(self, header: Mapping[str, Any], tensors: Mapping[str, NDArray[Any]], where: str = "") -> None:
        self.header, self.tensors, self.where = header, tensors, where

    def part(self, name: str, kind: type, optional: bool = False) -> Any:
        """A part of this type."""
        value = self.header.get(name)
        if (value is None and optional) or type(value) is kind:
            return value
        if kind is float:
            return number(value, self.where + name)
        raise InputError(f"{self.where}{name} is {shown(value)}; expected {_NAMES[kind]}")

    def count(self, name: str, least: int = 0, most: int = 2**63 - 1) -> int:
        """A whole number within its range."""
        value: int = self.part(name, int)
        if not least <= value <= most:
            raise InputError(f"{self.where}{name} is {shown(value)}; expected a count")
        return value

    def word(self, name: str, known: tuple[str, ...]) -> str:
        """One of the words known."""
        value: str = self.part(name, str)
        if value not in known:
            raise InputError(f"{self.where}{name} is {shown(value)}; expected one of {', '.join(known)}")
        return value

    def inside(self, name: str) -> "Claims | None":
        """A part that has parts itself, or None."""
        value = self.part(name, dict, optional=True)
        return None if value is None else Claims(value, self.tensors, f"{self.where}{name}.")

    def only(self, *names: str) -> None:
        """Raises `InputError` for a part of another name, or where one is missing."""
        if strange := sorted({*self.header} ^ {*names}):
            kind = "is missing" if strange[0] in names else "is unknown"
            raise InputError(f"{self.where}{shown(strange[0])[1:-1]} {kind}; expected {', '.join(names)}")

    def tensor(self, name: str, dtype: Any, ndim: int, finite: bool = True) -> NDArray[Any]:
        """A tensor of this type, of finite numbers unless they need not be."""
        array = self.tensors.get(name)
        if array is None or array.dtype != dtype or array.ndim != ndim:
            raise InputError(f"tensor {name!r} is missing, or not of {ndim} dimension(s) and {np.dtype(dtype)}")
        if finite and array.dtype.kind == "f" and not np.isfinite(array).all():
            raise InputError(f"tensor {name!r} holds a number that is not finite")
        return array

    def listed(self, name: str, kind: type, optional: bool = False) -> Any:
        """A part that may have been long, and so is JSON in a tensor."""
        if self.header.get(name) != "tensor":
            return self.part(name, kind, optional)
        try:
            value = json.loads(self.tensor(name, np.uint8, 1).tobytes())
        except (ValueError, RecursionError):
            raise InputError(f"tensor {name!r} holds no JSON text") from None
        return Claims({name: value}, {}).part(name, kind)


def number(value: Any, name: str) -> float:
    """A float that JSON may have had to write as a word."""
    if isinstance(value, dict) and list(value) == ["float"] and value["float"] in ("inf", "-inf", "nan"):
        return float(value["float"])
    if type(value) in (int, float):
        try:
            return float(value)
        except OverflowError:
            pass
    raise InputError(f"{name} is {shown(value)}; expected a number")


def plain_float(value: Any) -> Any:
    """A float as JSON has it; anything else as it is."""
    return {"float": repr(value)} if isinstance(value, float) and not math.isfinite(value) else value


def plain(name: str, value: Any) -> Any:
    """A value as JSON has it. A dictionary becomes a list of pairs, because its keys may be labels."""
    if isinstance(value, np.ndarray):
        return [plain(name, entry) for entry in value.tolist()]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, dict):
        return {"pairs": [[plain(name, key), plain(name, entry)] for key, entry in value.items()]}
    if value is None or isinstance(value, (bool, int, float, str)):
        return plain_float(value)
    if isinstance(value, (list, tuple)):
        return [plain(name, entry) for entry in value]
    raise InputError(f"{name}={shown(value)} cannot be saved: no file can hold it; set it to a word or a number first")


def value_of(value: Any) -> Any:
    """What `plain` wrote; a tuple comes back as a list."""
    if isinstance(value, dict) and "float" in value:
        return number(value, "a parameter")
    if isinstance(value, dict):
        pairs = value.get("pairs")
        if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise InputError("parameters: expected words, numbers, and lists of pairs")
        return {_key(value_of(key)): value_of(entry) for key, entry in pairs}
    if isinstance(value, list):
        return [value_of(entry) for entry in value]
    return value


def _key(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        raise InputError("parameters: a label must be a word or a number")
    return value

"""The one error for bad input, and the phrases it is made of."""

import re
import string
from collections.abc import Callable, Mapping
from typing import Any


class InputError(ValueError):
    """Bad input, in one line that says what is wrong and what was expected."""


class ParameterError(InputError):
    """A parameter out of range, or one that does not fit the others; in the words of `learn`.

    `template` and `values` are the same as a phrase, so that others can say it by the names their callers know: those
    of an estimator's parameters, or of the command line's options (report/words.py).
    """

    def __init__(self, template: str, **values: Any) -> None:
        self.template, self.values = template, values
        super().__init__(phrase(template, values))

    def __reduce__(self) -> tuple[Any, ...]:
        return _parameter_error, (self.template, self.values)


def _parameter_error(template: str, values: dict[str, Any]) -> ParameterError:
    return ParameterError(template, **values)


class ClusterError(InputError):
    """Something failed on a cluster, for one shard or for all. `run` is what was learnt by then, if anything was."""

    run: Any = None


class LostClusterError(ClusterError):
    """The cluster does not answer, or nobody there can compute anything."""


class InseparableError(InputError):
    """No hyperplane separates the rows. `verdict` has the proof; `rows` are the few that make it impossible."""

    def __init__(self, verdict: Any) -> None:
        self.verdict = verdict
        self.rows = verdict.witness_rows
        listed = ", ".join(map(str, self.rows[:8].tolist())) + (", …" if self.rows.size > 8 else "")
        super().__init__(
            f"no hyperplane separates the rows ({verdict.kind}): {plural(self.rows.size, 'row')} make it impossible,"
            f" {listed}; least_mistakes(X, y) says which labels to doubt, Perceptron(readout='pocket') makes do"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return InseparableError, (self.verdict,)


class LawBrokenError(RuntimeError):
    """A run that broke a law it must obey: a fault of this library, never of the data. Please report it."""


def plural(count: int, noun: str) -> str:
    """`1 epoch`, `2 epochs`.

    >>> plural(1, "epoch"), plural(0, "mistake"), plural(2, "class")
    ('1 epoch', '0 mistakes', '2 classes')
    """
    many = "es" if noun.endswith("s") else "s"
    return f"{count} {noun}{'' if count == 1 else many}"


def plain_name(parameter: str, value: Any = None) -> str:
    """What `learn` calls a parameter: its own name, with a value as one writes it in Python."""
    return parameter if value is None else f"{parameter}={value!r}"


def phrase(template: str, values: Mapping[str, Any], name: Callable[..., str] = plain_name) -> str:
    """A sentence with its values filled in: {value}, {value:.3g}, or {count:noun} for one or many of a noun.

    Any other field is a parameter, which `name` knows the name of: {eta}, or {readout:averaged} with its value.

    >>> phrase("{epochs:epoch} and a loss of {loss:.2g}; try {schedule:constant}", {"epochs": 2, "loss": 0.123})
    "2 epochs and a loss of 0.12; try schedule='constant'"
    """
    parts = []
    for text, field, spec, _ in string.Formatter().parse(template):
        parts.append(text)
        if field is None:
            continue
        if field in values:
            value = values[field]
            is_format = not spec or re.fullmatch(r"[.\d]*[dfg]", spec)
            parts.append(format(value, spec or "") if is_format else plural(value, spec or ""))
        else:
            given = values.get(spec, int(spec) if spec.isdigit() else spec) if spec else None
            parts.append(name(field) if given is None else name(field, given))
    return "".join(parts)


def shown(value: object) -> str:
    """A value as an error may print it: one line, not too long.

    >>> shown("cyclic"), shown([0] * 100)
    ("'cyclic'", '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …')
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:58] + "…"


_PACKAGES = {"sklearn": "scikit-learn", "flint": "python-flint"}
_EXTRAS = {
    "matplotlib": "plots", "sklearn": "sklearn", "scipy": "sklearn", "pyarrow": "tables", "narwhals": "tables",
    "zstandard": "zstd", "dask": "cluster", "distributed": "cluster",
}  # fmt: skip


def install(module: str) -> str:
    """The command that installs what a module is part of; of an extra, from a checkout."""
    if module in _EXTRAS:
        return f"pip install '.[{_EXTRAS[module]}]' in rosenblatt's folder"
    return f"pip install {package_of(module)}"


def package_of(module: str) -> str:
    """The name under which a module is installed."""
    return _PACKAGES.get(module, module)

"""The one error for bad input, and the words it is made of."""

from typing import Any


class InputError(ValueError):
    """Bad input, in one line that says what is wrong and what was expected."""


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

    >>> plural(1, "epoch"), plural(0, "mistake")
    ('1 epoch', '0 mistakes')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def shown(value: object) -> str:
    """A value as an error may print it: one line, not too long.

    >>> shown("cyclic"), shown([0] * 100)
    ("'cyclic'", '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, …')
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:58] + "…"


_PACKAGES = {"sklearn": "scikit-learn", "flint": "python-flint"}
_EXTRAS = {"sklearn": "sklearn", "scipy": "sklearn", "pyarrow": "tables", "narwhals": "tables", "zstandard": "zstd"}


def install(module: str) -> str:
    """The command that installs what a module is part of; of an extra, from a checkout."""
    if module in _EXTRAS:
        return f"pip install '.[{_EXTRAS[module]}]' in rosenblatt's folder"
    return f"pip install {package_of(module)}"


def package_of(module: str) -> str:
    """The name under which a module is installed."""
    return _PACKAGES.get(module, module)

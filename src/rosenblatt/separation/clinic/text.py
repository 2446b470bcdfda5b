"""The clinic's report in words: what is wrong, the numbers that remain, the rows behind it, and what to do."""

import textwrap
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...errors import plural

if TYPE_CHECKING:
    from .logistic_clinic import Clinic, Removal

WIDTH = 80
_MOST = 40  # coefficients in a table

_ADVICE = {
    "infinite": "Do not report the huge estimates and errors that software prints for infinite coefficients. Firth's "
    "penalised likelihood with profile intervals (Heinze and Schemper 2002) or exact logistic regression give finite "
    "answers; merging rare categories may remove the cause. A likelihood-ratio test against a smaller model can use "
    "the limit above.",
    "fragile": "The estimate hangs on few rows: look at them, and prefer profile likelihood intervals to Wald's.",
}


def some(names: Sequence[Any], most: int = 12) -> str:
    """The first of many names, and how many more there are."""
    return ", ".join(map(str, names[:most])) + (f" and {len(names) - most} more" if len(names) > most else "")


def summary(clinic: "Clinic") -> list[str]:
    """The lines of the report."""
    n, d, offset = clinic.verdict.examples.n_rows, clinic.verdict.examples.n_columns, not clinic.verdict.through_origin
    model = f"{plural(d, 'column')}{' and an offset' if offset else ', through the origin'}"
    positive = str(clinic.verdict.examples.classes[1])
    seen = "" if clinic.total == n else f" ({plural(clinic.total, 'observation')})"
    head = [f"Logistic regression of {plural(n, 'row')}{seen} on {model}, for {positive!r}: {clinic.kind}."]
    if clinic.kind == "undecided":
        known = "no hyperplane separates the rows" if clinic.verdict.separable is False else "nothing is known"
        return _wrapped([*head, f"So far, {known}. Fit: {clinic.fit_status}. Raise time_limit."])
    head += _verdict(clinic)
    body = []
    if len(clinic.responsible) == n:
        body.append("Every row is fitted without error in the limit; no removal of rows makes the estimate finite.")
    elif clinic.responsible:
        body.append(f"Rows fitted without error in the limit (from 0): {some(clinic.responsible, 20)}.")
    if 0 < len(clinic.direction) <= 6:
        body.append(f"A direction it takes: {_direction(clinic.direction)}.")
    if clinic.removal is not None and len(clinic.responsible) < n:
        body += _removal(clinic, clinic.removal)
    if clinic.kind != "overlapping":
        body.append(_ADVICE["infinite"])
    elif clinic.removal is not None and clinic.removal.upper <= max(3, clinic.total // 50):
        body.append(_ADVICE["fragile"])
    return [*_wrapped(head), "", *_table(clinic), *_wrapped([f"Fit: {clinic.fit_status}."]), "", *_wrapped(body)]


def _verdict(clinic: "Clinic") -> list[str]:
    aliased = [name for name, one in clinic.coefficients.items() if one.aliased]
    of = {
        word: [name for name, one in clinic.coefficients.items() if one.status == word and not one.aliased]
        for word in ("+inf", "-inf", "indeterminate", "unknown")
    }
    said = "The maximum-likelihood estimate is finite."
    if clinic.kind != "overlapping":
        parts = [f"{word} for {some(names)}" for word, names in of.items() if names]
        said = f"There is no finite maximum-likelihood estimate: {'; '.join(parts) or 'see the dependent columns'}."
    return [said, *([f"Dependent columns leave open: {some(aliased)}."] if aliased else [])]


def _removal(clinic: "Clinic", removal: "Removal") -> list[str]:
    low, high = removal.lower, removal.upper
    unit = "rows" if clinic.total == clinic.verdict.examples.n_rows else "observations"
    size = f"exactly {high}" if low == high else f"at least {low}, at most {high}"
    if clinic.kind != "overlapping":
        return [f"Fewest {unit} to remove to make it finite: {size}, these; {removal.why}."]
    word = "row" if len(removal.rows) == 1 else "rows"
    lines = [f"Fewest {unit} to remove to make it infinite: {size}, {word} (from 0) {some(removal.rows, 20)}."]
    if removal.infinite:
        then = [f"{name} {word}" for name, word in removal.infinite.items()]
        lines.append(f"The rest is {removal.after}: {some(then, 6)}.")
    return lines


def _direction(direction: Mapping[str, Fraction]) -> str:
    """Whole numbers if they are short, else multiples of the largest."""
    largest = max(map(abs, direction.values()))
    if largest < 10**4:
        return ", ".join(f"{name} {int(x):+d}" for name, x in direction.items())
    return ", ".join(f"{name} {float(x / largest):+.4g}" for name, x in direction.items())


def _table(clinic: "Clinic") -> list[str]:
    width = min(WIDTH - 30, max(12, *(len(name) for name in clinic.coefficients)))
    lines = [f"{'coefficient':<{width}} {'estimate':>14} {'std. error':>12}"]
    for name, one in list(clinic.coefficients.items())[:_MOST]:
        label = name if len(name) <= width else name[: width - 1] + "…"
        value = "not estimated" if one.status == "finite" else "aliased" if one.aliased else one.status
        value = value if one.estimate is None else f"{one.estimate:.6g}"
        lines.append(f"{label:<{width}} {value:>14} {'' if one.error is None else f'{one.error:.6g}':>12}".rstrip())
    if len(clinic.coefficients) > _MOST:
        lines.append(f"… and {len(clinic.coefficients) - _MOST} more")
    if clinic.log_likelihood is not None:
        lines.append(
            f"Log-likelihood{'' if clinic.kind == 'overlapping' else ', in the limit'}: {clinic.log_likelihood:.6g}"
        )
    return lines


def _wrapped(paragraphs: Sequence[str]) -> list[str]:
    return [line for text in paragraphs for line in textwrap.wrap(text, WIDTH, break_on_hyphens=False)]

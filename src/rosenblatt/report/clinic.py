"""The clinic: what is wrong with a logistic regression, the numbers that remain, the rows behind it, and what to do."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .data import places, rows_report, subject
from .proof import proof_line
from .text import advice, listed, number, paragraph, table, word
from .verdict import finite
from .wording import in_commands_words

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..separation.clinic.logistic_clinic import Clinic, Removal

_SHOWN = 40  # coefficients in a table
_WORDS = ("+inf", "-inf", "indeterminate", "unknown")

_ADVICE = {
    "unknown": "Time ran out before all coefficients were settled: a longer --time-limit says more",
    "infinite": "Do not report the huge estimates and errors that software prints for infinite coefficients. Firth's "
    "penalised likelihood with profile intervals (Heinze and Schemper 2002) or exact logistic regression give finite "
    "answers; merging rare categories may remove the cause. A likelihood-ratio test against a smaller model can use "
    "the limit above",
    "fragile": "The estimate hangs on few rows: look at them, and prefer profile likelihood intervals to Wald's",
}


def clinic_report(clinic: "Clinic", sheet: "Sheet") -> dict[str, Any]:
    """What is known of the regression, its rows by the lines of the sheet."""
    return {
        "kind": clinic.kind,
        "separable": clinic.verdict.separable,
        "through_origin": clinic.verdict.through_origin,
        "observations": clinic.total,
        "coefficients": [
            {
                "name": name,
                "status": one.status,
                "estimate": finite(one.estimate),
                "error": finite(one.error),
                "aliased": one.aliased,
            }
            for name, one in clinic.coefficients.items()
        ],
        "log_likelihood": finite(clinic.log_likelihood),
        "fit": {"status": in_commands_words(clinic.fit_status), "converged": clinic.converged},
        "responsible": rows_report(sheet, clinic.responsible),
        "direction": _direction(clinic.direction),
        "removal": None if clinic.removal is None else _removal(clinic.removal, sheet),
        "seconds": clinic.seconds,
    }


def _direction(direction: Mapping[str, Fraction]) -> dict[str, str]:
    from ..proof.numerals import number as exact

    return {name: exact(x) for name, x in direction.items()}


def _removal(removal: "Removal", sheet: "Sheet") -> dict[str, Any]:
    return {
        "lower": removal.lower,
        "upper": removal.upper,
        "rows": rows_report(sheet, removal.rows),
        "after": removal.after,
        "why": removal.why,
        "infinite": dict(removal.infinite),
    }


def clinic_text(report: Mapping[str, Any]) -> list[str]:
    """The diagnosis first, then the estimates, the rows responsible, and the remedy."""
    clinic = report["clinic"]
    lines = [_head(clinic), *subject(report["data"]), *_which(clinic)]
    if clinic["kind"] == "undecided":
        lines += paragraph(f"Fit: {clinic['fit']['status']}.")
    else:
        lines += ["", *_table(clinic), *paragraph(f"Fit: {clinic['fit']['status']}."), "", *_rows(clinic)]
    if report.get("proof"):
        lines += ["", *paragraph(proof_line(report["proof"]))]
    return [*lines, *advice(report["next"])]


def steps(clinic: Mapping[str, Any]) -> list[str]:
    """What a statistician would do about it."""
    if clinic["kind"] in ("separable", "quasi-separable"):
        unknown = any(one["status"] == "unknown" for one in clinic["coefficients"])
        return [*([_ADVICE["unknown"]] if unknown else []), _ADVICE["infinite"]]
    removal = clinic["removal"]
    if removal is not None and removal["upper"] <= max(3, clinic["observations"] // 50):
        return [_ADVICE["fragile"]]
    return []


def _head(clinic: Mapping[str, Any]) -> str:
    if clinic["kind"] == "undecided":
        return "Undecided: whether the maximum-likelihood estimate is finite is not known."
    if clinic["kind"] != "overlapping":
        return f"No finite maximum-likelihood estimate: the data are {clinic['kind']}."
    if any(one["aliased"] for one in clinic["coefficients"]):
        return "Finite maximum-likelihood estimate, but not unique: columns are dependent."
    return "Finite maximum-likelihood estimate: the classes overlap."


def _which(clinic: Mapping[str, Any]) -> list[str]:
    lines = []
    for said in _WORDS:
        names = [word(one["name"]) for one in clinic["coefficients"] if one["status"] == said and not one["aliased"]]
        if names and clinic["kind"] != "undecided":
            lines += paragraph(f"{said:<5} {listed(names)}", indent=2, hanging=6)
    aliased = [word(one["name"]) for one in clinic["coefficients"] if one["aliased"]]
    return [*lines, *(paragraph(f"Dependent columns leave open: {listed(aliased)}.") if aliased else [])]


def _table(clinic: Mapping[str, Any]) -> list[str]:
    rows, own = [], [one for one in clinic["coefficients"] if not one["aliased"]]
    for one in own[:_SHOWN]:
        value = "not estimated" if one["status"] == "finite" else one["status"]
        value = value if one["estimate"] is None else number(one["estimate"])
        rows.append((one["name"], value, "" if one["error"] is None else number(one["error"])))
    lines = table(["coefficient", "estimate", "std. error"], rows) if rows else []
    if len(own) > _SHOWN:
        lines.append(f"  … and {len(own) - _SHOWN} more")
    if clinic["log_likelihood"] is not None:
        limit = "" if clinic["kind"] == "overlapping" else ", in the limit"
        lines.append(f"Log-likelihood{limit}: {number(clinic['log_likelihood'])}.")
    return lines


def _rows(clinic: Mapping[str, Any]) -> list[str]:
    responsible, removal = clinic["responsible"], clinic["removal"]
    if removal is not None and removal["after"] == "empty":
        return paragraph("Every row is fitted without error in the limit; no removal of rows makes it finite.")
    lines = []
    if responsible:
        lines += paragraph(f"Fitted without error in the limit: {places(responsible, 20)}.")
    if 0 < len(clinic["direction"]) <= 6:
        lines += paragraph(f"A direction the estimate takes: {_signed(clinic['direction'])}.")
    if removal is not None:
        lines += _removal_text(clinic, removal)
    return lines


def _removal_text(clinic: Mapping[str, Any], removal: Mapping[str, Any]) -> list[str]:
    low, high = removal["lower"], removal["upper"]
    many = f"exactly {high}" if low == high else f"at least {low}, at most {high}"
    if clinic["kind"] != "overlapping":
        return paragraph(f"Fewest rows to remove to make it finite: {many}, these; {removal['why']}.")
    lines = paragraph(f"Fewest rows to remove to make it infinite: {many}, {places(removal['rows'], 20)}.")
    if removal["infinite"]:
        then = [f"{word(name)} {said}" for name, said in removal["infinite"].items()]
        lines += paragraph(f"The rest would be {removal['after']}: {listed(then, 6)}.")
    return lines


def _signed(direction: Mapping[str, str]) -> str:
    """Whole numbers if they are short, else multiples of the largest."""
    values = {name: Fraction(_whole(text)) for name, text in direction.items()}
    largest = max(map(abs, values.values()))
    if largest < 10**4:
        return ", ".join(f"{word(name)} {int(x):+d}" for name, x in values.items())
    return ", ".join(f"{word(name)} {float(x / largest):+.4g}" for name, x in values.items())


def _whole(text: str) -> Fraction:
    from ..proof.numerals import exact

    return exact(text)

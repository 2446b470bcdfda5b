"""A proof: what it claims and of which data; and whether it held."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import plural
from .data import how, subject
from .text import advice, clean, number, paragraph

if TYPE_CHECKING:
    from ..proof.nouns import Proof
    from ..proof.verify import Check

_CLAIMS = {
    "separable": "a hyperplane has every row strictly on its side",
    "quasi-separable": "a hyperplane has no row on its wrong side, but none has every row strictly on its own",
    "overlapping": "every hyperplane has a row on its wrong side, or all rows on itself",
    "inseparable": "no hyperplane has every row strictly on its side",
    "largest-margin": "how large a margin hyperplanes have",
    "fewest-mistakes": "how few mistakes hyperplanes make",
}


def proof_report(proof: "Proof") -> dict[str, Any]:
    """What a proof claims, in numbers a float can say."""
    report: dict[str, Any] = {
        "kind": proof.kind,
        "claim": _CLAIMS[proof.kind],
        "rows": proof.rows,
        "columns": proof.columns,
        "sha256": proof.sha256,
        "through_origin": proof.through_origin,
        "read": dict(proof.reading),
    }
    if proof.hyperplane is not None:
        report["weights"] = len(proof.hyperplane.columns)
    if proof.margin2 is not None:
        report["margin"] = _root(proof.margin2)
    if proof.hull is not None:
        report["margin_upper"] = _root(proof.hull.upper2)
        report["support"] = len(proof.hull.rows)
    if proof.witness is not None:
        report["witness"] = list(proof.witness.rows)
    if proof.balance is not None:
        report["balance"] = len(proof.balance.rows)
    if proof.packing is not None:
        report["mistakes"] = proof.mistakes
        report["least"] = proof.packing.lower
        report["witnesses"] = len(proof.packing.witnesses)
    return report


def _root(square: Any) -> float | None:
    """√square as a float, None if it is beyond them."""
    import decimal

    context = decimal.Context(prec=25, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    value = context.sqrt(context.divide(decimal.Decimal(square.numerator), decimal.Decimal(square.denominator)))
    found = float(value)
    return found if 0 < found < float("inf") else None


def proof_text(report: Mapping[str, Any]) -> list[str]:
    """What a proof claims, in words."""
    lines = paragraph(f"{report['name']}: a proof ({report['kind']}) for {report['rows']} × {report['columns']} data.")
    lines += paragraph(f"It claims: {report['claim']}.")
    if report["through_origin"]:
        lines += paragraph("Of hyperplanes through the origin only.")
    if "margin" in report:
        lines += paragraph(f"Margin {number(report['margin'], 9)}{_upper(report)}.")
    if "mistakes" in report:
        lines += paragraph(
            f"The hyperplane makes {plural(report['mistakes'], 'mistake')}, any at least {report['least']}."
        )
    if "witness" in report:
        shown = ", ".join(map(str, report["witness"][:12])) + (", …" if len(report["witness"]) > 12 else "")
        lines += paragraph(f"Witness: {plural(len(report['witness']), 'row')} (counted from 0): {shown}.")
    lines += ["  SHA-256 of the numbers, their order and the labels:", f"  {report['sha256']}"]
    if report["read"]:
        lines += ["How the data were read, in the words of whoever wrote it:"]
        for key, value in report["read"].items():
            lines += paragraph(f"{key}: {value}", indent=2, hanging=2)
    return [*lines, *advice(report["next"])]


def _upper(report: Mapping[str, Any]) -> str:
    if "margin_upper" not in report:
        return ""
    upper = report["margin_upper"]
    return ", and none is larger" if upper == report["margin"] else f", and none is above {number(upper, 9)}"


def check_report(check: "Check") -> dict[str, Any]:
    """Whether it holds, and why or why not."""
    return {"holds": check.holds, "reason": check.reason}


def check_text(report: Mapping[str, Any]) -> list[str]:
    """Whether it holds, for which data, and who read them."""
    check, proof = report["check"], report["proof"]
    head = "The proof holds for these data." if check["holds"] else "The proof does not hold for these data."
    lines = [head, *paragraph(f"{check['reason'][:1].upper()}{check['reason'][1:]}.")]
    lines += ["", *subject(report["data"])]
    reader = "a reader in Python" if report["reader"] == "slow" else "the fast reader"
    lines += paragraph(" ".join([f"Read by {reader}.", *how(report["data"]["reading"])]))
    lines += paragraph(f"Proof: {proof['name']}, {proof['kind']}.")
    return [*lines, *advice(report["next"])]


def proof_line(written: Mapping[str, Any]) -> str:
    """That a proof was written, and that it held."""
    return f"Proof written to {clean(written['file'])}; checked first, and it holds ({written['reason']})."

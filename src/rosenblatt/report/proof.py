"""A proof: what it claims and of which data; and whether it held."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import how, subject
from .text import advice, clean, number, paragraph


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


def check_text(report: Mapping[str, Any]) -> list[str]:
    """Whether it holds, for which data, and who read them."""
    check, proof = report["check"], report["proof"]
    head = "The proof holds for these data." if check["holds"] else "The proof does not hold for these data."
    lines = [head, *paragraph(f"{check['reason'][:1].upper()}{check['reason'][1:]}.")]
    lines += ["", *subject(report["data"])]
    reader = "a reader in Python" if report["reader"] == "slow" else "the fast reader"
    if report["data"]["format"] != "example":  # which is not read
        lines += paragraph(" ".join([f"Read by {reader}.", *how(report["data"]["reading"])]))
    lines += paragraph(f"Proof: {proof['name']}, {proof['kind']}.")
    return [*lines, *advice(report["next"])]


def proof_lines(report: Mapping[str, Any]) -> list[str]:
    """That a proof was written and checked, below an answer; nothing if there is none."""
    return paragraph(proof_line(report["proof"])) if report.get("proof") else []


def proof_line(written: Mapping[str, Any]) -> str:
    """That a proof was written, and that it held."""
    return f"Proof written to {clean(written['file'])}; checked first, and it holds ({written['reason']})."

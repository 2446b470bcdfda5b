"""The folder of a study: report.html, report.json, the proofs, the model and the figures, each written at once or not.

A folder that holds something else is refused before anything is written, so no file is lost.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..atomic import replace_file
from ..errors import InputError, LawBrokenError
from ..report.page import page
from .figures import drawn, figures_of
from .result import Study

if TYPE_CHECKING:
    from ..files.sheet import Sheet

REPORT, PAGE, PROOF, MODEL, FIGURES = "report.json", "report.html", "proof.json", "study.model", "figures"


def check_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder as a path. Raises `InputError` unless it is new, empty, or that of an earlier study."""
    path = Path(folder)
    if not str(folder):
        raise InputError("an empty name for a folder; expected one to write the study into")
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: a file; expected a folder, or a name that is free")
    if path.is_dir() and any(path.iterdir()) and not (path / REPORT).is_file():
        raise InputError(f"{path}: holds files, but no earlier study; expected a new folder, or an empty one")
    there = next(one for one in (path, *path.absolute().parents) if one.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InputError(f"{path}: nothing can be written to {there}; expected a folder that may be")
    return path


def write_study(
    study: Study,
    folder: str | os.PathLike[str],
    *,
    sheet: "Sheet | None" = None,
    command: list[str] | None = None,
    data: str | None = None,
    tell: Any = None,
    face: str = "learn",
) -> dict[str, Any]:
    """Write all files; the report, which says where they are.

    `sheet` says how a file was read, `command` what was typed, `data` what the proof is to be verified against.
    """
    path = check_folder(folder)
    (path / FIGURES).mkdir(parents=True, exist_ok=True)
    report = study.to_dict(sheet, face)
    files = [("report", PAGE), ("all numbers", REPORT)]
    if study.verdict.separable is not None:
        report["proof"] = _write_proof(study, path, sheet, data)
        files.append(("proof", PROOF))
    model = study.model if sheet is None else replace(study.model, reading=sheet.reading)
    replace(model, provenance={**model.provenance, "data": study.name}).save(path / MODEL)
    files += [("model", MODEL), ("figures", f"{FIGURES}/")]
    report["how"] |= {"command": command, "model": MODEL}
    pictures = _write_figures(study, path, report, tell)
    report["files"] = [{"what": what, "file": str(path / name)} for what, name in files]
    replace_file(path / REPORT, json.dumps(report, allow_nan=False, indent=1).encode())
    replace_file(path / PAGE, page(report, pictures).encode())
    return report


def _write_proof(study: Study, path: Path, sheet: "Sheet | None", data: str | None) -> dict[str, Any]:
    proof, check = study.verdict.proof, study.verdict.check()
    if not check:
        raise LawBrokenError(f"the proof of {proof.kind} does not hold: {check.reason}")
    words: Mapping[str, Any] = {} if sheet is None else sheet.reading.words()
    target = path / PROOF
    replace(proof, reading={**proof.reading, **words}).write(target)
    return {
        "file": PROOF,
        "kind": proof.kind,
        "holds": check.holds,
        "reason": check.reason,
        "verify": ["rosenblatt", "verify", str(target), data or "DATA"],
    }


def _write_figures(study: Study, path: Path, report: dict[str, Any], tell: Any) -> dict[str, str]:
    """Draw and write the figures; the SVG of each by its name. Without matplotlib there are none, and a note."""
    from ..plots.canvas import needs_matplotlib

    try:
        needs_matplotlib()
    except InputError as error:
        report["notes"].append({"part": "figures", "text": str(error)})
        return {}
    found: dict[str, str] = {}
    for figure in figures_of(study):
        if tell is not None:
            tell(f"drawing: {figure.title}")
        png, svg = drawn(figure)
        entry = figure.to_dict()
        replace_file(path / entry["png"], png)
        replace_file(path / entry["svg"], svg)
        report["figures"].append(entry)
        found[figure.name] = svg.decode()
    return found

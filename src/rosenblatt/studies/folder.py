"""The folder of a study: report.html, report.json, the proof, the models and the figures.

All files are written beside their places first, and moved there at the end, the report last: a study that is
interrupted changes nothing. A folder that holds anything else than a study is refused, and of an earlier study only its
own files are replaced.
"""

import json
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, LawBrokenError
from ..models.model import Model
from ..report.page import page
from .figures import drawn, figures_of
from .result import FORMAT, Study

if TYPE_CHECKING:
    from ..files.sheet import Sheet

REPORT, PAGE, PROOF, FIGURES = "report.json", "report.html", "proof.json", "figures"
MODEL, BEST = "study.model", "best.model"
_DRAFT = ".study-"
_FIGURE = re.compile(rf"{FIGURES}/[a-z-]+\.(png|svg)")  # what a study calls its figures

Folder = str | os.PathLike[str]


def check_folder(folder: Folder) -> Path:
    """The folder as a path. Raises `InputError` unless it is new, empty, or that of an earlier study."""
    path = Path(folder)
    if not str(folder):
        raise InputError("an empty name for a folder; expected one to write the study into")
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: a file; expected a folder, or a name that is free")
    if path.is_dir() and earlier(path) is None and any(not _is_draft(one) for one in path.iterdir()):
        raise InputError(f"{path}: holds files, but no earlier study; expected a new folder, or an empty one")
    if (path / FIGURES).is_symlink():
        raise InputError(f"{path / FIGURES}: a link, and figures are not written behind one; expected a folder")
    there = next(one for one in (path, *path.absolute().parents) if one.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InputError(f"{path}: nothing can be written to {there}; expected a folder that may be")
    return path


def earlier(folder: Path) -> dict[str, Any] | None:
    """The report of the study that a folder holds; None if it holds none."""
    try:
        found = json.loads((folder / REPORT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None


def write_study(
    study: Study,
    folder: Folder,
    *,
    sheet: "Sheet | None" = None,
    command: list[str] | None = None,
    data: str | None = None,
    tell: Callable[[str], None] | None = None,
    face: str = "learn",
) -> dict[str, Any]:
    """Write all files; the report, which says where they are.

    `sheet` says how a file was read, `command` what was typed, `data` what the proof is to be verified against.
    """
    path = check_folder(folder)
    report = study.to_dict(sheet, face)
    files = [("report", PAGE), ("all numbers", REPORT)]
    with _draft(path) as draft:
        (draft / FIGURES).mkdir()
        if study.verdict.separable is not None:
            report["proof"] = _write_proof(study, draft, path, sheet, data)
            files.append(("proof", PROOF))
        if study.best is not None:
            _write_model(study.best.model, draft / BEST, study.name, sheet)
            report["best"]["file"] = BEST
            files.append(("best model", BEST))
        _write_model(study.model, draft / MODEL, study.name, sheet)
        files += [("model", MODEL), ("figures", FIGURES)]
        report["how"] |= {"command": command, "model": MODEL}
        pictures = _write_figures(study, draft, report, tell or (lambda doing: None))
        report["files"] = [{"what": what, "file": str(path / name)} for what, name in files]
        (draft / REPORT).write_text(json.dumps(report, allow_nan=False, indent=1), encoding="utf-8")
        (draft / PAGE).write_text(page(report, pictures), encoding="utf-8")
        _move(draft, path)
    return report


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A folder within the folder, gone at the end, as are those that a killed study left, and a folder made in vain."""
    new = not path.exists()
    path.mkdir(parents=True, exist_ok=True)
    for left in filter(_is_draft, path.iterdir()):
        shutil.rmtree(left, ignore_errors=True)
    draft = path / f"{_DRAFT}{secrets.token_hex(8)}"
    draft.mkdir()
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        if new:
            with suppress(OSError):
                path.rmdir()  # unless it holds something


def _is_draft(one: Path) -> bool:
    return one.name.startswith(_DRAFT) and one.is_dir() and not one.is_symlink()


def _move(draft: Path, path: Path) -> None:
    """Put the files in their places, the report last; those of the earlier study that have no successor go."""
    before = earlier(path) or {}
    named = [str(one.get(kind)) for one in before.get("figures", []) for kind in ("png", "svg")]
    old = {PROOF, BEST, *filter(_FIGURE.fullmatch, named)} if before else set()
    (path / FIGURES).mkdir(exist_ok=True)
    fresh = sorted(str(one.relative_to(draft)) for one in draft.rglob("*") if one.is_file())
    for name in sorted(fresh, key=lambda name: (name in (PAGE, REPORT), name)):
        os.replace(draft / name, path / name)
    for name in old - set(fresh):
        (path / name).unlink(missing_ok=True)


def _write_model(model: Model, file: Path, data: str, sheet: "Sheet | None") -> None:
    reading = model.reading if sheet is None else sheet.reading
    replace(model, reading=reading, provenance={**model.provenance, "data": data}).save(file)


def _write_proof(study: Study, draft: Path, path: Path, sheet: "Sheet | None", data: str | None) -> dict[str, Any]:
    proof, check = study.verdict.proof, study.verdict.check()
    if not check:
        raise LawBrokenError(f"the proof of {proof.kind} does not hold: {check.reason}")
    asked = study.verdict.examples.reading  # as the question was asked, which may be without the reference levels
    how = asked if sheet is None or study.verdict.examples.n_columns < study.examples.n_columns else sheet.reading
    words: Mapping[str, Any] = {} if how is None else how.in_words()
    replace(proof, reading={**proof.reading, **words}).write(draft / PROOF)
    return {
        "file": PROOF,
        "kind": proof.kind,
        "holds": check.holds,
        "reason": check.reason,
        "verify": ["rosenblatt", "verify", str(path / PROOF), data or "DATA"],
    }


def _write_figures(study: Study, draft: Path, report: dict[str, Any], tell: Callable[[str], None]) -> dict[str, str]:
    """Draw and write the figures; the SVG of each by its name. Without matplotlib there are none, and a note."""
    from ..plots.canvas import needs_matplotlib

    try:
        needs_matplotlib()
    except InputError as error:
        report["notes"].append({"part": "figures", "text": str(error)})
        return {}
    found: dict[str, str] = {}
    for figure in figures_of(study):
        tell(f"drawing: {figure.title}")
        try:
            png, svg = drawn(figure)
        except InputError as error:
            report["notes"].append({"part": "figures", "text": f"{figure.name}: {error}"})
            continue
        entry = figure.to_dict()
        (draft / entry["png"]).write_bytes(png)
        (draft / entry["svg"]).write_bytes(svg)
        report["figures"].append(entry)
        found[figure.name] = svg.decode()
    return found

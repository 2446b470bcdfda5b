"""The folder of a study: what is in it, that the files agree, and that nothing else is ever overwritten."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import rosenblatt
from rosenblatt import InputError, Proof, datasets, study, verify
from rosenblatt.studies.folder import check_folder

TIME_BUDGET = 90  # each study draws half a dozen figures, twice


def saved(name: str, folder: Path, **more: Any) -> dict[str, Any]:
    sample = datasets.get(name)
    plan = {"order": "cyclic", **sample.plan}
    return study(*sample, name=name, time_limit=2, **plan, **more).save(folder)


@pytest.fixture(scope="module")
def xor(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("xor") / "study"
    return folder, saved("xor", folder)


def test_every_file_that_is_named_is_there(xor: tuple[Path, dict[str, Any]]) -> None:
    folder, report = xor
    assert all(Path(one["file"]).exists() for one in report["files"])
    assert report["figures"]
    for figure in report["figures"]:
        with Image.open(folder / figure["png"]) as picture:
            assert min(picture.size) > 300
        assert (folder / figure["svg"]).read_text().startswith("<?xml")
    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    figures = {figure[kind] for figure in report["figures"] for kind in ("png", "svg")}
    assert written == {"report.html", "report.json", "proof.json", "study.model", "best.model", *figures}


def test_the_report_is_what_was_returned(xor: tuple[Path, dict[str, Any]]) -> None:
    folder, report = xor
    assert json.loads((folder / "report.json").read_text()) == report


def test_the_proof_holds_for_the_rows_and_for_no_others(xor: tuple[Path, dict[str, Any]]) -> None:
    folder, _ = xor
    sample = datasets.get("xor")
    proof = Proof.read(folder / "proof.json")
    assert verify(proof, *sample).holds
    assert not verify(proof, sample.X + 1, sample.y).holds


def test_the_model_predicts_as_the_run_did(tmp_path: Path) -> None:
    sample = datasets.noisy(100, 3, noise=0.05, seed=1)
    found = study(*sample, time_limit=1)
    found.save(tmp_path / "s")
    model = rosenblatt.Model.load(tmp_path / "s" / "study.model")
    assert np.array_equal(model.predict(sample.X), found.run.predict(sample.X))
    assert model.parameters["readout"] == "averaged"


def test_an_earlier_study_is_replaced_by_the_same_bytes(tmp_path: Path) -> None:
    kept = {}
    for _ in range(2):
        saved("four-on-a-line", tmp_path / "s")
        figures = {path.name: path.read_bytes() for path in (tmp_path / "s" / "figures").iterdir()}
        kept = kept or figures
        assert figures == kept
    assert len(kept) >= 8


def test_nothing_but_a_study_is_written_over(tmp_path: Path) -> None:
    other = tmp_path / "own"
    other.mkdir()
    (other / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match="holds files, but no earlier study"):
        saved("xor", other)
    assert [path.name for path in other.iterdir()] == ["thesis.tex"]
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="a file; expected a folder"):
        check_folder(file)
    with pytest.raises(InputError, match="an empty name"):
        check_folder("")
    with pytest.raises(InputError, match="nothing can be written to"):
        check_folder(file / "below" / "a file")
    assert check_folder(tmp_path / "no" / "such" / "folder").name == "folder"  # it is made


def test_a_report_of_ones_own_is_no_study(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for name in ("report.json", "report.html", "proof.json"):
        (own / name).write_text('{"mine": 1}')
    with pytest.raises(InputError, match="holds files, but no earlier study"):
        saved("xor", own)
    assert {path.read_text() for path in own.iterdir()} == {'{"mine": 1}'}


def test_links_are_replaced_and_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "s", tmp_path / "outside.json"
    saved("four-on-a-line", folder)
    outside.write_bytes((folder / "report.json").read_bytes())
    kept = outside.read_bytes()
    (folder / "report.json").unlink()
    (folder / "report.json").symlink_to(outside)
    saved("xor", folder)
    assert outside.read_bytes() == kept
    assert not (folder / "report.json").is_symlink()
    # What the earlier study had and this one has not is gone: no theorem of the line beside the report of XOR.
    report = json.loads((folder / "report.json").read_text())
    figures = {figure[kind] for figure in report["figures"] for kind in ("png", "svg")}
    assert {f"figures/{path.name}" for path in (folder / "figures").iterdir()} == figures
    assert "figures/readouts.svg" in figures
    assert "figures/theorem.svg" not in figures
    (folder / "figures").rename(tmp_path / "elsewhere")
    (folder / "figures").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="a link, and figures are not written behind one"):
        saved("four-on-a-line", folder)


@pytest.mark.parametrize("new", [True, False])
def test_a_study_that_is_interrupted_changes_nothing(
    new: bool, xor: tuple[Path, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    if not new:
        shutil.copytree(xor[0], folder)
        (folder / ".study-0123").mkdir()  # what a killed one left
    before = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def interrupted(*_: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("rosenblatt.studies.folder.page", interrupted)
    with pytest.raises(KeyboardInterrupt):
        saved("four-on-a-line", folder)
    assert {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert folder.exists() != new
    assert not list(tmp_path.glob("s/.study-*"))


def test_without_matplotlib_there_are_no_figures_and_the_report_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    report = saved("four-on-a-line", tmp_path / "s")
    assert report["figures"] == []
    assert "figures need matplotlib: pip install" in report["notes"][-1]["text"]
    assert "figures need matplotlib" in (tmp_path / "s" / "report.html").read_text()
    assert not list((tmp_path / "s" / "figures").iterdir())


@pytest.mark.parametrize("names", [["<b>bold</b>", "$x^2$"], ["a\nb", "x" * 300, "_hidden", ""]])
def test_hostile_names_are_text(names: list[str], tmp_path: Path) -> None:
    X = np.random.default_rng(0).integers(-3, 4, (12, len(names))).astype(float)
    labels = np.where(X[:, 0] + X[:, 1] > 0, "<i>no</i>", "")
    report = study(rosenblatt.Examples.of(X, labels, names), name="</title><script>", time_limit=1).save(tmp_path / "s")
    page = (tmp_path / "s" / "report.html").read_text()
    assert not [tag for tag in ("<b>bold", "<i>no", "</title><script>", "<script") if tag in page]
    assert report["data"]["names"] == names


@pytest.mark.long
def test_a_million_rows_make_a_small_report(tmp_path: Path) -> None:
    study(*datasets.noisy(1_000_000, 10, seed=1), time_limit=4).save(tmp_path / "s")
    assert (tmp_path / "s" / "report.html").stat().st_size < 1_000_000
    assert sum(path.stat().st_size for path in (tmp_path / "s").rglob("*") if path.is_file()) < 5_000_000

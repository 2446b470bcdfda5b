"""The pages on the notes, questions and margins: where they lead, and their pictures; test_docs.py runs their code."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from pages import ROOT

DOCS = ROOT / "docs"
PAGES = [*sorted((DOCS / "notes").glob("*.md")), DOCS / "margins.md", DOCS / "questions.md"]
PICTURE = re.compile(r"!\[([^\]]*)\]\((?:\.\./)*figures/([^)\s]+)\)")
MOST_BYTES = 150_000


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def script() -> ModuleType:
    """docs/figures.py, which is no module of a package."""
    spec = importlib.util.spec_from_file_location("figures", DOCS / "figures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_is_a_page_for_each_note() -> None:
    texts = {page.stem[:4]: page.read_text(encoding="utf-8") for page in PAGES if page.stem.startswith("s00")}
    assert sorted(texts) == ["s000", "s001", "s002", "s003", "s004"]
    for note, text in texts.items():
        assert f"alled {note.upper()} here" in " ".join(text.split())
        for part in ("## Letters", "## Small slips, mended here", "**What it assumes.**"):
            assert part in text, (note, part)
        assert f"../questions.md#{note}-" in text


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_page_says_where_to_go_on(page: Path) -> None:
    last = page.read_text(encoding="utf-8").split("\n## ")[-1]
    assert last.startswith("Where to go on\n")
    assert "](" in last


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_picture_is_described_and_small(page: Path) -> None:
    for words, name in PICTURE.findall(page.read_text(encoding="utf-8")):
        assert len(words) > 40, f"{name}: say in words what it shows"
        assert (DOCS / "figures" / name).stat().st_size < MOST_BYTES, name


def test_every_picture_is_drawn_by_the_page_that_shows_it() -> None:
    drawn = [name for _, names in script().blocks() for name in names]
    shown = [name for page in PAGES for _, name in PICTURE.findall(page.read_text(encoding="utf-8"))]
    assert len(shown) == len(set(shown)) >= 20
    assert set(shown) <= set(drawn)
    assert len(drawn) == len(set(drawn)), "two blocks write the same picture"


def test_numbers_are_rounded_to_a_hundredth_of_a_point() -> None:
    assert script().shorter("L 12.345678 7.000001\nz") == "L 12.35 7 z"


@pytest.mark.slow
def test_a_picture_is_drawn_again_to_the_last_byte(tmp_path: Path) -> None:
    """Of the same matplotlib: another one may draw other bytes, so what is kept is not compared."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        assert sorted(script().draw(["margins.svg", "one-update.svg"], folder)) == ["margins.svg", "one-update.svg"]
    for name in ("margins.svg", "one-update.svg"):
        text = (first / name).read_text(encoding="utf-8")
        assert text == (second / name).read_text(encoding="utf-8")
        assert "<metadata>" not in text
        assert "</svg>" in text

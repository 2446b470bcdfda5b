"""Every page is run and every link followed, of README.md and docs/; `tests/pages.py` says what is run, and how."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pages import ROOT, Reading, anchors, blocks, links, pages, plain, target

from rosenblatt import rules

TIME_BUDGET = 340  # most of it commands, a process each; a slower machine takes twice as long

CASES = [
    pytest.param(page, number, id=f"{page.relative_to(ROOT)}:{block.line}")
    for page in pages()
    for number, block in enumerate(blocks(page.read_text(encoding="utf-8")))
]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Path, Reading]]:
    """The pages, each with a folder of its own; a page goes on where the test before it stopped."""
    before = os.environ.get("MPLBACKEND")
    os.environ["MPLBACKEND"] = "agg"
    yield {page: Reading(page, tmp_path_factory.mktemp(page.stem)) for page in pages()}
    if before is None:
        del os.environ["MPLBACKEND"]
    else:
        os.environ["MPLBACKEND"] = before


@pytest.mark.slow
@pytest.mark.timeout(600)  # of a page's last block, if it comes first
@pytest.mark.parametrize(("page", "number"), CASES)
def test_a_block_prints_what_the_page_shows(page: Path, number: int, readings: dict[Path, Reading]) -> None:
    assert plain(readings[page].up_to(number)) == readings[page].blocks[number].expected


def test_the_pages_are_found_and_each_shows_something() -> None:
    """A block that is not recognised would pass unnoticed: as many fences are found as there are lines with one."""
    assert len(CASES) > 40
    for page in pages():
        text = page.read_text(encoding="utf-8")
        fences = sum(text.count(f"\n```{kind}\n") for kind in ("python", "console"))
        assert fences == len(blocks(text)), page
        for block in blocks(text):
            assert block.kind == "python" or block.text.startswith("$ "), f"{page}:{block.line}"


@cache
def headings(page: Path) -> set[str]:
    return anchors(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page.read_text(encoding="utf-8")):
        file, heading = target(page, link)
        assert file.exists(), f"{page}: {link}"
        assert file.is_relative_to(ROOT), f"{page}: {link}"
        if heading and file.suffix == ".md":
            assert heading in headings(file), f"{page}: {link}"


def test_every_page_is_reached_from_the_readme() -> None:
    met, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in met or page.suffix != ".md":
            continue
        met.add(page)
        todo += [target(page, link)[0] for link in links(page.read_text(encoding="utf-8"))]
    assert set(ROOT.glob("docs/**/*.md")) - met == set()


def test_every_figure_is_shown() -> None:
    shown = {target(page, link)[0] for page in DOCUMENTS for link in links(page.read_text(encoding="utf-8"))}
    figures = {file for kind in ("png", "svg", "gif") for file in ROOT.glob(f"docs/**/*.{kind}")}
    assert figures - shown == set()


def test_the_page_of_rules_has_a_row_for_each_in_its_own_words() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for rule in map(rules.get, rules.names()):
        assert f"| `{rule.name}` | {rule.formula} | {rule.guarantee} |" in page


def test_the_page_of_benchmarks_says_what_was_measured() -> None:
    measured = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\| (.+?) \| `([\w-]+)` \| ([\d.]+) \|$", page, re.MULTILINE)
    assert len(rows) >= 8
    for compared, task, median in rows:
        assert f"| {task} | {compared} | {median} |" in measured
    accuracy = [line for line in page.splitlines() if re.search(r"\| [+-]\d+\.\d+ \|", line)]
    assert len(accuracy) >= 7
    assert all(line in measured for line in accuracy)


def test_the_first_page_is_short() -> None:
    """It is for whoever has a minute; what takes longer has a page of its own."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 180


def test_a_page_is_read_as_its_conventions_say(tmp_path: Path) -> None:
    """A comment is compared, so is a text block behind; blocks share names and a folder; a failure is seen."""
    page = tmp_path / "page.md"
    page.write_text(
        "# Two words, `code` & more\n\n"
        "```python\nx = 1\nprint(\n    x\n)  # 1\nprint(x)  # 1\nprint('a\\nb')\n```\n\n```text\na\nb\n```\n\n"
        "```sh\nfalse\n```\n\n```python\nfrom pathlib import Path\nPath('f').write_text(str(x + 1))\n```\n\n"
        "```console\n$ cat f; echo\n2\n$ printf '0.%d s\\n' 25\n0.33 s\n```\n\n"
        "```python\nprint(x)  # 2\n```\n\n[here](other.md#top) `[not](here.md)`\n"
    )
    reading = Reading(page, tmp_path)
    found = [
        (block.kind, plain(reading.up_to(number)) == block.expected) for number, block in enumerate(reading.blocks)
    ]
    assert found == [("python", True), ("python", True), ("console", True), ("python", False)]
    assert links(page.read_text()) == ["other.md#top"]
    assert anchors(page.read_text()) == {"two-words-code--more"}

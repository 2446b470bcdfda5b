"""The pages on the notes, margins and questions: their code is run, their links lead somewhere, their pictures are there.

A block of Python prints what its comments say, `print(…)  # text`; or, if a block of text follows it, that text. A block
of commands prints what stands under each (both as in without_extras.py). `python tests/house/test_notes_pages.py` writes
what is printed into the pages, to be read in `git diff`.
"""

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest
from without_extras import output, printed, steps

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tests" / "notes"))
PAGES = [*sorted((DOCS / "notes").glob("*.md")), DOCS / "margins.md"]
LINKED = [*PAGES, DOCS / "questions.md"]
BLOCK = re.compile(r"```python\n(.*?)```(\n\n```text\n(.*?)```)?", re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
MOST_BYTES = 150_000

os.environ.setdefault("MPLBACKEND", "agg")


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def run_block(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], list[str]]:
    """What it prints, and what its comments say that it prints; its figures are closed."""
    monkeypatch.chdir(folder)
    try:
        return printed(code)
    finally:
        if "matplotlib" in sys.modules:
            import matplotlib.pyplot as plt

            plt.close("all")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_code_of_a_page_prints_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, (code, below, text) in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        found, expected = run_block(code, folder, monkeypatch)
        assert found, f"nothing is printed by\n{code}"
        assert found == (text.splitlines() if below else expected), code


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_commands_of_a_page_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    for command, expected in steps(page.read_text(encoding="utf-8")):
        assert output(command, tmp_path) == expected, command


def without_code(page: Path) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def anchors(page: Path) -> set[str]:
    from test_questions_page import anchor

    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {anchor(title.replace("`", "")) for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = LINK.findall(without_code(page))
    assert links
    for link in links:
        if link.startswith("https://"):
            continue
        place, _, part = unquote(link).partition("#")
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), link
        if part and target.suffix == ".md":
            assert part in anchors(target), link
        elif part:
            assert int(part.removeprefix("L")) <= len(target.read_text(encoding="utf-8").splitlines()), link


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_every_page_says_where_to_go_on(page: Path) -> None:
    last = page.read_text(encoding="utf-8").split("\n## ")[-1]
    assert last.startswith("Where to go on\n")
    assert LINK.search(last)


def pictures() -> dict[Path, list[tuple[Path, str]]]:
    """Every picture that a page of the project shows: by whom, and the words in its place."""
    found: dict[Path, list[tuple[Path, str]]] = {}
    for page in [*DOCS.rglob("*.md"), ROOT / "README.md"]:
        for words, link in PICTURE.findall(without_code(page)):
            if not link.startswith("https://"):
                found.setdefault((page.parent / unquote(link)).resolve(), []).append((page, words))
    return found


def test_every_picture_is_there_and_is_shown() -> None:
    shown = pictures()
    assert len(shown) >= 10
    for path, places in shown.items():
        assert path.exists(), (path, places)
        assert path.stat().st_size < MOST_BYTES, path
        assert all(len(words) > 20 for _, words in places), f"{path.name}: say in words what it shows"
    kept = {path for path in (DOCS / "figures").iterdir() if path.suffix in (".svg", ".png")}
    assert kept - shown.keys() == set()


def _write() -> None:
    import tempfile

    def filled(match: re.Match[str]) -> str:
        code, below = match[1], match[2]
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
            found, _ = run_block(code, Path(folder), monkeypatch)
        if below:
            return f"```python\n{code}```\n\n```text\n" + "\n".join(found) + "\n```"
        lines = iter(found)
        code = re.sub(r"^(print\(.*\))  # .*$", lambda one: f"{one[1]}  # {next(lines)}", code, flags=re.MULTILINE)
        return f"```python\n{code}```"

    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(BLOCK.sub(filled, text), encoding="utf-8")


if __name__ == "__main__":
    _write()

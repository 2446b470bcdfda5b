"""Pages: documents whose blocks are run, one after the other, in one namespace and one folder a page.

- `python`: each line `print(…)  # text` must print that text. What else it prints stands in a `text` block that follows
  at once; nothing is printed that is not shown.
- `console`: each `$ command` must print what stands below it (standard error first).

Times are not compared, nor what rounding alone decides. What is kept for streams is kept in the page's folder.

Everything else (`sh`, `text`, no language) is for reading. `python tests/pages.py docs/page.md` writes into a page what
its blocks print: `git diff` then shows what to read. This imports no more than the standard library, because
`without_extras.py` uses it where there is no pytest.
"""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unicodedata import category

ROOT = Path(__file__).resolve().parent.parent
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^(print\((?:.*\)|\n(?: .*\n)+\)) +# )(.*)$", re.MULTILINE)  # ruff may break a long one
SECONDS = re.compile(r"\d+\.\d\d s")
MINUTES = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
ROUNDING = re.compile(r"(relative gradient) \S+,(\s)\S+")  # of the fit that the clinic makes: another on each machine


CACHE = {"ROSENBLATT_CACHE_DIR": "caches"}  # in the folder of the page, so that each prints the same name
ELSEWHERE = ("commands.md", "json.md")  # tests/cli/test_cli_docs.py writes and compares them


def pages() -> list[Path]:
    """The README and everything under docs/, but for the records of decisions and what is run elsewhere."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if "decisions" not in page.parts and page.name not in ELSEWHERE]


@dataclass(frozen=True)
class Block:
    """A block that is run: its language, its text, the `text` block behind it, and the line where it begins."""

    kind: str
    text: str
    shown: str
    line: int

    @property
    def expected(self) -> str:
        """What it must print, in `plain` words."""
        if self.kind == "console":
            return plain(self.text)
        said = [match[2] for match in PRINTED.finditer(self.text)]
        return plain("".join(f"{line.strip()}\n" for line in said) + self.shown)


def plain(text: str) -> str:
    """A text without what differs from one run to the next, or from one machine to another."""
    return ROUNDING.sub(r"\1 …,\2…", MINUTES.sub("2000-01-01 00:00", SECONDS.sub("0.00 s", text)))


@contextmanager
def environment(more: dict[str, str]) -> Iterator[None]:
    """Within it these variables are set."""
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def blocks(text: str) -> list[Block]:
    """The blocks of a document that are run."""
    found = []
    for match in FENCED.finditer(text):
        kind, inside, after = match.groups()
        if kind in ("python", "console"):
            found.append(
                Block(kind, inside, (after or "") * (kind == "python"), text.count("\n", 0, match.start()) + 1)
            )
    return found


def steps(block: Block) -> Iterator[str]:
    """The commands of a console block."""
    return (line[2:] for line in block.text.splitlines() if line.startswith("$ "))


def output(command: str, folder: Path) -> str:
    """What a command prints there, but for times."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=100, check=False,
        env={**os.environ, "PATH": path, "MPLBACKEND": "agg", **CACHE},
    )  # fmt: skip
    return SECONDS.sub("0.00 s", done.stderr + done.stdout)


@dataclass
class Reading:
    """A page being read from its top: what its blocks have printed so far."""

    page: Path
    folder: Path
    namespace: dict[str, Any] = field(default_factory=dict)
    printed: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.blocks = blocks(self.page.read_text(encoding="utf-8"))

    def run(self, block: Block) -> str:
        """What a block prints."""
        if block.kind == "console":
            return "".join(f"$ {command}\n{output(command, self.folder)}" for command in steps(block))
        out = io.StringIO()
        code = "\n" * block.line + block.text  # so that an error names the line of the page
        with chdir(self.folder), redirect_stdout(out), environment(CACHE):
            exec(compile(code, str(self.page), "exec"), self.namespace)
        if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
            pyplot.close("all")  # it keeps every figure, and warns at the twentieth
        return out.getvalue()

    def up_to(self, number: int) -> str:
        """What the block of this number prints, after those before it."""
        while len(self.printed) <= number:
            self.printed.append(self.run(self.blocks[len(self.printed)]))
        return self.printed[number]


# --- Links. ---


def prose(text: str) -> str:
    """A document without its blocks and its code."""
    return re.sub(r"(`+).+?\1", "", re.sub(r"^(```+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL))


def links(text: str) -> list[str]:
    """Where a document leads within the project, and the images it shows."""
    found = re.findall(r"\]\(([^)\s]+)\)", prose(text)) + re.findall(r"(?:src|href)=\"([^\"]+)\"", prose(text))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(text: str) -> set[str]:
    """The names of a document's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    for heading in re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    ):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        kept = (c for c in plain.strip().lower() if c in "- " or category(c)[0] in "LM" or category(c) in ("Nd", "Pc"))
        name = "".join(kept).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {f"{name}-{number}" if number else name for name, most in found.items() for number in range(most + 1)}


def target(page: Path, link: str) -> tuple[Path, str]:
    """The file that a link leads to, and the heading in it."""
    file, _, heading = link.partition("#")
    return ((page.parent / file).resolve() if file else page), heading


# --- Writing what is printed. ---


def written(reading: Reading) -> str:
    """The page with what its blocks print now."""
    text, number = reading.page.read_text(encoding="utf-8"), 0

    def anew(match: re.Match[str]) -> str:
        nonlocal number
        if match[1] not in ("python", "console"):
            return match[0]
        block, found = reading.blocks[number], reading.up_to(number)
        number += 1
        if block.kind == "console":
            return f"```console\n{found}```"
        lines = iter(found.splitlines())
        code = PRINTED.sub(lambda said: said[1] + next(lines, "?"), match[2])
        rest = "".join(f"{line}\n" for line in lines)
        return f"```python\n{code}```" + (f"\n\n```text\n{rest}```" if rest else "")

    return FENCED.sub(anew, text)


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(name).resolve()
            page.write_text(written(Reading(page, Path(folder))), encoding="utf-8")

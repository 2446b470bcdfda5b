"""The pictures of the pages: each block of Python that writes one is run, and what it writes goes to docs/figures.

    python docs/figures.py                       every picture of README.md and docs/
    python docs/figures.py neuron.svg …          these

So the code that a page shows is the code that drew its picture. The same matplotlib writes the same bytes: letters are
outlines, names within a file come from a fixed salt, and the date and the program are left out.
"""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

DOCS = Path(__file__).resolve().parent
FIGURES = DOCS / "figures"
SAVED = re.compile(r"savefig\(\s*\"([\w.-]+)\"")
STYLE = {"svg.hashsalt": "rosenblatt", "svg.fonttype": "path", "savefig.dpi": 150}


def blocks() -> Iterator[tuple[str, list[str]]]:
    """Every block of Python that writes pictures, and their names."""
    for page in [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))]:
        found = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        for number, code in enumerate(found):
            if names := SAVED.findall(code):  # a tutorial goes on from block to block; elsewhere each stands alone
                yield "\n".join(found[:number] if page.parent.name == "tutorials" else []) + "\n" + code, names


def tidy(file: Path) -> None:
    """Leave out of an SVG when and by what it was made, and what is finer than a hundredth of a point."""
    if file.suffix != ".svg":
        return
    text = re.sub(r" *<metadata>.*?</metadata>\n", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"( d=\"|translate\()[^\")]*", lambda place: shorter(place[0]), text)
    file.write_text(re.sub(r"^ +", "", text, flags=re.MULTILINE), encoding="utf-8")


def shorter(numbers: str) -> str:
    """Text with its numbers rounded.

    >>> shorter("L 12.345678 7.000001")
    'L 12.35 7'
    """
    found = re.sub(r"-?\d+\.\d+", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), numbers)
    return re.sub(r"\s+", " ", found)


def draw(wanted: list[str], folder: Path) -> list[str]:
    """Write pictures into a folder, all of them if none is named; the names of those that were written."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    made: list[str] = []
    for code, names in blocks():
        if wanted and not set(names) & set(wanted):
            continue
        with tempfile.TemporaryDirectory() as scratch, chdir(scratch), plt.rc_context(STYLE):
            with redirect_stdout(StringIO()):
                exec(compile(code, names[0], "exec"), {})
            plt.close("all")
            for name in names:
                tidy(Path(name))
                (folder / name).write_bytes(Path(name).read_bytes())
        made += names
    return made


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # for PNG and PDF
    FIGURES.mkdir(exist_ok=True)
    for name in draw(sys.argv[1:], FIGURES):
        print(f"{(FIGURES / name).stat().st_size / 1000:8.1f} kB  {name}")

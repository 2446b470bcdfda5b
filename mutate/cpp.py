"""Faults in the compiled core: an operator or a number of one line changed, the core compiled anew into a scratch copy.

Which tests run a line of C++ is not recorded, so the quickest of all tests are run. A fault that does not compile is
drawn again.
"""

import os
import random
import re
import subprocess
import sys
from itertools import islice

from .cover import Cover
from .tree import PACKAGE, ROOT, SCRATCH, Tree
from .trial import run, waves

BUILD = SCRATCH / "core"
CHANGES = {
    r"(?<![<-])<(?![<=])(?= )": "<=", r"<=": "<", r"(?<= )(?<![->])>(?![>=])(?= )": ">=", r">=": ">",
    r"==": "!=", r"!=": "==", r"&&": "||", r"\|\|": "&&", r"(?<= )\+(?= )": "-", r"(?<= )-(?= )": "+",
    r"(?<= )\*(?= )": "/", r"\+=": "-=", r"-=": "+=", r"(?<![\w.])0(?![\w.])": "1", r"(?<![\w.])1(?![\w.])": "0",
    r"\bstd::min\b": "std::max", r"\bstd::max\b": "std::min", r"\btrue\b": "false", r"\bfalse\b": "true",
    r"\bbreak;": ";", r"\bcontinue;": ";", r"if \((?=.*\) )": "if (!",
}  # fmt: skip


def _faults(seed: int) -> list[tuple[str, int, str, str]]:
    """(file, line, before, after) in random order; comments, includes, bindings and loops' heads are left alone."""
    found = []
    for path in sorted((ROOT / "src" / "core").glob("*.hpp")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = line.split("//")[0]
            if re.match(r"\s*(#|template|static_assert|/?\*|for \()", code):
                continue
            for pattern, after in CHANGES.items():
                for match in re.finditer(pattern, code):
                    found.append((path.name, number, line, line[: match.start()] + after + line[match.end() :]))
    random.Random(seed).shuffle(found)
    return found


def _compiled(tree: Tree) -> bool:
    """Compile the core of a copy, and put it beside its sources."""
    python = [f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_BUILD_TYPE=Release", "-G", "Ninja"]
    steps = [["-S", str(tree.folder), "-B", str(BUILD), *python], ["--build", str(BUILD), "--target", "_core"]]
    programs = {**os.environ, "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])}
    for step in steps:
        if subprocess.run(["cmake", *step], env=programs, capture_output=True, check=False).returncode:
            return False
    (made,) = BUILD.glob("_core*.so")
    target = tree.folder / PACKAGE / made.name
    target.unlink(missing_ok=True)
    target.write_bytes(made.read_bytes())
    return True


def tried(tree: Tree, cover: Cover, count: int, seed: int, most: float) -> list[tuple[str, str | None]]:
    """Try so many: what was changed, and the test that noticed."""
    chosen = waves(cover.spent, cover.spent, most)
    return list(islice((one for one in (_tried(tree, cover, chosen, *fault) for fault in _faults(seed)) if one), count))


def _tried(
    tree: Tree, cover: Cover, chosen: list[list[str]], file: str, number: int, before: str, after: str
) -> tuple[str, str | None] | None:
    path = tree.folder / "src" / "core" / file
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    lines[number - 1] = after
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = f"{file}:{number}\n    {before.strip()}\n    {after.strip()}\n   "
    try:
        by = run(tree, chosen, cover.spent) if _compiled(tree) else "does not compile"
    finally:
        path.write_text(source, encoding="utf-8")
        tree.fill()
    print(f"src/core/{said} {by or 'survived'}", flush=True)
    return None if by == "does not compile" else (said, by)

"""One fault on trial: the tests that may notice it are run in a scratch copy, the quickest first, until one fails."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .cover import PYTEST, Cover
from .mutants import Mutant
from .tree import PACKAGE, ROOT, Tree


@dataclass(frozen=True)
class Trial:
    """What became of a fault: which test noticed it (or "timeout"), and else None of so many."""

    mutant: Mutant
    by: str | None
    tests: int

    @property
    def killed(self) -> bool:
        """Whether it was noticed."""
        return self.by is not None


def tests_for(mutant: Mutant, cover: Cover) -> set[str]:
    """The tests that run its statement; of what is run when a module is imported, those that run what it names."""
    first, last = mutant.lines
    source = (ROOT / PACKAGE / mutant.file).read_text(encoding="utf-8").splitlines()
    statement = source[first - 1].strip()
    inside = mutant.line < first  # a function's default
    if inside or (mutant.function and not _at_import(source, first)):
        return cover.tests(mutant.file, range(first, last + 1))
    files = [path.relative_to(ROOT / PACKAGE).as_posix() for path in (ROOT / PACKAGE).rglob("*.py")]
    named = re.match(r"([A-Za-z_]\w*)\s*[:=]", statement)
    found = cover.mentioning(named[1], files) if named else set()
    return found or cover.mentioning(r"\w+", [mutant.file])


def _at_import(source: list[str], line: int) -> bool:
    """Whether a line within a class is outside its methods."""
    indent = len(source[line - 1]) - len(source[line - 1].lstrip())
    for row in reversed(source[: line - 1]):
        if row.strip() and len(row) - len(row.lstrip()) < indent:
            if re.match(r"\s*(async )?def |\s*\)( ->.*)?:", row):
                return False
            if re.match(r"\s*class ", row):
                return True
            indent = len(row) - len(row.lstrip())
    return False


def waves(tests: Iterable[str], spent: dict[str, float], most: float) -> list[list[str]]:
    """First some seconds' worth from the three files that have most to say, then the rest, up to `most` seconds.

    Tests of one file stay together, or fixtures would be made again and again.
    """
    quick = sorted(tests, key=lambda test: (spent[test], test))
    often = {file for file, _ in Counter(test.split("::")[0] for test in quick).most_common(3)}
    taken: list[list[str]] = []
    for within, limit in ((often, 8.0), (None, most)):
        total, wave = 0.0, []
        for test in quick:
            if (within is None or test.split("::")[0] in within) and not any(test in past for past in taken):
                total += spent[test]
                if total <= limit or not wave:
                    wave.append(test)
        if wave:
            taken.append(sorted(wave, key=lambda test: test.split("::")[0]))
    return taken


def run(tree: Tree, chosen: list[list[str]], spent: dict[str, float]) -> str | None:
    """Run waves of tests in a copy: the first one that fails, or "timeout"."""
    for wave in chosen:
        names, said = tree.folder / "chosen.json", tree.folder / "said.json"
        names.write_text(json.dumps(wave))
        said.unlink(missing_ok=True)
        files = list(dict.fromkeys(test.split("::")[0] for test in wave))
        slowest = max(spent[test] for test in wave)
        code, _ = tree.python(
            [*PYTEST, "-x", "--timeout", str(int(20 + 5 * slowest)), *files],
            60 + 5 * sum(spent[test] for test in wave),
            MUTATE_CHOSEN=str(names),
            MUTATE_SAID=str(said),
            PYTHONDONTWRITEBYTECODE="1",
        )
        if code is None:
            return "timeout"
        failed = json.loads(said.read_text())["failed"] if said.exists() else ["(pytest itself)"]
        if failed:
            return str(failed[0])
    return None


def tried(mutant: Mutant, tree: Tree, cover: Cover, most: float) -> Trial:
    """Put the fault into the copy, run the tests, take it out."""
    tests = tests_for(mutant, cover)
    source = Path(ROOT / PACKAGE / mutant.file).read_text(encoding="utf-8")
    tree.write(mutant.file, mutant.applied(source))
    try:
        return Trial(mutant, run(tree, waves(tests, cover.spent, most), cover.spent), len(tests))
    finally:
        tree.write(mutant.file, source)

"""Which tests run which lines, and how long each takes: recorded once, and again only for test files that changed.

Where the package has changed since, what was recorded of a line goes to where the same line stands now; a new line has
the tests of those it replaces, or stands beside. `rm -r build/mutate` records all anew.
"""

import hashlib
import json
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from functools import cache, partial
from pathlib import Path
from typing import Any

from .tree import PACKAGE, ROOT, SCRATCH, Tree

FOLDER = SCRATCH / "cover"
INDEX = FOLDER / "index.json"
PART = 6  # test files recorded in one go
PYTEST = ["-m", "pytest", "-p", "mutate.plugin", "-p", "no:randomly", "-p", "no:cacheprovider"]


def _digest(files: Iterable[Path]) -> str:
    sum_ = hashlib.sha256()
    for file in sorted(files):
        sum_.update(f"{file}\0".encode() + file.read_bytes())
    return sum_.hexdigest()


def _files_of_tests() -> list[Path]:
    doctests = [file for file in sorted((ROOT / PACKAGE).rglob("*.py")) if ">>>" in file.read_text(encoding="utf-8")]
    return [*sorted((ROOT / "tests").rglob("test_*.py")), *doctests]


class Cover:
    """The record. `tests(file, lines)` gives the tests that run one of these lines of a file of the package."""

    def __init__(self, trees: list[Tree]) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        common = [file for file in (ROOT / "tests").rglob("*.py") if not file.name.startswith("test_")]
        self.files: dict[str, dict[str, Any]] = json.loads(INDEX.read_text())["files"] if INDEX.exists() else {}
        stale = {}
        for file in _files_of_tests():
            name, digest = file.relative_to(ROOT).as_posix(), _digest([file, *common])
            if self.files.get(name, {}).get("digest") != digest:
                stale[name] = digest
        if stale:
            print(f"recording what the tests of {len(stale)} files run", flush=True)
            names = list(stale)
            with ThreadPoolExecutor(len(trees)) as pool:
                for entries in pool.map(
                    partial(self._part, trees), (names[i : i + PART] for i in range(0, len(names), PART))
                ):
                    self.files |= {name: {**entry, "digest": stale[name]} for name, entry in entries.items()}
                    self._save()
        gone = set(self.files) - {file.relative_to(ROOT).as_posix() for file in _files_of_tests()}
        self.files = {name: entry for name, entry in self.files.items() if name not in gone}
        self._save()
        self.spent = {test: s for entry in self.files.values() for test, s in entry["spent"].items()}
        self._lines: dict[str, dict[int, set[str]]] = {}

    def _save(self) -> None:
        INDEX.write_text(json.dumps({"files": self.files}))

    def _part(self, trees: list[Tree], names: list[str]) -> dict[str, dict[str, Any]]:
        """Record the tests of some files in one process, in a copy that is free."""
        import coverage

        tree = trees.pop()
        parts = Path(tempfile.mkdtemp(dir=FOLDER, prefix="part-"))
        said = parts / "said.json"
        shutil.copytree(ROOT / PACKAGE, parts / "source", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        code, printed = tree.python(
            [*PYTEST, "--timeout", "600", *names], 7200, MUTATE_COVER=str(parts), MUTATE_SAID=str(said)
        )
        trees.append(tree)
        if not said.exists():
            raise SystemExit(f"the tests did not run (exit {code}):\n{printed[-4000:]}")
        combined = coverage.Coverage(data_file=str(parts / "combined"), config_file=False)
        combined.combine([str(file) for file in parts.glob("lines.*")])
        combined.save()
        told = json.loads(said.read_text())
        for test in told["failed"]:
            print(f"  left out, as it fails while its lines are recorded: {test}", flush=True)
        entries: dict[str, dict[str, Any]] = {name: {"data": f"{parts.name}/combined", "spent": {}} for name in names}
        for test, seconds in told["spent"].items():
            if test not in told["failed"]:
                entries[test.split("::")[0]]["spent"][test] = seconds
        return entries

    def lines(self, file: str) -> dict[int, set[str]]:
        """For each line of a file of the package, the tests that run it."""
        if file not in self._lines:
            found: dict[int, set[str]] = defaultdict(set)
            for data in {entry["data"] for entry in self.files.values()}:
                known = {line: self._named(data, names) for line, names in _contexts(data, file).items()}
                for line, before in _moved(FOLDER / Path(data).parent / "source" / file, ROOT / PACKAGE / file):
                    found[line] |= set().union(*(known.get(one, set()) for one in before))
            self._lines[file] = found
        return self._lines[file]

    def _named(self, data: str, names: list[str]) -> set[str]:
        """The tests that contexts of some data stand for: a test, or all of a file."""
        found: set[str] = set()
        for name in names:
            own = self.files.get(name.split("::")[0])
            if own is not None and own["data"] == data:
                found |= {name} & self.spent.keys() if "::" in name else set(own["spent"])
        return found

    def tests(self, file: str, lines: Iterable[int]) -> set[str]:
        """The tests that run one of these lines."""
        known = self.lines(file)
        return set().union(*(known.get(line, set()) for line in lines))

    def mentioning(self, word: str, files: Iterable[str]) -> set[str]:
        """The tests that run a line, within a function, where a word stands."""
        found: set[str] = set()
        for file in files:
            rows = (ROOT / PACKAGE / file).read_text(encoding="utf-8").splitlines()
            named = [i for i, row in enumerate(rows, 1) if row[:1] == " " and re.search(rf"\b{word}\b", row)]
            if named:
                found |= self.tests(file, named)
        return found


@cache
def _read(data: str) -> Any:
    import coverage

    read = coverage.CoverageData(str(FOLDER / data))
    read.read()
    return read


def _moved(then: Path, now: Path) -> Iterator[tuple[int, Iterable[int]]]:
    """For each line of a file as it is now, the lines it was when its tests were recorded."""
    old, new = ((path.read_text(encoding="utf-8").splitlines() if path.exists() else []) for path in (then, now))
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for line in range(c, d):
            yield line + 1, [a + line - c + 1] if what == "equal" else range(a, b + 2)


def _contexts(data: str, file: str) -> dict[int, list[str]]:
    read = _read(data)
    found: dict[int, list[str]] = defaultdict(list)
    for path in read.measured_files():
        if path.endswith(f"/{PACKAGE.as_posix()}/{file}"):
            for line, names in read.contexts_by_lineno(path).items():
                found[line] += names
    return found

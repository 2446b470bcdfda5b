"""`python -m mutate`: how many of some random faults the tests notice, and which they do not."""

import argparse
import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from . import cpp, effort
from .cover import Cover
from .mutants import Mutant, drawn, mutants
from .tree import PACKAGE, ROOT, Tree
from .trial import Trial, tried


def main() -> None:
    """Draw, try, tell."""
    asked = _arguments()
    begun = time.monotonic()
    trees = [Tree(number) for number in range(asked.jobs)]
    cover = Cover(trees)
    sample = _sample(asked)
    free: SimpleQueue[Tree] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def one(mutant: Mutant) -> Trial:
        tree = free.get()
        try:
            trial = tried(mutant, tree, cover, asked.most)
        finally:
            free.put(tree)
        print("." if trial.killed else f"\n{_told(trial)}\n", end="", flush=True)
        return trial

    with ThreadPoolExecutor(asked.jobs) as pool:
        trials = list(pool.map(one, sample))
    print()
    enough = _tell(trials)
    if asked.cpp:
        _tell_core(cpp.tried(trees[0], cover, asked.cpp, asked.seed, asked.most))
    print(f"{time.monotonic() - begun:.0f} s")
    sys.exit(not enough)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutate", description=sys.modules[__package__].__doc__)
    parser.add_argument("--sample", type=int, default=120, help="faults in Python to try (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="which ones (default %(default)s)")
    parser.add_argument("--folder", help="only of this folder or file of the package, e.g. report or separation/margin")
    parser.add_argument("--at", help="FILE:LINE: all faults of one line, to see whether a new test notices them")
    parser.add_argument("--cpp", type=int, default=0, help="faults in the core to try; each is compiled")
    parser.add_argument("--jobs", type=int, default=1, help="side by side (default %(default)s)")
    parser.add_argument("--most", type=float, default=60.0, help="seconds of tests for each (default %(default)s)")
    return parser.parse_args()


def _sample(asked: argparse.Namespace) -> list[Mutant]:
    found: list[Mutant] = []
    texts: dict[str, str] = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = path.relative_to(ROOT / PACKAGE).as_posix()
        if asked.folder is None or asked.folder in (name, name.rpartition("/")[0] or "(top level)"):
            texts[name] = path.read_text(encoding="utf-8")
            found += mutants(name, texts[name])
    sound = (one for one in drawn(found, asked.seed) if one.parses(texts[one.file]))
    if asked.at:
        file, _, line = asked.at.rpartition(":")
        sound = (one for one in found if (one.file, one.line) == (file, int(line)) and one.parses(texts[one.file]))
        return list(sound)
    return list(itertools.islice(sound, asked.sample))


def _told(trial: Trial) -> str:
    mutant, why = trial.mutant, effort.reason(trial.mutant)
    kind = "survived" if why is None else f"effort ({why})"
    inside = f" in {mutant.function}" if mutant.function else ""
    return (
        f"{PACKAGE}/{mutant.file}:{mutant.line}{inside}: {kind}, {trial.tests} tests run the line\n"
        f"    {mutant.text}\n    {mutant.before}  →  {mutant.after}"
    )


def _tell(trials: Iterable[Trial]) -> bool:
    """Shares by folder and in all, and whether they are large enough (of a folder, where ten or more were tried).

    A fault that only changes effort and was not noticed is counted apart.
    """
    killed, mattering, apart = Counter[str](), Counter[str](), 0
    for trial in trials:
        if not trial.killed and effort.reason(trial.mutant) is not None:
            apart += 1
            continue
        mattering[trial.mutant.folder] += 1
        killed[trial.mutant.folder] += trial.killed
    for folder in sorted(mattering):
        print(_share(folder, killed[folder], mattering[folder]))
    print(_share("all", killed.total(), mattering.total()) + f"; {apart} more change effort only")
    folders = all(killed[folder] >= 0.8 * mattering[folder] for folder in mattering if mattering[folder] >= 10)
    return folders and killed.total() >= 0.9 * mattering.total()


def _tell_core(found: list[tuple[str, str | None]]) -> None:
    for said, by in found:
        if by is None:
            print(f"src/core/{said}: survived")
    print(_share("src/core", sum(by is not None for _, by in found), len(found)))


def _share(name: str, part: int, of: int) -> str:
    return f"{name:<24} {part:>4} of {of:>4} noticed ({part / of:.0%})" if of else f"{name}: nothing to try"


if __name__ == "__main__":
    main()

"""Vowpal Wabbit on the same rows: one pass over the text, and passes over its cache.

The hinge loss, no shuffling (it knows none), as many bits as the columns need. It parses on one thread and learns on
another, as we do. `vw` if the system has it, or else the package from PyPI.
"""

import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.contest import AbsentError
from benchmarks.peers.fresh_process import environment
from benchmarks.streams.watched import Watched, watch

_PLAN = ("--no_stdin", "--quiet", "--loss_function", "hinge", "-b", "18")


def command(given: str | None) -> list[str]:
    """The words that start it: those given, or what is installed."""
    if given:
        return shlex.split(given)
    if (found := shutil.which("vw")) is not None:
        return [found]
    if find_spec("vowpalwabbit") is not None:
        return [sys.executable, "-m", "vowpalwabbit"]
    raise AbsentError("Vowpal Wabbit is not installed: pip install vowpalwabbit, or say --vw COMMAND")


def version(words: list[str]) -> str:
    """As it says itself. Raises `AbsentError` if it does not start."""
    try:
        ran = subprocess.run([*words, "--version"], check=True, capture_output=True, text=True, env=environment())
    except (OSError, subprocess.CalledProcessError) as error:
        raise AbsentError(f"{shlex.join(words)} does not start: {error}") from None
    return ran.stdout.splitlines()[0].split(" ")[0]


def text_pass(words: list[str], data: Path) -> Watched:
    """One pass over the text, without a cache."""
    return _watch(words, data)


def write_cache(words: list[str], data: Path) -> Watched:
    """One pass that writes the cache."""
    return _watch(words, data, "-c", "-k")


def cached_passes(words: list[str], data: Path, passes: int) -> Watched:
    """Passes over the cache that is there, all of them learning from every row."""
    return _watch(words, data, "-c", "--passes", str(passes), "--holdout_off")


def _watch(words: list[str], data: Path, *more: str) -> Watched:
    out = data.with_suffix(".vw-model")
    return watch([*words, *_PLAN, "-d", str(data), "-f", str(out), *more], environment())

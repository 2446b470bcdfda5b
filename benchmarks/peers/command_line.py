"""A command, from its start to its exit. `{svmlight}`, `{vw}` and `{out}` in its words are files.

A model that comes of it is read afterwards, so that the referee can look at its accuracy.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.contest import AbsentError, Command, Data, Learned, Outcome
from benchmarks.peers.fresh_process import environment

NAME = "command"


def version() -> str:
    """The programs are the commands' own."""
    return "commands"


def prepare(data: Data, work: Command) -> Callable[[], tuple[Path, str]]:
    """The command with its files; absent if its program is."""
    words = [sys.executable if word == "python" else word.format(**data.files) for word in work.words]
    if words[0] == sys.executable and not find_spec(words[2]):
        raise AbsentError(f"{words[2]} is not installed: pip install {words[2]}")
    if shutil.which(words[0]) is None:
        raise AbsentError(f"{words[0]} is not installed")
    out = Path(data.files["out"])

    def run() -> tuple[Path, str]:
        out.unlink(missing_ok=True)
        process = subprocess.run(words, check=False, capture_output=True, text=True, env=environment())
        if process.returncode:
            raise RuntimeError(f"{words[0]} ended with {process.returncode}: {process.stderr.strip()[-300:]}")
        return out, work.makes

    return run


def read(result: Any, seconds: float) -> Outcome:
    """Seconds, and the weights of a model in a form we read."""
    out, makes = result
    if makes in ("model", "liblinear"):
        from rosenblatt import Model

        model = Model.load(out) if makes == "model" else Model.from_liblinear(out)
        epochs = model.n_iter_ if makes == "model" else 0
        return Outcome(seconds, Learned(model.coef_, model.intercept_, epochs))
    return Outcome(seconds)

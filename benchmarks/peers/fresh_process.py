"""A fresh Python process that runs a script; the cost is its wall time from start to exit.

The same interpreter and environment as the referee's, pins included; `-P` keeps the working directory off the
import path, so that what is installed is what is imported.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.contest import Data, Outcome, Script

NAME = "process"


def version() -> str:
    """The interpreter."""
    return f"Python {sys.version.split()[0]}"


def environment() -> dict[str, str]:
    """Compiled Python is cached, as it is for users: the warm-up fills the cache, whatever this process was told."""
    cache = str(Path(tempfile.gettempdir()) / f"rosenblatt-benchmark-{os.getuid()}")
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": cache}


def prepare(data: Data | None, work: Script) -> Callable[[], str]:
    """Start the process, wait for its end, give back what it printed."""
    command = [sys.executable, "-P", "-c", work.code]

    def run() -> str:
        process = subprocess.run(command, check=False, capture_output=True, text=True, env=environment())
        if process.returncode:
            raise RuntimeError(f"the process ended with {process.returncode}: {process.stderr.strip()}")
        return process.stdout

    return run


def read(result: Any, seconds: float) -> Outcome:
    """Seconds only."""
    return Outcome(seconds)

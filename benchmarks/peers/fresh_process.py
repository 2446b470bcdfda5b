"""A fresh Python process that runs a script; the cost is its wall time from start to exit.

The same interpreter and environment as the referee's, pins included; `-P` keeps the working directory off the
import path, so that what is installed is what is imported.
"""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.contest import Data, Outcome, Script

NAME = "process"


def version() -> str:
    """The interpreter."""
    return f"Python {sys.version.split()[0]}"


def prepare(data: Data | None, work: Script) -> Callable[[], str]:
    """Start the process, wait for its end, give back what it printed."""
    command = [sys.executable, "-P", "-c", work.code]

    def run() -> str:
        process = subprocess.run(command, check=False, capture_output=True, text=True)
        if process.returncode:
            raise RuntimeError(f"the process ended with {process.returncode}: {process.stderr.strip()}")
        return process.stdout

    return run


def read(result: Any, seconds: float) -> Outcome:
    """Seconds only."""
    return Outcome(seconds)

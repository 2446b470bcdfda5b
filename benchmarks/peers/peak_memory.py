"""A fresh Python process whose cost is not its time but its peak resident memory, in MB.

The peak is the kernel's own mark (VmHWM), which nobody can lower again: a copy made and thrown away is seen.
Not `ru_maxrss`: a process started by a large one inherits the mark of its parent there.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.contest import AbsentError, Data, Outcome, Script
from benchmarks.peers import fresh_process

NAME = "peak memory"
PRINT_PEAK = """
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(line.split()[1])
"""


def version() -> str:
    """The mark is read from Linux's /proc."""
    status = Path("/proc/self/status")
    if not (status.exists() and "VmHWM" in status.read_text()):
        raise AbsentError("this system has no VmHWM in /proc/self/status")
    return "VmHWM"


def prepare(data: Data | None, work: Script) -> Callable[[], str]:
    """The script, then lines that print the peak."""
    return fresh_process.prepare(data, Script(work.code + PRINT_PEAK))


def read(result: Any, seconds: float) -> Outcome:
    """The last number printed, in kB."""
    return Outcome(int(result.split()[-1]) * 1024 / 1e6)

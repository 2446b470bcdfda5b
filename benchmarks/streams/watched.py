"""A command watched from outside: the seconds from its start to its end, its peak of memory, and what it read.

The peak is the kernel's mark (VmHWM), asked for every few milliseconds, and so are the bytes that came from the disk:
neither can be lowered again, and both are gone with the process. `peak_memory` says why it is not `ru_maxrss`.
"""

import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

_WAIT = 0.005


@dataclass(frozen=True)
class Watched:
    """What a command took, and what it printed.

    cpu
        Seconds of all its threads, those in the kernel too.
    peak
        Bytes of memory; None where the system does not tell.
    read
        Bytes that came from the disk; None likewise.
    """

    seconds: float
    cpu: float
    peak: int | None
    read: int | None
    printed: str


def watch(words: Sequence[str], setting: Mapping[str, str]) -> Watched:
    """Run a command with these variables. Raises `RuntimeError` if it fails."""
    with TemporaryFile() as out, TemporaryFile() as err:  # a pipe would fill up while nobody reads
        begin = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=setting)
        peak = read = None
        try:
            while True:
                peak = _mark(process.pid, "status", r"VmHWM:\s+(\d+) kB", 1024, peak)
                read = _mark(process.pid, "io", r"read_bytes: (\d+)", 1, read)
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                time.sleep(_WAIT)
        except BaseException:
            process.kill()
            process.wait()
            raise
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        printed, said = out.read().decode(), err.read().decode()
    if process.returncode:
        last = (said.strip() or printed.strip())[-300:]
        raise RuntimeError(f"{' '.join(words[:4])} … ended with {process.returncode}: {last}")
    return Watched(seconds, usage.ru_utime + usage.ru_stime, peak, read, printed)


def _mark(pid: int, file: str, pattern: str, unit: int, before: int | None) -> int | None:
    """A number out of /proc/PID; what it was before, once the process is about to be gone."""
    try:
        found = re.search(pattern, Path(f"/proc/{pid}/{file}").read_text())
    except OSError:
        return before
    return before if found is None else int(found[1]) * unit

"""Run the tests: those that may run at the same time on every core, then, alone, those marked `serial`.

The last line counts both passes, in pytest's own form. Options and names of files go to both: `make test
ARGS=tests/models/test_store.py`. The first pass takes `--quick` alone: the serial tests are none of `make quick`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# A file stays with one worker, so that what its tests share is made once. More than eight workers do not pay: each
# has to import everything.
AT_ONCE = ["-n", "auto", "--maxprocesses", "8", "--dist", "loadfile", "--no-loadscope-reorder", "-m", "not serial"]
ALONE = ["-p", "no:xdist", "-m", "serial"]
NOTHING_TO_RUN, INTERRUPTED = 5, 2


def main(arguments: list[str]) -> int:
    began, codes = time.monotonic(), []
    passes = [AT_ONCE] if "--quick" in arguments else [AT_ONCE, ALONE]
    arguments = [argument for argument in arguments if argument != "--quick"]
    with tempfile.TemporaryDirectory() as folder:
        tally = Path(folder) / "tally.json"
        for options in passes:
            command = [sys.executable, "-m", "pytest", *options, *arguments]
            codes.append(subprocess.call(command, env={**os.environ, "ROSENBLATT_TALLY": str(tally)}))
            if codes[-1] == INTERRUPTED:
                break
        counts = json.loads(tally.read_text())["outcomes"] if tally.exists() else {}
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "no tests ran"
    print(f"{said} in {time.monotonic() - began:.2f}s")
    failed = [code for code in codes if code not in (0, NOTHING_TO_RUN)]
    return failed[0] if failed else min(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

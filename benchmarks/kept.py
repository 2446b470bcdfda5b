"""What a fit of somebody else's estimator gave, kept in a file, so that ours alone need be measured again.

The file is `peers.json` in the folder that the environment variable ROSENBLATT_BENCH_CACHE names: set → seed →
estimator → what came of it, and of which version. Without the variable nothing is kept and everything is measured.
Times are those of the processor, on one thread; no claim on times uses what was kept.

A fit runs in a process of its own, which is ended after ten minutes of work: some do not come to an end on raw columns.
"""

import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

VARIABLE = "ROSENBLATT_BENCH_CACHE"
LIMIT = 600
Found = dict[str, Any]  # accuracy in percent or None, seconds, warned
NO_END: Found = {"accuracy": None, "seconds": LIMIT, "warned": False}


def file() -> Path | None:
    """Where it is kept, if anywhere."""
    folder = os.environ.get(VARIABLE)
    return Path(folder) / "peers.json" if folder else None


def everything() -> dict[str, dict[str, dict[str, Found]]]:
    """Set → seed → estimator → what came of it."""
    path = file()
    return json.loads(path.read_text(encoding="utf-8")) if path and path.is_file() else {}  # type: ignore[no-any-return]


def once(name: str, seed: int, estimator: str, version: str, measure: Callable[[], Found]) -> Found:
    """What was kept of this fit by this version; or else measure it, and keep it."""
    known = everything().get(name, {}).get(str(seed), {}).get(estimator)
    if known is not None and known["version"] == version:
        return known
    found = limited(measure, LIMIT) or NO_END
    if (path := file()) is not None:
        together = everything()
        together.setdefault(name, {}).setdefault(str(seed), {})[estimator] = found | {"version": version}
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(together, indent=1) + "\n", encoding="utf-8")
        new.replace(path)
    return found


def limited(call: Callable[[], Found], seconds: int) -> Found | None:
    """What the call gives, from a copy of this process; None if it takes more of the processor's time than that."""
    if "fork" not in multiprocessing.get_all_start_methods():
        return call()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        import resource  # not on Windows, nor is fork

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))  # then comes SIGXCPU
        sender.send(call())

    process = context.Process(target=work)
    process.start()
    sender.close()
    try:
        return receiver.recv()  # type: ignore[no-any-return]
    except EOFError:
        process.join()
        if process.exitcode == -signal.SIGXCPU:
            return None
        raise RuntimeError("a fit ended without an answer; its last words are above") from None
    finally:
        process.join()

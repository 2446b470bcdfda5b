"""`rosenblatt`, or `python -m rosenblatt`: the command line."""

import os
import signal
import sys
from contextlib import suppress
from typing import Any


def leave(number: int, _: Any) -> None:
    """End at once: there is nothing to tidy up yet."""
    os._exit(128 + number)


def program() -> None:
    """Run the command line, and end the process at once.

    All output has been flushed by then. What the interpreter would still tidy up takes longer than some commands.
    """
    for number, usual in ((signal.SIGTERM, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
        if signal.getsignal(number) is usual:
            signal.signal(number, leave)
    if sys.argv[1:2] in (["train"], ["predict"]):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's own threads have no work there, and wait busily
    from .cli import main

    code = main()
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or not there at all
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    program()

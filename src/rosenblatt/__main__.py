"""`rosenblatt`, or `python -m rosenblatt`: the command line."""

import os
import signal
import sys


def leave(number: int, _: object) -> None:
    """End at once: there is nothing to tidy up any more."""
    try:
        os.write(2, b"terminated\n" if number == signal.SIGTERM else b"interrupted\n")
    finally:
        os._exit(128 + number)


def program() -> None:
    """Run the command line, and end the process at once.

    All output has been flushed by then. What the interpreter would still tidy up takes longer than some commands.
    Signals wait until `main` is ready for them (`cli.ending.terminable`), which takes a moment: they end it in its way.
    """
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is usual:
            if hasattr(signal, "pthread_sigmask"):
                signal.pthread_sigmask(signal.SIG_BLOCK, [number])
            signal.signal(number, leave)
    if sys.argv[1:2] in (["train"], ["predict"], ["clinic"]):
        # NumPy's own threads have little work there, and wait busily: beside other work a fit takes many times as long.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from .cli import main

    code = main()
    try:
        sys.stderr.flush()
    finally:  # it may be closed, or not there at all
        os._exit(code)


if __name__ == "__main__":
    program()

"""`rosenblatt`, or `python -m rosenblatt`: the command line."""

import os
import sys
from contextlib import suppress

from .cli import main


def program() -> None:
    """Run the command line, and end the process at once.

    All output has been flushed by then. What the interpreter would still tidy up takes longer than some commands.
    """
    if sys.argv[1:2] in (["train"], ["predict"]):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's own threads have no work there, and wait busily
    code = main()
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or not there at all
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    program()

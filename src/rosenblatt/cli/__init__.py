"""The command line: thin commands over the library.

group.py lists the commands; each is a file of its own that takes `Settings` and gives an `Answer` (framework.py), one
plain dictionary that `--json` prints and the text is made from. ending.py is how the program ends, whatever happens.
Nothing here imports NumPy before a command does its work.

Exit codes: 0 done; 1 the answer is no; 2 bad input or usage; 3 undecided, or a wish not met; 70 a fault of this
program; 130 and 143 interrupted and terminated; 141 nobody reads the output any more.
"""

from .group import main

__all__ = ["main"]

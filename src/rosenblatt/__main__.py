"""`python -m rosenblatt`, and what the command `rosenblatt` runs."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())

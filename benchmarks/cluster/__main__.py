"""`python -m benchmarks.cluster`: pin the threads, then, and only then, import everything else."""

import sys
from importlib import import_module

from benchmarks import pins

if __name__ == "__main__":
    pins.pin()
    sys.exit(import_module("benchmarks.cluster.command").main())

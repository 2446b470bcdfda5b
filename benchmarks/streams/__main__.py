"""`python -m benchmarks.streams`: pin the threads, then, and only then, import everything else."""

import sys
from importlib import import_module

from benchmarks import pins

pins.pin()
sys.exit(import_module("benchmarks.streams.command").main())

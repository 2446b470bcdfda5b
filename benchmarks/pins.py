"""Pinned threads: everybody computes on one thread, unless a task says otherwise.

BLAS and OpenMP read these variables once, when they are loaded; so this module is imported before
NumPy. Processes started later inherit them. `rosenblatt` is always told its number of threads by
argument; the variable is for what a fresh process does by itself.
"""

import os
from importlib import import_module

VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "ROSENBLATT_NUM_THREADS",
)


def pin() -> None:
    """Set every variable to 1."""
    for variable in VARIABLES:
        os.environ[variable] = "1"


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def pools() -> str:
    """What the loaded thread pools say of themselves, e.g. "openblas 1"; the pins' own check."""
    import_module("numpy")
    try:
        found = import_module("threadpoolctl").threadpool_info()
    except ImportError:
        return "not checked (threadpoolctl is not installed)"
    return ", ".join(sorted({f"{pool['internal_api']} {pool['num_threads']}" for pool in found})) or "none"

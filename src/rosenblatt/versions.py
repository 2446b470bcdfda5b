"""What is installed here: for a report of a bug."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version


def versions() -> dict[str, str]:
    """The versions of rosenblatt, Python and the packages it works with, and the CPU features in use."""
    from . import __version__, _core
    from .choices import thread_count

    facts = {
        "rosenblatt": __version__,
        "core": f"{_core.isa()}, {thread_count(None)} thread(s)",
        "python": sys.version.split()[0],
        "machine": f"{platform.system()} {platform.machine()}",
    }
    needed = ("numpy", "highspy", "python-flint", "safetensors", "click")
    for package in (
        *needed,
        "scikit-learn",
        "scipy",
        "pyarrow",
        "narwhals",
        "matplotlib",
        "zstandard",
        "dask",
        "distributed",
    ):
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def show_versions() -> None:
    """Print the versions of rosenblatt, Python and the packages it works with, and the CPU features in use."""
    for name, value in versions().items():
        print(f"{name:<13} {value}")

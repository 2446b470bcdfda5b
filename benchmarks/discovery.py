"""Peers and tasks are found by themselves: every module of the two folders."""

import pkgutil
from importlib import import_module
from typing import cast

import benchmarks.peers
import benchmarks.tasks
from benchmarks.contest import Peer, Task


def peers() -> dict[str, Peer]:
    """Every file in `peers/`, by its NAME."""
    names = [found.name for found in pkgutil.iter_modules(benchmarks.peers.__path__)]
    modules = [cast(Peer, import_module(f"benchmarks.peers.{name}")) for name in names]
    return {module.NAME: module for module in modules}


def tasks(quick: bool) -> list[Task]:
    """Every task of every file in `tasks/`, in the order of the files' names."""
    names = sorted(found.name for found in pkgutil.iter_modules(benchmarks.tasks.__path__))
    return [task for name in names for task in import_module(f"benchmarks.tasks.{name}").tasks(quick)]

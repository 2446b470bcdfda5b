"""`python -m benchmarks.cluster.part NAME SIZES`: one part, in this process; its findings are the last line printed.

So that a part which fails takes nothing along, and its peak of memory is its own.
"""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers.fresh_process import environment
from benchmarks.streams.watched import watch

ROOT = Path(__file__).parents[2]


def measured(name: str, sizes: dict[str, Any], setting: dict[str, str]) -> dict[str, Any]:
    """What a part finds, and what its process took; or why it found nothing."""
    words = [sys.executable, "-m", "benchmarks.cluster.part", name, json.dumps(sizes)]
    path = {"PYTHONPATH": str(ROOT)}  # workers import what they are asked to call
    try:
        seen = watch(words, environment() | path | setting)
    except RuntimeError as error:
        return {"failed": str(error).strip().splitlines()[-1]}
    return {
        "found": json.loads(seen.printed.strip().splitlines()[-1]),
        "seconds": seen.seconds,
        "peak": seen.peak,
    }


def main(name: str, sizes: str) -> None:
    """Measure, and print."""
    found = import_module(f"benchmarks.cluster.{name}").measure(**json.loads(sizes))
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""When and where it was measured: a ratio without its machine is a rumour."""

import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import pins
from benchmarks.contest import AbsentError, Peer


def processor() -> str:
    """The CPU's name, as the kernel gives it."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def facts() -> dict[str, str]:
    """Date, machine and pins."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": f"{processor()}, {pins.cores()} cores, {platform.system()} {platform.machine()}",
        "load": f"{load} (average of the last minute; the referee itself accounts for about 1)",
        "thread pools": pins.pools(),
    }


def versions(peers: Mapping[str, Peer]) -> dict[str, str]:
    """Each peer's version, or why it is absent."""
    found = {}
    for name, peer in peers.items():
        try:
            found[name] = peer.version()
        except AbsentError as reason:
            found[name] = f"absent: {reason}"
    return found

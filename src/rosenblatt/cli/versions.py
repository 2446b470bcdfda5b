"""`rosenblatt versions`."""

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

from .framework import Answer, Settings, command


@command
def versions(settings: Settings) -> Answer:
    """The versions of everything that matters here."""
    from ..versions import show_versions

    with redirect_stdout(io.StringIO()) as printed:
        show_versions()
    found = dict(line.split(maxsplit=1) for line in printed.getvalue().splitlines())
    return Answer({"versions": found}, _text, headline=False)


def _text(report: Mapping[str, Any]) -> list[str]:
    return [f"{name:<13} {value}" for name, value in report["versions"].items()]

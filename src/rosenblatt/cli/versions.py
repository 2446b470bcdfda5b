"""`rosenblatt versions`."""

from collections.abc import Mapping
from typing import Any

from .framework import Answer, Settings, command


@command
def versions(settings: Settings) -> Answer:
    """The versions of everything that matters here."""
    from .. import versions as installed

    return Answer({"versions": installed.versions()}, _text, headline=False)


def _text(report: Mapping[str, Any]) -> list[str]:
    return [f"{name:<13} {value}" for name, value in report["versions"].items()]

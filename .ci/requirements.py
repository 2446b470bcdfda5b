"""What pyproject.toml asks for, one requirement a line.

Without an argument: all that a developer needs. --core: what an install brings without extras. --oldest: what the
tests of the oldest supported versions need; `>=` becomes `==`, so that a lower bound is stated once and tested as it
stands.
"""

import re
import sys
import tomllib
from pathlib import Path


def requirements(which: str) -> list[str]:
    """The requirements; the extra `all` refers to other extras of the project, and only names them."""
    project = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text())["project"]
    core, extras = project["dependencies"], project["optional-dependencies"]
    named = re.fullmatch(rf"{project['name']}\[(.*)\]", *extras.pop("all"))
    assert named, f"all is {project['name']}[extra,extra,…]"
    if which == "--core":
        return list(core)
    if which == "--oldest":
        installed = sum((extras[name] for name in [*named[1].split(","), "test"]), core)
        return [line.replace(">=", "==") for line in installed]
    return sum(extras.values(), core)


if __name__ == "__main__":
    print(*requirements(*sys.argv[1:] or [""]), sep="\n")

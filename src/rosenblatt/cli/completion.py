"""`rosenblatt completion`: the script that makes a shell complete our commands."""

from collections.abc import Mapping
from typing import Any

import click

from .framework import Answer, Settings, command

SHELLS = ("bash", "zsh", "fish")


@command
@click.argument("shell", type=click.Choice(SHELLS))
def completion(settings: Settings, shell: str) -> Answer:
    """The script that completes commands and options in a shell.

    
    Put what it prints into
    bash  ~/.local/share/bash-completion/completions/rosenblatt
    zsh   a file _rosenblatt in a folder of $fpath
    fish  ~/.config/fish/completions/rosenblatt.fish
    """
    from click.shell_completion import get_completion_class

    from .group import COMPLETE, group

    kind = get_completion_class(shell)
    assert kind is not None
    return Answer({"shell": shell, "script": _script(kind(group, {}, "rosenblatt", COMPLETE))}, _text, headline=False)


def _script(shell: Any) -> str:
    """The template filled in. (Not `source()`, which for bash first runs the bash that is installed.)"""
    return str(shell.source_template % shell.source_vars()).strip() + "\n"


def _text(report: Mapping[str, Any]) -> list[str]:
    return [report["script"].rstrip("\n")]

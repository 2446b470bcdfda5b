"""The documents of the command line: help pages and JSON, as they are printed.

`python tests/cli/test_cli_docs.py` writes both again, after a change that is meant.
"""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from rosenblatt.cli import main
from rosenblatt.cli.group import SECTIONS, group
from rosenblatt.cli.reference import reference

ROOT = Path(__file__).resolve().parents[2]
COMMANDS, JSON = ROOT / "docs" / "commands.md", ROOT / "docs" / "json.md"
EXAMPLE = re.compile(r"```console\n\$ (rosenblatt [^\n]*)\n(.*?)```", re.DOTALL)


CACHES = "caches"  # where the examples keep what is kept for streams: in their own folder


def timeless(value: Any) -> Any:
    """The same, with every time 0; and caches, which are called by the time of their files, without a name."""
    if isinstance(value, dict):
        return {key: 0.0 if key in ("seconds", "used") else timeless(entry) for key, entry in value.items()}
    if isinstance(value, str) and value.endswith(".rows"):
        return "*.rows"
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def rounded(value: Any) -> Any:
    """The same, with floats as another machine would have them, too."""
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def wrapped(value: Any, indent: int = 0) -> str:
    """JSON that is broken only where a line gets long."""
    line = json.dumps(value)
    if len(line) + indent <= 110 or not isinstance(value, (dict, list)):
        return line
    pad = "\n" + " " * (indent + 1)
    if isinstance(value, dict):
        return "{" + ",".join(f"{pad}{json.dumps(k)}: {wrapped(v, indent + 1)}" for k, v in value.items()) + "}"
    return "[" + ",".join(pad + wrapped(entry, indent + 1) for entry in value) + "]"


def files(text: str) -> dict[str, str]:
    return dict(re.findall(r"^`(\S+)`\n\n```csv\n(.*?)```", text, re.DOTALL | re.MULTILINE))


def test_the_reference_is_what_the_help_pages_say() -> None:
    assert COMMANDS.read_text() == reference(), "python tests/cli/test_cli_docs.py writes it again"


def test_every_help_page_fits_into_80_columns() -> None:
    page = reference()
    blocks = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 1 + sum(map(len, SECTIONS.values()))
    assert max(len(line) for block in blocks for line in block.splitlines()) <= 80


def test_no_command_is_cut_short_in_the_list() -> None:
    top = click.Context(group, info_name="rosenblatt")
    for name in group.list_commands(top):
        command = group.get_command(top, name)
        assert command is not None
        assert not command.get_short_help_str(64).endswith("..."), name


def test_every_command_takes_json() -> None:
    top = click.Context(group, info_name="rosenblatt")
    for name in group.list_commands(top):
        command = group.get_command(top, name)
        assert command is not None
        assert any("--json" in parameter.opts for parameter in command.params), name


def test_the_examples_of_json_are_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROSENBLATT_CACHE_DIR", CACHES)
    text = JSON.read_text()
    for name, content in files(text).items():
        Path(name).write_text(content)
    examples = EXAMPLE.findall(text)
    assert len(examples) >= 8
    for command, expected in examples:
        code = main(shlex.split(command)[1:])
        printed = json.loads(capsys.readouterr().out)
        assert rounded(timeless(printed)) == rounded(json.loads(expected)), command
        assert printed["exit"] == code


def _write() -> None:
    import contextlib
    import io
    import os
    import tempfile

    COMMANDS.write_text(reference())
    text = JSON.read_text()

    def run(match: re.Match[str]) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            main(shlex.split(match[1])[1:])
        return f"```console\n$ {match[1]}\n{wrapped(timeless(json.loads(printed.getvalue())))}\n```"

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ["ROSENBLATT_CACHE_DIR"] = CACHES
        for name, content in files(text).items():
            Path(name).write_text(content)
        text = EXAMPLE.sub(run, text)
    JSON.write_text(text)


if __name__ == "__main__":
    _write()

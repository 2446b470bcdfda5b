"""Answers: what a command found, on standard output, in words or as one line of JSON; and notes on standard error."""

import json
import os
import select
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import click

from .. import __version__
from ..errors import InputError

STDOUT = "standard output"


@dataclass(frozen=True)
class Answer:
    """What a command found: one plain dictionary, how to put it in words, and the exit code.

    The words are made from the dictionary alone. Their first line is the verdict, and bold on a terminal, unless there
    is no `headline`. Those that are `exact` are for a program to read: no character of them may be replaced. Lines
    `below` are for a person, on standard error.
    """

    result: Mapping[str, Any]
    text: Callable[[Mapping[str, Any]], Iterable[str]]
    exit: int = 0
    headline: bool = True
    exact: bool = False
    below: tuple[str, ...] = ()


def print_answer(answer: Answer, name: str, *, as_json: bool, quiet: bool) -> None:
    """The answer on standard output: one line of JSON, or words whose first line stands out on a terminal."""
    if as_json:
        write(envelope(name, answer.exit, result=answer.result))
        return
    lines = list(answer.text(answer.result))
    if quiet and answer.headline and "" in lines:
        lines = lines[: lines.index("")]
    if lines and answer.headline and styled():
        lines[0] = click.style(lines[0], bold=True)
    if lines:
        write("\n".join(lines), exactly=answer.exact)
    for line in answer.below:
        say(line)


def envelope(name: str | None, code: int, **part: Any) -> str:
    """The one form of JSON: `part` is a result or an error."""
    text = json.dumps({"rosenblatt": __version__, "command": name, "exit": code, **part}, allow_nan=False)
    if "-0.0" in text:  # there is no such number on paper
        text = json.dumps(json.loads(text, parse_float=lambda digits: float(digits) + 0.0))
    return text


def write(text: str, exactly: bool = False) -> None:
    """Write to standard output, if there is one, and see that it arrives.

    What the output's encoding does not have is replaced; not in results that are to be read `exactly` by a program.
    """
    if sys.stdout is None and exactly:
        raise InputError("standard output: closed; expected somewhere to write the result")
    if sys.stdout is None:
        return  # the exit code says it
    stream, buffer = sys.stdout, getattr(sys.stdout, "buffer", None)
    try:
        if buffer is None:  # text in memory
            stream.write(text + "\n")
            return
        errors = "strict" if exactly else stream.errors or "strict"
        rest = memoryview((text + "\n").encode(stream.encoding or "utf-8", errors))
        stream.flush()
        while rest:
            # To the file itself, which says how much it took: under PYTHONUNBUFFERED the stream does not look.
            count = getattr(buffer, "raw", buffer).write(rest)
            if count is None:  # a pipe that is full, and set not to wait
                select.select([], [stream], [])
            rest = rest[count or 0 :]
    except OSError as error:
        error.filename = STDOUT
        raise


def styled() -> bool:
    """Whether standard output is a terminal that may be styled (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def say(text: str) -> None:
    """A line on standard error, if anyone is there to read it."""
    with suppress(OSError, ValueError):
        click.echo(text, err=True)


def say_wrapped(text: str) -> None:
    """A note or so on standard error, in lines of 80 columns at most, those after the first indented."""
    say(textwrap.fill(text, 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))

"""How the program ends: one line for every error, an exit code for every end, and never a traceback unasked for."""

import errno
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import click

from ..errors import InputError, install, package_of
from .answers import STDOUT, envelope, say, write

BAD, FAULT, INTERRUPTED, CLOSED, TERMINATED = 2, 70, 130, 141, 143


class TerminatedError(KeyboardInterrupt):
    """SIGTERM: an end like that of Ctrl-C, so that whoever tidies up after one does after the other."""


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM raises `TerminatedError`, as Ctrl-C raises KeyboardInterrupt.

    Either may come while errors are ignored (in a destructor, say) or turned into others: then it is raised at the end.
    """
    received: list[type[KeyboardInterrupt]] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
            # An error there may be swallowed with a lock held, for which others would wait for ever: a moment later.
            threading.Timer(0.01, os.kill, (os.getpid(), number)).start()
            return
        received.append(TerminatedError if number == signal.SIGTERM else KeyboardInterrupt)
        raise received[-1]

    before: dict[signal.Signals, Any] = {}
    waiting = []
    if threading.current_thread() is threading.main_thread():
        for number, usual in ((signal.SIGTERM, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
            now = signal.getsignal(number)
            if getattr(now, "__name__", "") == "leave":  # of __main__.py, which lets them wait
                waiting.append(number)
            if now is usual or number in waiting:
                before[number] = signal.signal(number, interrupt)
    try:
        if waiting and hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_UNBLOCK, waiting)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if received and not isinstance(sys.exc_info()[1], KeyboardInterrupt):
            raise received[0]


def ended(error: BaseException, arguments: Sequence[str], name: str | None, verbose: bool) -> int:
    """Say in one line why it ended; the exit code. An end that is no error says nothing."""
    if isinstance(error, (SystemExit, GeneratorExit)):
        raise error
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code
    if isinstance(error, BrokenPipeError):
        _leave_stdout()  # whoever read the output has had enough: no word of it
        return CLOSED
    code, line = _why(error, name)
    line = " ".join(line.split())
    if code == FAULT and verbose:
        with suppress(OSError, ValueError):
            traceback.print_exception(error)
    where = error.filename if isinstance(error, OSError) else ""
    if where == STDOUT or not _asks_for_json(arguments):
        say(line)
    else:
        try:
            write(envelope(name, code, error={"message": line, **_place(line, arguments)}))
        except OSError as other:
            if not isinstance(other, BrokenPipeError):
                say(line)
            _leave_stdout()
    if where in (None, STDOUT):
        _leave_stdout()
    return code


def _why(error: BaseException, name: str | None) -> tuple[int, str]:
    if isinstance(error, TerminatedError):
        return TERMINATED, f"terminated {error}"
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        return INTERRUPTED, f"interrupted {error}"
    if isinstance(error, click.ClickException):
        help_of = " ".join(["rosenblatt", *([name] if name else []), "--help"])
        return BAD, f"{error.format_message().strip().rstrip('.')} (see {help_of})"
    if isinstance(error, InputError):
        return BAD, str(error)
    if isinstance(error, MemoryError):
        if "memory" in str(error):
            return BAD, str(error)
        return BAD, f"not enough memory{f' ({error})' * bool(str(error))}; expected data that fit, with room to work"
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("rosenblatt"):
        missing = (error.name or "").partition(".")[0]
        return BAD, f"{package_of(missing)} is not installed, and this needs it: {install(missing)}"
    if isinstance(error, OSError):
        named = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        where = named or (f"{STDOUT}: " if error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF) else "")
        return BAD, f"{where}{error.strerror or error}"
    if isinstance(error, UnicodeError):
        return BAD, f"text that cannot be encoded or decoded: {error}; expected UTF-8"
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return FAULT, f"{said} (a fault of rosenblatt, not of the data: please report it; -v shows the traceback)"


def _asks_for_json(arguments: Sequence[str]) -> bool:
    own = list(arguments)
    return "--json" in (own[: own.index("--")] if "--" in own else own)


def _place(line: str, arguments: Sequence[str]) -> dict[str, Any]:
    """The file, line and column that a message begins with; None where it has none."""
    known: dict[str, Any] = {"file": None, "line": None, "column": None}
    for file in sorted({*arguments, "standard input"}, key=len, reverse=True):
        if file and line.startswith(f"{file}:"):
            known["file"] = file
            if found := re.match(r":(\d+)(?::(\d+))?: ", line[len(file) :]):
                known["line"], known["column"] = (int(part) if part else None for part in found.groups())
            break
    return known


def _leave_stdout() -> None:
    """Point standard output nowhere, so that the interpreter does not fail on its way out over what is left in it."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)

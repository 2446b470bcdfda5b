"""Settings: what every command is told."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..files.reading import Reading
from .answers import say_wrapped
from .named import example_sheet, is_example

if TYPE_CHECKING:
    from ..files.expected import Expected
    from ..files.parts.input import Input
    from ..models.model import Model
    from .arriving import Arrivals
    from .searching import Onlooker

READING = (
    "label", "header", "format", "missing", "base", "hash_bits", "text", "leave_out", "coding", "reference", "counts",
    "words", "weight",
)  # fmt: skip
"""The options of `reading_options`, which are fields of a `Reading`."""
STREAMING = ("train", "check", "margin", "verify")
"""The commands that have --stream, and --dask."""


@dataclass(frozen=True)
class Settings:
    """What every command is told: how to print, how to read, and with how many threads."""

    json: bool = False
    verbose: bool = False
    quiet: bool = False
    progress: bool | None = None
    threads: int | None = None
    positive: str | None = None
    reading: Reading = field(default_factory=Reading)
    """How to read, as far as options say."""
    names: str | None = None
    """The file with the names of svmlight columns: they are kept in the model, and not how they came."""
    stream: bool = False
    """Whether rows stay on the disk."""
    memory: int | None = None
    """Bytes that the process may take then, beside the weights; None: as usual."""
    dask: str | None = None
    """The cluster to work on: the address of its scheduler, or "local"."""
    shards: int | None = None
    """To how many parts rows are shared out there; None: as usual."""

    @property
    def streaming_option(self) -> str:
        """The option by which rows are not in memory; "" if they are."""
        return "--dask" if self.dask is not None else "--stream" if self.stream else ""

    @property
    def shows_progress(self) -> bool:
        """Whether to show where long work is: as asked, else on a terminal."""
        if self.progress is not None:
            return self.progress
        return not self.quiet and sys.stderr is not None and sys.stderr.isatty()

    def note(self, text: str) -> None:
        """A line on standard error, unless -q; in JSON notes belong into the result."""
        if not self.quiet and not self.json:
            say_wrapped(text)

    def detail(self, text: str) -> None:
        """A line on standard error under -v."""
        if self.verbose:
            say_wrapped(text)

    def sheet(
        self,
        source: str,
        meanwhile: Sequence[str] = (),
        *,
        labels: str = "needed",
        keep_names: bool = False,
        expected: "Expected | None" = None,
        coding: str = "levels",
        origin: bool = False,
        replayed: bool = False,
        arrivals: "Arrivals | None" = None,
        epochs: int = 0,
        dealt: bool = False,
    ) -> Any:
        """What a file holds, read as asked, with a bar on a terminal.

        `example:NAME` is one of the examples that come with the program, and no file.

        `meanwhile` are modules that will be needed next: they are imported while the core reads. `labels`,
        `keep_names`, `expected`, `origin` and `replayed` are those of `Options`, and `coding` is what is usual there.

        A `Sheet`; or under --stream a `StreamedSheet`, which has no rows: `arrivals` learn from them as they are read
        for the first time, in one epoch of so many. Under --dask its rows are in shards, to which they may be `dealt`.
        """
        from ..choices import thread_count
        from ..files.options import Options
        from ..files.read import sheet_of

        options = Options(
            self.reading, labels, keep_names, thread_count(self.threads), expected, usual_coding=coding, origin=origin,
            names=self.names, replayed=replayed,
        )  # fmt: skip
        begin = time.monotonic()
        with self.reading_bar() as progress, _importing(meanwhile):
            if is_example(source):
                sheet: Any = example_sheet(source, options)
            elif self.dask is not None:
                from .clusters import sharded_sheet

                sheet = sharded_sheet(self, source, options, dealt)
            else:
                sheet = (
                    self._streamed(source, options, progress, arrivals, epochs)
                    if self.stream
                    else sheet_of(source, options, progress)
                )
        self.detail(f"read {sheet.name}: {sheet.rows.n} × {sheet.rows.d} in {time.monotonic() - begin:.2f} s")
        for text in sheet.details:
            self.detail(text)
        for text in sheet.notes:
            self.note(f"note: {text}")
        return sheet

    def _streamed(self, source: str, options: Any, progress: Any, arrivals: "Arrivals | None", epochs: int) -> Any:
        from ..files.parts.door import input_of
        from ..files.passed import Passed
        from ..files.stream import streamed
        from ..files.streamed import MEMORY
        from ..files.streamed_sheet import StreamedSheet

        given = input_of(source, options)
        met = None if arrivals is None else lambda sheet: arrivals.meet(sheet, given.again)
        if given.again or arrivals is None or met is None:
            found = streamed(given, options, self.memory, progress=progress, met=met)
            if found.memory > MEMORY and self.memory is None:
                self.note(f"note: its rows are long: about {found.memory / 1e6:.0f} MB of memory are taken, not 256")
            return StreamedSheet.of(found)
        arrivals.once(given.name, epochs)
        return StreamedSheet.of(Passed(given, met, progress))

    def alike(self, earlier: Reading | None, data: str) -> "Settings":
        """To read data as others were read, as far as that is known, unless options say otherwise."""
        from ..files.formats import format_named

        if is_example(data):
            return self  # it is not read
        earlier = earlier or Reading()
        format = self.reading.format or format_named(data) or earlier.format
        return replace(self, reading=earlier.alike(format).updated(self.reading))

    def sheet_for(self, model: "Model", data: str, **options: Any) -> Any:
        """What a file holds that a model is to judge: read as its own data were, but each row once."""
        return self.sheet_like(replace(model.reading or Reading(), counts=None), model.feature_names, data, **options)

    def sheet_like(self, reading: Reading, names: tuple[str, ...] | None, data: str, **options: Any) -> Any:
        """What a file holds, read as others of these columns were, unless options say otherwise.

        Where those had a header and the file has none, or the other way round, columns go by position, and it is said.
        """
        from ..files.expected import Expected

        alike = self.alike(reading, data)
        alike = replace(alike, reading=replace(alike.reading, header=self.reading.header))
        return alike.sheet(data, expected=Expected.of(reading, names), **options)

    def input_for(self, model: "Model", data: str) -> "Input":
        """The same, to be read in parts; it may have labels."""
        from ..choices import thread_count
        from ..files.expected import Expected
        from ..files.options import Options
        from ..files.parts.door import input_of
        from ..files.parts.whole import SheetInput

        reading = replace(model.reading or Reading(), counts=None)
        how = replace(self.alike(reading, data).reading, header=self.reading.header)
        expected = Expected.of(reading, model.feature_names)
        options = Options(how, "wanted", False, thread_count(self.threads), expected, names=self.names)
        return SheetInput(example_sheet(data, options)) if is_example(data) else input_of(data, options)

    def reading_bar(self) -> AbstractContextManager[Callable[[int, int | None], None] | None]:
        """A bar for bytes read."""
        from .progress import reading_bar

        return reading_bar(self.shows_progress)

    def searching(self, doing: str, seconds: float | None = None) -> AbstractContextManager["Onlooker"]:
        """Shows where a search is that may take long, `seconds` at most, and lets Ctrl-C end it with what is known."""
        from .searching import searching

        return searching(self.shows_progress, doing, seconds)

    def again(self, command: str, *arguments: str, **own: Any) -> list[str]:
        """A command to type next about the same data, read the same way. `own` are more options of that command.

        An option that is None or False is left out; True is a flag.
        """
        reading = {**{name: getattr(self.reading, name) for name in READING}, "names": self.names}
        if self.dask is not None and command in STREAMING:
            reading |= {"dask": self.dask, "shards": self.shards, "memory": self.memory}
        elif self.stream and command in STREAMING:
            reading |= {"stream": True, "memory": self.memory}
        if self.reading.reference:
            reading.pop("coding")  # which it implies
        return typed_command(command, arguments, {**reading, "positive": self.positive, **own})


def typed_command(command: str, arguments: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """A command as one types it. An option that is None or False is left out, True is a flag.

    >>> typed_command("clinic", ["-a.csv"], {"header": False, "reference": {"arm": "A"}, "counts": ("n", "m")})
    ['rosenblatt', 'clinic', '--no-header', '--reference', 'arm=A', '--counts', 'n,m', '--', '-a.csv']
    """
    words: list[str] = []
    arguments = ["DATA" if one == "-" else one for one in arguments]  # what came in has been taken
    for name, value in options.items():
        if name == "header" and value is False:
            words += ["--no-header"]
        if value is None or value is False or (name, value) == ("missing", "refuse"):
            continue
        if isinstance(value, Mapping):
            value = [f"{column}={level}" for column, level in value.items()]
        elif name == "counts":
            value = ",".join(value)
        for one in value if isinstance(value, (list, tuple)) else [value]:
            text = repr(one).removesuffix(".0") if isinstance(one, float) else str(one)
            words += [f"--{name.replace('_', '-')}", *([] if one is True else [text])]
    if any(argument.startswith("-") for argument in arguments):
        return ["rosenblatt", command, *words, "--", *arguments]  # a file that looks like an option
    return ["rosenblatt", command, *arguments, *words]


@contextmanager
def _importing(modules: Sequence[str]) -> Iterator[None]:
    """Import modules of this package in another thread. What goes wrong there goes wrong again where they are used."""

    def load() -> None:
        with suppress(Exception):
            for name in modules:
                import_module(f"..{name}", __package__)

    thread = threading.Thread(target=load, daemon=True)
    if modules:
        thread.start()
    yield
    if modules:
        thread.join()  # not after an error, such as Ctrl-C: nobody needs them any more

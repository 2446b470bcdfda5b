"""Reopened: files as a source that can be sent. A worker that it comes to opens them itself, through its own cache."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from numpy.typing import NDArray

from ..data.classes import AgainstRest
from ..data.source import Answer, Ints, Labels, Source, TakenRows, Visit
from ..errors import InputError
from ..files.agreement import Agreed
from ..files.options import Options
from ..files.shard import check_unchanged, in_classes, stream_as
from ..files.stream import streamed
from ..files.streamed import StreamedSource

Facts = Mapping[str, Mapping[str, Any]]
"""What files are known by (`file_facts`): one that is changed later is found out."""


def check_there(paths: Sequence[str]) -> None:
    """Raises `InputError` for a file that this worker does not see; whoever asks for it does."""
    if (path := next((path for path in paths if not os.path.isfile(path)), None)) is not None:
        raise InputError(
            f"{path}: a worker on {platform.node()} finds no such file; the path must lead to it on every machine, and"
            " it must stay where it was"
        )


@dataclass(frozen=True, eq=False)
class Recipe:
    """How to open some files on any worker. `token` tells whether it has been done in a process."""

    token: str
    paths: tuple[str, ...]
    options: Options
    memory: int | None
    facts: Facts = field(default_factory=dict)
    """What the files were known by when they were first opened; nothing before that."""
    agreed: Agreed | None = None
    values: NDArray[Any] | None = None
    """All labels of the whole, if the files are a part of one."""
    weighted: bool = False
    place: int = 0
    """Of a file that is a shard: its place among all."""

    def opened(self) -> StreamedSource:
        """The files as a source."""
        check_there(self.paths)
        if self.agreed is not None:
            return self.coded(stream_as(list(self.paths), self.options, self.agreed, self.memory))
        if self.facts:
            check_unchanged(self.paths, self.facts)
        return streamed(list(self.paths), self.options, self.memory)

    def coded(self, found: StreamedSource) -> StreamedSource:
        """The open files with the classes of the whole, once these are known."""
        if self.agreed is None or self.values is None:
            return found
        return in_classes(found, self.values, self.agreed, self.weighted)


_OPEN: WeakValueDictionary[str, StreamedSource] = WeakValueDictionary()
"""What is open in this process: shards of one file share it."""


def _open_here(recipe: Recipe) -> StreamedSource:
    found = _OPEN.get(recipe.token)
    if found is None:
        found = _OPEN[recipe.token] = recipe.opened()
    return found


class Reopened(Source):
    """Files as a source that can be sent: in another process they are opened when they are first asked for rows.

    Not on arrival: a worker takes in what it is sent between its tasks, where nothing may take long, and where nobody
    is told which shard could not be opened.
    """

    def __init__(self, recipe: Recipe, found: StreamedSource | None = None) -> None:
        """`found`: the files, if they are open."""
        self.recipe, self._found = recipe, found
        found = self.streamed
        self.shape = found.n_rows, found.n_columns, found.is_sparse
        self.classes, self.feature_names = found.classes, found.feature_names
        self.has_weights, self.chunks_together = found.has_weights, found.chunks_together

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_found": None}

    @property
    def streamed(self) -> StreamedSource:
        """The files, open."""
        if self._found is None:
            self._found = _open_here(self.recipe)
        return self._found

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return self.shape[0]

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.shape[1]

    @property
    def is_sparse(self) -> bool:
        """Whether rows come in CSR form."""
        return self.shape[2]

    def gather(self, numbers: Ints) -> TakenRows:
        """The rows of these numbers."""
        return self.streamed.gather(numbers)

    def take(self, visit: Visit) -> TakenRows:
        """The rows of a visit."""
        return self.streamed.take(visit)

    def scan(self, question: Any) -> Iterator[Answer]:
        """Some chunks after the other."""
        return self.streamed.scan(question)

    def labels_of(self, numbers: Ints) -> Labels:
        """The labels of the rows of these numbers."""
        return self.streamed.labels_of(numbers)

    def label_parts(self) -> Iterator[Labels]:
        """All labels."""
        return self.streamed.label_parts()

    def lines_of(self, numbers: Ints) -> Ints | None:
        """The lines of rows in their files."""
        return self.streamed.lines_of(numbers)

    def digest(self, *, every_row: bool = False) -> int:
        """A number that tells data apart. Asked for once, as long as they are open."""
        return self.streamed.digest(every_row=every_row)

    def with_classes(self, values: NDArray[Any], weighted: bool) -> "Reopened":
        """The same rows with the classes of the whole. They are not opened again."""
        token = f"{self.recipe.token} with classes"
        recipe = replace(self.recipe, token=token, values=values, weighted=weighted)
        return Reopened(recipe, recipe.coded(self.streamed))

    def against_rest(self, one: AgainstRest, names: tuple[str, ...] | None) -> StreamedSource:
        """One class against all others: a view of what is open, made anew for every task, which cannot be sent."""
        return self.streamed.against_rest(one, names)

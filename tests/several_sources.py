"""A source whose rows lie in several places: questions go there and their answers come back; the rows never do."""

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import cloudpickle  # type: ignore[import-untyped]
import numpy as np

from rosenblatt.data.csr import stacked
from rosenblatt.data.examples import Examples
from rosenblatt.data.rows import matrix_of, rows_of
from rosenblatt.data.source import CHUNK, Asked, Source, TakenRows
from rosenblatt.data.two_classes import labelled
from rosenblatt.errors import InputError


def sent(value: Any) -> Any:
    """As another process gets it."""
    return cloudpickle.loads(cloudpickle.dumps(value))


class SeveralSources(Source):
    """Parts of a table, each of which sees a copy of a question; cut at multiples of `size` rows."""

    def __init__(self, X: Any, y: Any, size: int = CHUNK, feature_names: tuple[str, ...] | None = None) -> None:
        whole = labelled(X, y, feature_names)
        self.classes, self.feature_names, self.size = whole.classes, whole.feature_names, size
        self.shape, self.sparse, self.own_digest = (whole.n_rows, whole.n_columns), whole.is_sparse, whole.digest
        self.parts = [whole.subset(np.arange(i, min(i + size, whole.n_rows))) for i in range(0, whole.n_rows, size)]
        self.asked = 0

    @property
    def n_rows(self) -> int:
        return self.shape[0]

    @property
    def n_columns(self) -> int:
        return self.shape[1]

    @property
    def is_sparse(self) -> bool:
        return self.sparse

    def ask(self, question: Asked) -> Asked:
        self.asked += 1
        answers = list[Asked]()
        for at, part in enumerate(self.parts):
            copy = sent(question)
            for first in range(0, part.n_rows, CHUNK):
                rows = matrix_of(part.rows)[first : first + CHUNK]
                taken = TakenRows(rows_of(rows), part.labels[first : first + CHUNK], first_row=at * self.size + first)
                copy.see(taken)
            answers.append(sent(copy))
        for later in answers[1:]:
            answers[0].join(later)
        return answers[0]

    def gather(self, numbers: Any) -> TakenRows:
        places = numbers // self.size
        order = np.argsort(places, kind="stable")
        parts = [(self.parts[at], numbers[places == at] % self.size) for at in np.unique(places).tolist()]
        rows = [matrix_of(part.rows)[some] for part, some in parts]
        table, back = stacked(rows) if self.sparse else np.concatenate(rows), np.argsort(order)
        labels = np.concatenate([part.labels[some] for part, some in parts])[back]
        return TakenRows(rows_of(table[back]), labels, numbers=numbers)

    def labels_of(self, numbers: Any) -> Any:
        return self.gather(numbers).labels

    def digest(self, *, every_row: bool = False) -> int:
        return self.own_digest(every_row=every_row)

    def each_block(self, function: Callable[[int, Any, Any], Any]) -> Iterator[Any]:
        """What the checker's function says of each part; they are cut where chunks are, or make one chunk."""
        parts = self.parts
        if self.size % CHUNK:
            assert self.n_rows <= CHUNK
            taken = self.gather(np.arange(self.n_rows))
            parts = [Examples(taken.rows, taken.labels, self.classes)]
        for at, part in enumerate(parts):
            yield sent(sent(function)(at * self.size, matrix_of(part.rows), part.labels))

    def scan(self, question: Any) -> NoReturn:
        raise InputError("the rows of several places cannot be had one after the other")

    def take(self, visit: Any) -> NoReturn:
        raise InputError("the rows of several places cannot be had one after the other")

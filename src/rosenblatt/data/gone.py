"""Gone: rows that were there once and cannot be asked any more. What is known of them is what somebody has noted."""

from abc import abstractmethod
from collections.abc import Callable, Iterator

from ..errors import InputError
from .source import Answer, Ints, Source, TakenRows


class Gone(Source):
    """A source without its rows: their number, their columns and their form are known. Why, a subclass says."""

    gone = True
    shape: tuple[int, int]
    sparse: bool

    @abstractmethod
    def _refusal(self) -> InputError:
        """What to say to whoever asks for rows."""

    @property
    def n_rows(self) -> int:
        """How many rows there were."""
        return self.shape[0]

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.shape[1]

    @property
    def is_sparse(self) -> bool:
        """Whether rows came in CSR form."""
        return self.sparse

    def gather(self, numbers: Ints) -> TakenRows:
        """They cannot be had again."""
        raise self._refusal()

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """They cannot be asked any more."""
        raise self._refusal()

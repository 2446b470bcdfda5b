r"""Words: a column of sentences becomes a feature `column:word` for each word, its value how often the row has it.

Text is Unicode. It is folded (`str.casefold`: case, and ß as ss), and ’ is written '. A word is what `WORD` matches
then: letters, marks and digits in a run (the categories L, M and N of Unicode), with apostrophes within. All else
separates words, and counts for nothing. Words are sorted by their code points.

The work is in src/core/words.hpp; of characters past ASCII it is told here what they are.
"""

import unicodedata
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...errors import InputError
from .columns import MOST_CATEGORIES, Column, TableOrigin, column_error

WORD = r"[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*"
"""A word, in text that was folded: as a regular expression with Unicode's categories."""


@dataclass(frozen=True, eq=False)
class WordColumn(Column):
    """How often a row has a word: `rows` rise, and `numbers`, which count into `categories`, rise within each.

    gone
        The rows whose text is missing.
    """

    numbers: NDArray[np.int32] = None  # type: ignore[assignment]  # behind fields with defaults
    gone: NDArray[np.int64] = None  # type: ignore[assignment]

    @property
    def is_text(self) -> bool:
        """Its words are no levels: a row has many of them."""
        return False

    def missing(self) -> NDArray[np.int64]:
        """The rows where the text is missing."""
        return self.gone

    def kept(self, keep: NDArray[np.bool_]) -> "WordColumn":
        """Some of the rows."""
        assert self.rows is not None
        among, place = keep[self.rows], np.cumsum(keep) - 1
        return replace(
            self,
            values=self.values[among],
            rows=place[self.rows[among]],
            numbers=self.numbers[among],
            gone=place[self.gone[keep[self.gone]]],
        )

    def doubled(self) -> "WordColumn":
        """Each row twice, one after the other."""
        assert self.rows is not None
        rows = np.concatenate([2 * self.rows, 2 * self.rows + 1])
        order = np.argsort(rows, kind="stable")
        values, numbers = np.tile(self.values, 2)[order], np.tile(self.numbers, 2)[order]
        gone = np.repeat(2 * self.gone, 2)
        gone[1::2] += 1
        return replace(self, values=values, rows=rows[order], numbers=numbers, gone=gone)

    def used(self) -> "WordColumn":
        """The same with the words that occur."""
        words = self.categories or []
        there = np.bincount(self.numbers, minlength=len(words)) > 0
        if there.all():
            return self
        places = (np.cumsum(there) - 1).astype(np.int32)
        return replace(
            self, numbers=places[self.numbers], categories=[words[k] for k in np.flatnonzero(there).tolist()]
        )

    def names(self) -> list[str]:
        """The features it becomes."""
        return [f"{self.name}:{word}" for word in self.categories or ()]

    def stored(self) -> int:
        """How many counts there are."""
        return int(self.values.size)

    def places_within(self) -> NDArray[np.int64]:
        """Of each count, how many its row has before it."""
        assert self.rows is not None
        return np.arange(self.rows.size) - np.searchsorted(self.rows, self.rows)


def word_column(origin: TableOrigin, place: int, texts: Any, codes: NDArray[Any], hashed: bool) -> WordColumn:
    """The words of different texts, an Arrow array without nulls, by the number of each row's text; −1 is missing."""
    import pyarrow as pa

    texts = texts.cast(pa.large_string())
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    words, starts, numbers, counts = _counted(texts)
    if len(words) > MOST_CATEGORIES and not hashed:
        raise column_error(
            origin,
            place,
            f"{len(words)} different words; expected at most {MOST_CATEGORIES}, or --hash-bits 20 (hash_bits=20)",
        )
    codes = np.asarray(codes, dtype=np.int64)
    there = np.flatnonzero(codes >= 0)
    first, sizes = starts[codes[there]], np.diff(starts)[codes[there]]
    ends = np.cumsum(sizes)
    at = np.arange(int(ends[-1]) if ends.size else 0) + np.repeat(first - (ends - sizes), sizes)
    return WordColumn(
        place,
        origin.columns[place],
        counts[at],
        words,
        np.repeat(there, sizes),
        numbers=numbers[at],
        gone=np.flatnonzero(codes < 0),
    )


def _counted(texts: Any) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    import pyarrow as pa

    n, offset = len(texts), texts.offset
    _, ends, data = texts.buffers()
    if not n or data is None:
        return [], np.zeros(n + 1, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0)
    offsets = np.array(np.frombuffer(ends, np.int64, count=n + 1, offset=8 * offset))
    codes = _core.codes_past_ascii(data)
    return _core.word_counts(pa.py_buffer(data), offsets, codes, [_folded(chr(code)) for code in codes])


def _folded(character: str) -> str:
    """What it becomes within a word; nothing if it separates words."""
    if not "\ud800" <= character <= "\udfff" and unicodedata.category(character)[0] in "LMN":
        return character.casefold()
    return ""


def no_sentences(origin: TableOrigin, place: int, what: str) -> InputError:
    """The error for a column of sentences that holds none."""
    return column_error(origin, place, f"holds {what}, not sentences; expected text, or no --words (words=)")

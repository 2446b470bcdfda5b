"""The fewest mistakes of rows that are not in memory: searches among few rows, and scans of all that count.

- **From above**: hyperplanes that are good for some of the rows, or learnt from all, and the mistakes that each makes
  on all rows, counted exactly by a scan.
- **From below**: witnesses. Each is a few rows that no hyperplane gets all right, whatever other rows there are; so
  witnesses with no row in common, found among some rows and then among others, count together. They are looked for
  around rows that the best hyperplane gets wrong, of which a scan picks some, with rows near the hyperplane and others.

Rows that all fit into memory are searched there. Otherwise it ends when the bounds meet, when time runs out, or when
scans find nothing more; and what it says is true of all rows, whenever it ends.
"""

import math
import time
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ... import _core
from ...data.examples import Examples
from ...data.rows import not_finite
from ...data.source import CHUNK, Source
from ..mistakes.bracketing import improve_hyperplane
from ..mistakes.known import MistakeSearch
from ..mistakes.neighbours import Neighbourhoods
from ..mistakes.of_examples import bracket_examples
from ..mistakes.packing import WitnessPool
from ..mistakes.result import LeastMistakes
from ..mistakes.witnesses import IntegerWitness, integer_witness
from ..mistakes.zero_one import MOST_COLUMNS, ZeroOneDescent
from ..partition import SearchResult
from ..signed_rows import Ints, SignedRows, Vector
from ..subject import digest_of
from ..watch import OutOfTimeError, Watch
from .known_mistakes import KnownMistakes
from .learning import READOUTS, learnt, plane_of
from .mistaken import MistakesOf
from .search import separate
from .source_rows import SourceRows
from .working_set import WorkingSet, gathered, most_rows

_NOMINAL = 60.0  # seconds by which a search without a time limit shares its time out
_WIDTH = 256  # rows that tell how many numbers a row has
_FIRST = 20_000  # rows that are searched at first
_BATCH, _BATCHES = 3000, 8  # rows among which witnesses are looked for at a time, and how often from one scan
_WRONG = 0.1  # of them on the wrong side: a witness has more rows that are right
_EPOCHS = 3
_IDLE = 3  # scans that found nothing new, before it ends


def bracket_source(
    source: Source, through_origin: bool, watch: Watch, threads: int, seed: int, limit: float
) -> LeastMistakes:
    """The bracket, when the watch ends it, or nothing more is found; `limit` is what the time limit is said to be."""
    digest, search = digest_of(source), _Search(SourceRows(source, through_origin, watch, threads), seed, limit)
    with suppress(OutOfTimeError):
        whole = search.begin()
        if whole is not None:
            return replace(whole, source=source, digest=digest)
        search.narrow()
    return search.known.result(digest, search.planes, limit)


class _Search:
    """A search for what bounds the mistakes on all rows."""

    def __init__(self, rows: SourceRows, seed: int, limit: float) -> None:
        self.rows, self.watch, self.seed, self.limit = rows, rows.watch, seed, limit
        self.share = limit if math.isfinite(limit) else _NOMINAL
        self.random = np.random.default_rng(seed)
        self.planes = list[Vector]()
        """To be counted."""
        self.known = KnownMistakes(rows)

    def tell(self, doing: str) -> None:
        """Say what is being done, and what is known."""
        known = self.known
        upper = None if known.best is None else known.upper
        self.watch.tell(doing, lower=known.lower, upper=upper, witnesses=len(known.packing))

    def begin(self) -> LeastMistakes | None:
        """The bracket of some rows; if that is all of them, it is the answer."""
        rows, n = self.rows, self.rows.n
        few = self._gathered(np.unique(np.linspace(0, n - 1, min(n, _WIDTH)).astype(np.int64)))
        rows.entries = -(-int(few.rows.arrays[0].size) // few.n_rows) * n
        most = most_rows(rows)
        if n <= most:
            examples = self._gathered(np.arange(n))
            return bracket_examples(examples, rows.origin, self.watch, rows.threads, self.seed, self.limit)
        size = min(most, _FIRST)
        numbers = np.unique(self.random.integers(0, n, size))
        part = self.watch.aside(0.25 * self.share, f"{numbers.size:,} of {n:,} rows")
        found = bracket_examples(self._gathered(numbers), rows.origin, part, rows.threads, self.seed, self.limit)
        self.known.packing += [(_named(witness, numbers), weight) for witness, weight in found.packing]
        self.known.bound, self.known.by = found.lower, found.by
        w, b = found.exact_hyperplane
        self.planes.append([*w, *([] if rows.origin else [b])])
        if not found.upper:
            self._separate()
        self._learn()
        return None

    def _gathered(self, numbers: Ints) -> Examples:
        """These rows, in memory. Raises `InputError` at what is not finite."""
        examples = gathered(self.rows.source, numbers, self.watch)
        _, place, column = _core.radius2(examples.rows, self.rows.threads)
        if column >= 0:
            raise not_finite(int(numbers[place]), column, self.rows.source.feature_names)
        return examples

    def _separate(self) -> None:
        """Where no row that was seen need be wrong: a hyperplane that separates all rows, or a witness."""
        part, found = self.watch.aside(0.4 * self.share, "separating all rows"), SearchResult()
        with suppress(OutOfTimeError):
            rows = SourceRows(self.rows.source, self.rows.origin, part, self.rows.threads).look()
            separate(WorkingSet(rows), found)
        if found.strict and found.v is not None:
            self.planes.insert(0, found.v)
        elif found.witness is not None:
            self.known.packing.append((integer_witness(*found.witness), Fraction(1)))

    def _learn(self) -> None:
        """Hyperplanes of a run over all rows, which few rows may not tell of."""
        self.watch.seconds_left()
        if self.rows.n <= CHUNK:
            return
        self.tell("learning from all rows")
        part = self.watch.aside(0.15 * self.share, "")
        run = learnt(self.rows, lambda _: part.over(), rule="perceptron", max_epochs=_EPOCHS)
        if run is not None:
            planes = [plane_of(run, readout, self.rows.origin) for readout in READOUTS]
            self.planes += [v for v in planes if any(v[: self.rows.source.n_columns])]

    def narrow(self) -> None:
        """Scans that count, and searches for witnesses among the rows that they pick, until nothing more is found."""
        rows, known, idle, draw = self.rows, self.known, 0, 0
        most = min(most_rows(rows), _BATCH * _BATCHES)
        wrong = max(1, int(_WRONG * most))
        last: tuple[int, int] | None = None
        while idle < _IDLE:
            self.tell(MistakesOf.doing)
            names, seed = rows.source.feature_names, 2 * draw + 1000 * self.seed
            found = rows.ask(MistakesOf(self.planes, known.used(), wrong, most - wrong, names, seed))
            best, draw = known.offer(found.counted), draw + 1
            if known.lower >= known.upper or rows.d > MOST_COLUMNS:
                return
            now = known.upper, len(known.packing)
            last, idle = now, idle + 1 if now == last else 0
            self.planes = [best.v]
            self._improve(np.union1d(found.wrong.rows(), found.right.rows()))
            self._look_for_witnesses(found.wrong.rows(), found.right.rows())

    def _descent(self, numbers: Ints, seconds: float) -> ZeroOneDescent:
        """Some rows, and the best hyperplane so far."""
        part = self.watch.aside(seconds, f"{numbers.size:,} of {self.rows.n:,} rows")
        s = SignedRows(self._gathered(numbers), self.rows.origin, part, self.rows.threads, self.seed)
        descent = ZeroOneDescent(s)
        if self.known.best is not None:
            descent.offer(self.known.best.v)
        return descent

    def _improve(self, numbers: Ints) -> None:
        """A hyperplane that makes fewer mistakes on these rows: whether on all, the next scan will tell."""
        if not numbers.size:
            return
        descent = self._descent(numbers, 0.08 * self.share)
        before = descent.upper
        with suppress(OutOfTimeError):
            search = MistakeSearch(descent.s, descent, WitnessPool(descent.s.n), 0.08 * self.share)
            improve_hyperplane(search, 0.8)
        if descent.upper < before:
            self.planes.append(descent.v)

    def _look_for_witnesses(self, wrong: Ints, right: Ints) -> None:
        """Witnesses with no row in common, in batches of these rows."""
        if not wrong.size:
            return
        count = -(-(wrong.size + right.size) // _BATCH)
        parts = [np.array_split(self.random.permutation(some), count) for some in (wrong, right)]
        end = time.monotonic() + 0.4 * self.share
        for some in zip(*parts, strict=True):
            if time.monotonic() > end or self.known.lower >= self.known.upper:
                return
            numbers = np.sort(np.concatenate(some))
            descent = self._descent(numbers, end - time.monotonic())
            with suppress(OutOfTimeError):
                for witness in Neighbourhoods(descent).disjoint(np.zeros(numbers.size, dtype=bool)):
                    self.known.packing.append((_named(witness, numbers), Fraction(1)))
            self.tell("looking for rows that no hyperplane gets all right")


def _named(witness: IntegerWitness, numbers: Ints) -> IntegerWitness:
    """A witness by the numbers that its rows have in the source."""
    return IntegerWitness(tuple(numbers[list(witness.rows)].tolist()), witness.multipliers)

"""Text-like data: rows with a few of very many columns, as sparse as word counts are."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import count
from ..data.hyperplane import Hyperplane
from ..errors import InputError, install
from .generators import fraction, seed_of, turned_over
from .sample import Sample

_MOST = 2**31 - 1  # what an index of 32 bits reaches


def text(n_rows: int = 1000, n_columns: int = 5000, *, words: int = 75, noise: float = 0.0, seed: int = 0) -> Sample:
    """Word counts by Zipf's law, each row divided by its length: a CSR array with sorted indices of 32 bits.

    Row i has a random number of words, `words` on average (negative binomial, as in real texts far from equal). The
    r-th most frequent word comes up with a probability proportional to 1/r; which column that is, is drawn too. A word
    that comes up twice is one entry, so a row has fewer entries than words.

    A tenth of the columns have a hidden weight of +1 or −1, in pairs of neighbours in frequency, so that neither class
    prevails by much; the ten most frequent words (of 200 or more) decide nothing. The label is the sign of the row's
    sum of these weights; a row that sums to 0 gets one more such word. So `hyperplane` separates the rows, each by at
    least 1/(its number of words·√(hidden columns)), except exactly round(noise·n) of them, listed in `flipped`. It goes
    through the origin. How much larger γ* is, is not known.

    >>> sample = text(200, 1000, noise=0.05, seed=1)
    >>> sample, sample.X.indices.dtype.name
    (<Sample text: 200 × 1000, R = 1>, 'int32')
    >>> np.flatnonzero(sample.hyperplane.predict(sample.X) != sample.y).tolist() == sample.flipped.tolist()
    True
    """
    n, d = count("n_rows", n_rows, most=_MOST), count("n_columns", n_columns, least=2, most=_MOST)
    words, seed = count("words", words, most=_MOST), seed_of(seed)
    noise = fraction("noise", noise)
    if n * words > _MOST // 2:  # half: the lengths are random
        raise InputError(f"{n} rows of {words} words: at most {_MOST // 2} words in all, for indices of 32 bits")
    rng = np.random.default_rng(seed)
    frequency = np.cumsum(1 / np.arange(1, d + 1))  # of the words up to each rank, not yet divided by their sum
    places = rng.permutation(d).astype(np.int64)

    weight = np.zeros(d, dtype=np.int64)
    common = min(5, d // 40)
    pairs = 2 * (common + rng.choice(d // 2 - common, max(1, d // 20), replace=False))
    side = rng.choice([-1, 1], pairs.size)
    weight[pairs], weight[pairs + 1] = side, -side
    hidden = np.flatnonzero(weight)

    lengths = 1 + rng.negative_binomial(2, 2 / (words + 1), n)
    owners = np.repeat(np.arange(n), lengths)
    ranks = _drawn(rng, frequency, owners.size)
    sums = np.bincount(owners, weight[ranks], n)  # whole numbers: exact
    silent = np.flatnonzero(sums == 0)
    extra = hidden[_drawn(rng, np.cumsum(1 / (1 + hidden)), silent.size)]
    sums[silent] = weight[extra]

    # One number for a word of a row; sorting them puts rows and columns in order, and counting finds repeats.
    cells = np.concatenate([owners * d + places[ranks], silent * d + places[extra]])
    cells, times = np.unique(cells, return_counts=True)
    y, flipped = turned_over(np.where(sums > 0, 1, -1), noise, seed)
    w = np.zeros(d)
    w[places] = weight
    return Sample(_csr(cells, times, n, d), y, "text", None, 1.0, (Hyperplane(w),), {"offset": 0}, flipped)


def _drawn(rng: np.random.Generator, cumulative: NDArray[np.float64], size: int) -> NDArray[np.int64]:
    """Places drawn with the probabilities whose running sums are given, up to a factor."""
    drawn = np.searchsorted(cumulative, rng.random(size) * cumulative[-1], side="right")
    return np.asarray(np.minimum(drawn, cumulative.size - 1))  # the product may round up to the last sum


def _csr(cells: NDArray[np.int64], times: NDArray[np.int64], n: int, d: int) -> Any:
    """Rows of length 1, from sorted cells i·d + j and how often each comes up."""
    try:
        from scipy.sparse import csr_array  # slow to import, and a run does without it
    except ModuleNotFoundError:
        raise InputError(f"text comes as a sparse matrix of SciPy's: {install('scipy')}") from None
    owners, columns = np.divmod(cells, d)
    starts = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(owners, minlength=n), out=starts[1:])
    lengths = np.sqrt(np.bincount(owners, times * times, n))
    values = times / lengths[owners]
    return csr_array((values, columns.astype(np.int32), starts), shape=(n, d))

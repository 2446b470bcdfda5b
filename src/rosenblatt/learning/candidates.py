"""Candidates: what `choose` tries. The list and its order were found by measurement (docs/choosing.md).

Ties go to the earlier, so that the one which is safest on few rows comes first. More than two classes are told apart
directly, which beat one-vs-rest wherever the two differed, but on words: there both are tried.
"""

from ..runs.choice import Candidate

_SAFE = Candidate("relative-margin", 1.0, "standard")
_DENSE = Candidate("relative-margin", 3.0, "standard")
_ANY = (Candidate("relative-margin", 1.0), Candidate("scinol"), Candidate("coin"))


_WORDS = 1000  # columns from which on sparse rows are taken for words


def candidates_for(sparse: bool, columns: int, classes: int, few: bool) -> tuple[Candidate, ...]:
    """Those to try; of `few` rows one more, which with many is as good as the next.

    Sparse rows of many columns are words, mostly: scaled without being centred they mislead (docs/choosing.md), and one
    against the rest may do better. Those of few columns are a table with many zeros.
    """
    if sparse and columns >= _WORDS:
        return _ANY if classes == 2 else (*_ANY, Candidate("scinol", multiclass="ovr"))
    return (_SAFE, _DENSE, *_ANY) if few else (_DENSE, *_ANY)

"""The coefficients of a clinic by name, which answer to the names that R gives them, too."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from ...report.terms import term


class CoefficientsByName(dict[str, Any]):
    """A dictionary by the features' own names; it finds what R would call by another name.

    >>> some = CoefficientsByName({"arm=C": 1, "(offset)": 2}, ["arm"])
    >>> list(some), some["armC"], some["(Intercept)"], "armC" in some, some.get("armD", 0)
    (['arm=C', '(offset)'], 1, 2, True, 0)
    """

    def __init__(self, coefficients: Mapping[str, Any], text: Collection[str] = ()) -> None:
        super().__init__(coefficients)
        terms = {name: term(name, text) for name in coefficients}
        often = Counter(terms.values())
        # A term that several features share, or that is a feature's own name, tells nothing.
        self._own = {said: name for name, said in terms.items() if often[said] == 1 and said not in coefficients}

    def __missing__(self, name: str) -> Any:
        return self[self._own[name]]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self._own

    def get(self, name: str, default: Any = None) -> Any:
        """The coefficient of this name or term, or what is to stand for none."""
        return super().get(self._own.get(name, name), default)

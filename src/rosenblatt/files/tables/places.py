"""Columns that are asked for by name or by position: those of words, and that of the weights."""

from ...errors import InputError, shown
from ..column_place import column_place
from ..options import Options
from .columns import TableOrigin


def word_places(origin: TableOrigin, options: Options) -> frozenset[int]:
    """The positions of the columns whose sentences become words."""
    found = [_place(origin, asked, "words", True) for asked in options.reading.words or ()]
    return frozenset(place for place in found if place is not None)


def weight_place(origin: TableOrigin, options: Options, label: int | None) -> int | None:
    """The position of the column that holds the weights, if there is one."""
    asked, needed = options.reading.weight, options.labels == "needed"
    if asked is None or (place := _place(origin, asked, "weight", needed)) is None:
        return None
    name = shown(origin.columns[place])
    if place == label:
        raise InputError(f"{origin.name}: column {name} is the label; expected another one for the weights")
    for option, others in (("--text", options.text), ("--leave-out", options.leave_out)):
        if origin.columns[place] in others:
            raise InputError(f"{origin.name}: column {name} holds the weights; expected no {option} for it")
    if place in word_places(origin, options):
        raise InputError(f"{origin.name}: column {name} holds the weights; expected no --words for it")
    return place


def check_words(origin: TableOrigin, options: Options, label: int | None) -> frozenset[int]:
    """The positions of the columns of words. Raises `InputError` if one of them is something else, too."""
    places = word_places(origin, options)
    for place in sorted(places):
        name = shown(origin.columns[place])
        if place == label:
            raise InputError(f"{origin.name}: column {name} is the label; expected another one for --words")
        counts = options.reading.counts or ()
        for option, others in (("--text", options.text), ("--leave-out", options.leave_out), ("--counts", counts)):
            if origin.columns[place] in others:
                raise InputError(f"{origin.name}: column {name} becomes words; expected no {option} for it")
    return places


def _place(origin: TableOrigin, asked: str | int, option: str, needed: bool) -> int | None:
    """Its position; None if it is not there and need not be."""
    try:
        return column_place(origin.name, asked, origin.columns, len(origin.columns), option)
    except InputError:
        if needed or asked in origin.columns:  # a name and another's position, which is not to be passed over
            raise
        return None

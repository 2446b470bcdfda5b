"""The one error for bad input, and the words it is made of."""


class InputError(ValueError):
    """Bad input, in one line that says what is wrong and what was expected."""


def plural(count: int, noun: str) -> str:
    """`1 epoch`, `2 epochs`.

    >>> plural(1, "epoch"), plural(0, "mistake")
    ('1 epoch', '0 mistakes')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"

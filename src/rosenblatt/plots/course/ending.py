"""How a run ended, as every figure says it: in the words of the reports, without the advice."""

from ...runs.status import Status


def ending(status: Status) -> str:
    """The name of the end, and why.

    >>> from rosenblatt import datasets, learn
    >>> ending(learn(*datasets.get("four-on-a-line")).status)
    'clean: epoch 11 made no update'
    """
    return f"{status.name}: {status.reason}"

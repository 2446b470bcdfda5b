"""What is left open of a verdict, and why: time is shared, and what ended it is said."""

import time

from .watch import Watch


def half(watch: Watch) -> Watch:
    """Half of what is left of the time: which columns are dropped must not take all of it."""
    return watch.part(max(0.0, watch.deadline - time.monotonic()) / 2)


def not_settled(ended: Watch | None, columns: bool, sorted_out: bool) -> str:
    """Why coefficients are not settled: the watch that `ended` it, if one did, or what was given up before."""
    if ended is not None:
        seconds = ended.deadline - ended.began
        limit = f" within {seconds:.2g} s" if seconds > 0 and not ended.why.startswith("it ") else f": {ended.why}"
        return f"not settled{limit}"
    if not columns:
        return "not settled: given up, too many columns to eliminate exactly in the time there was"
    why = "the search came to no end" if sorted_out else "the rows on the boundary are not sorted out"
    return f"not settled: {why}"

"""What stands behind the figures: what every process took, by the clock, of the processors, and of memory."""

from collections.abc import Iterator

from benchmarks.streams.session import MORE, Session
from benchmarks.streams.watched import Watched

HEADS = ("process", "seconds", "of the processors", "peak memory", "from the disk")


def costs(s: Session) -> list[tuple[str, ...]]:
    """A row for each process."""
    return [(what, *cells(watched)) for what, watched in processes(s)]


def processes(s: Session) -> Iterator[tuple[str, Watched]]:
    """All of them, in the order of the table."""
    for size, on in (("half the file", s.half), ("the file", s.whole)):
        yield f"train, {size}, first pass", on.text.watched
        yield f"train, {size}, cyclic, 1 epoch out of the cache", on.one.watched
        yield f"train, {size}, cyclic, {1 + MORE} epochs out of the cache", on.more.watched
    yield "train, the file, shuffled, 1 epoch out of the cache", s.shuffled[0].watched
    yield f"train, the file, shuffled, {1 + MORE} epochs out of the cache", s.shuffled[1].watched
    yield "train, the file, checkpoints as often as can be", s.often.watched
    yield "predict, the file", s.predict
    if s.vw_text is not None and s.vw_cached is not None:
        yield "Vowpal Wabbit, one pass", s.vw_text
        yield f"Vowpal Wabbit, {MORE} passes over its cache", s.vw_cached


def cells(watched: Watched) -> tuple[str, str, str, str]:
    """Of one process."""
    peak, read = ("–" if of is None else f"{of / 1e6:.0f} MB" for of in (watched.peak, watched.read))
    return f"{watched.seconds:.2f} s", f"{watched.cpu:.2f} s", peak, read

"""What is asked of streams, and what was measured: a row for each, met or not."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.streams.session import MORE, Session
from rosenblatt.files.streamed import MEMORY
from rosenblatt.models.checkpoint import EVERY

HEADS = ("what", "measured", "asked", "")


@dataclass(frozen=True)
class Row:
    """One question. `met` is None where nothing is asked, or nothing was measured."""

    what: str
    measured: str
    asked: str = "–"
    met: bool | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """As the table has them."""
        return self.what, self.measured, self.asked, {None: "", True: "met", False: "**not met**"}[self.met]


def rows(s: Session) -> list[Row]:
    """All of them."""
    return [*memory(s), *growth(s), *cached(s), *against_vw(s), *checkpoints(s), from_disk(s)]


def memory(s: Session) -> Iterator[Row]:
    """The peak of each kind of process, against the cap and the weights beside it."""
    weights = 8 * s.columns
    asked = f"≤ {MEMORY / 1e6:.0f} MB + {weights / 1e6:.1f} MB of weights"
    for what, watched in (
        ("train, first pass", s.whole.text.watched),
        ("train, cyclic out of the cache", s.whole.more.watched),
        ("train, shuffled out of the cache", s.shuffled[1].watched),
        ("predict", s.predict),
    ):
        if watched.peak is None:
            yield Row(f"peak memory: {what}", "the system does not tell", asked)
        else:
            yield Row(f"peak memory: {what}", f"{watched.peak / 1e6:.0f} MB", asked, watched.peak <= MEMORY + weights)


def growth(s: Session) -> Iterator[Row]:
    """Twice the file: twice the time, within a tenth."""
    for what, half, whole in (
        ("first pass", s.half.text.seconds, s.whole.text.seconds),
        ("pass out of the cache", s.half.cached_pass, s.whole.cached_pass),
    ):
        ratio = whole / half if half > 0 else float("inf")
        measured = f"{ratio:.2f} × ({half:.2f} s, {whole:.2f} s)"
        yield Row(f"twice the file: {what}", measured, "2 × within 10 %", 1.8 <= ratio <= 2.2)


def cached(s: Session) -> Iterator[Row]:
    """What a pass out of the cache takes, against the one over the text."""
    for order, seconds in (("cyclic", s.whole.cached_pass), ("shuffled", s.shuffled_pass)):
        yield ratio_row(f"text pass / cached pass, {order}", s.whole.text_pass, seconds, 5)


def against_vw(s: Session) -> Iterator[Row]:
    """Whole processes: one pass over the text; and training again, ten passes over the cache."""
    once, again = "Vowpal Wabbit's one pass / ours", f"Vowpal Wabbit's {MORE} cached passes / ours"
    if s.vw_text is None or s.vw_cached is None:
        yield Row(once, s.vw_absent, "≥ 1")
        yield Row(again, s.vw_absent, "≥ 3")
        return
    yield ratio_row(once, s.vw_text.seconds, s.whole.text.seconds, 1)
    ours = s.whole.more.seconds - s.whole.cached_pass  # it made one more
    yield ratio_row(again, s.vw_cached.seconds, ours, 3)


def checkpoints(s: Session) -> Iterator[Row]:
    """The share of time that goes into them."""
    told = s.often.result["checkpoints"]
    if told["count"]:
        share = told["seconds"] / told["count"] / EVERY
        measured = f"{share:.4%} ({1e3 * told['seconds'] / told['count']:.0f} ms each, of {told['count']})"
        yield Row(f"a checkpoint every {EVERY:.0f} s", measured, "< 1 %", share < 0.01)
    else:
        yield Row(f"a checkpoint every {EVERY:.0f} s", "none was written: the file is too small", "< 1 %")
    run = s.whole.more
    told = run.result["checkpoints"]
    share = told["seconds"] / run.seconds
    measured = f"{share:.2%} ({told['count']} in {run.seconds:.1f} s)"
    met = share < 0.01 if told["count"] else None  # without one nothing was measured
    yield Row(f"checkpoints of {1 + MORE} epochs, as it comes", measured, "< 1 %", met)


def from_disk(s: Session) -> Row:
    """A shuffled pass over a cache that is not in memory, against reading its bytes in order."""
    seconds, read = s.from_disk["seconds"], s.from_disk["read"]
    told = f"{read / 1e6:.0f} MB of {s.cache_size / 1e6:.0f} came from the disk"
    measured = f"{seconds / s.sequential:.2f} × ({seconds:.2f} s, {s.sequential:.2f} s; {told})"
    return Row("shuffled pass from the disk / plain read of the cache", measured)


def ratio_row(what: str, over: float, under: float, at_least: float) -> Row:
    """One time over another."""
    ratio = over / under if under > 0 else float("inf")
    return Row(what, f"{ratio:.2f} ({over:.2f} s, {under:.2f} s)", f"≥ {at_least:g}", ratio >= at_least)

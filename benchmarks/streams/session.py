"""Everything that is run, in order, on one file that is made here and grows: half of it first, then all.

A pass out of the cache is what ten more epochs take, divided by ten: what a process does once is not in it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.contest import AbsentError
from benchmarks.streams import disk, vowpal_wabbit
from benchmarks.streams.made import COLUMNS, PARTS, parts
from benchmarks.streams.trains import THREADS, Commands, Trained
from benchmarks.streams.watched import Watched

MORE = 10
"""Epochs after the first, to know what one takes."""
OFTEN = 0.2  # seconds between checkpoints, so that there are some
SHUFFLED = """
import json, sys, time
from pathlib import Path
from rosenblatt import learn, stream

def read():
    return int(Path("/proc/self/io").read_text().split("read_bytes: ")[1].split()[0])

source = stream(sys.argv[1])
before, begin = read(), time.perf_counter()
learn(source, rule="perceptron", order="shuffled", max_epochs=1, tol=None, threads=int(sys.argv[2]))
print(json.dumps({"seconds": time.perf_counter() - begin, "read": read() - before}))
"""


@dataclass(frozen=True)
class OnSize:
    """What `train` took on a file of some size: out of the text, and warm with one epoch and with eleven."""

    size: int
    text: Trained
    one: Trained
    more: Trained

    @property
    def cached_pass(self) -> float:
        """Seconds of a pass out of the cache."""
        return (self.more.seconds - self.one.seconds) / MORE

    @property
    def text_pass(self) -> float:
        """Seconds of the pass over the text alone: instead of which a warm run makes one out of the cache."""
        return self.text.seconds - self.one.seconds + self.cached_pass


@dataclass
class Session:
    """What was measured; the rival's stays None where it is absent."""

    rows: int
    entries: int
    half: OnSize
    whole: OnSize
    shuffled: tuple[Trained, Trained]
    often: Trained
    predict: Watched
    cache_size: int
    sequential: float
    from_disk: dict[str, float]
    vw_text: Watched | None = None
    vw_cached: Watched | None = None
    vw_absent: str = ""
    columns: int = field(default=COLUMNS)

    @property
    def shuffled_pass(self) -> float:
        """Seconds of a shuffled pass out of the cache."""
        one, more = self.shuffled
        return (more.seconds - one.seconds) / MORE


def hold(size: int, folder: Path, vw: str | None, say: Callable[[str], None]) -> Session:
    """Make the file in a folder, and run everything."""
    ours, rival = Commands(folder), folder / "data.vw"
    svmlight, in_vw = parts(size)
    words: list[str] | None = None
    try:
        words = vowpal_wabbit.command(vw)
        vowpal_wabbit.version(words)
        absent = ""
    except AbsentError as reason:
        words, absent = None, str(reason)

    def grow(which: range) -> None:
        svmlight.write(ours.data, which)
        if words is not None:
            in_vw.write(rival, which)

    grow(range(PARTS // 2))
    half = on_size(ours, say)
    grow(range(PARTS // 2, PARTS))
    ours.forget()
    whole = on_size(ours, say)
    shuffled = ours.train("shuffled", 1), ours.train("shuffled", 1 + MORE)
    say(f"shuffled: {shuffled[0].seconds:.2f} s, with {MORE} more epochs {shuffled[1].seconds:.2f} s")
    often = ours.train("cyclic", 3, "--checkpoint-every", str(OFTEN))
    say(f"checkpoints: {often.result['checkpoints']}")
    predict = ours.predict()
    say(f"predict: {predict.seconds:.2f} s")
    cache = ours.cache()
    sequential = disk.sequential_read(cache)
    disk.forget_pages(cache)
    from_disk = json.loads(ours.script(SHUFFLED, str(ours.data), str(THREADS)).printed)
    say(f"from the disk: {sequential:.2f} s in order, {from_disk['seconds']:.2f} s shuffled")
    found = Session(
        rows=PARTS * svmlight.rows, entries=PARTS * svmlight.entries, half=half, whole=whole, shuffled=shuffled,
        often=often, predict=predict, cache_size=cache.stat().st_size, sequential=sequential, from_disk=from_disk,
        vw_absent=absent,
    )  # fmt: skip
    if words is not None:
        found.vw_text = vowpal_wabbit.text_pass(words, rival)
        vowpal_wabbit.write_cache(words, rival)
        found.vw_cached = vowpal_wabbit.cached_passes(words, rival, MORE)
        say(f"Vowpal Wabbit: {found.vw_text.seconds:.2f} s, {MORE} cached passes {found.vw_cached.seconds:.2f} s")
    return found


def on_size(ours: Commands, say: Callable[[str], None]) -> OnSize:
    """The first pass, and passes out of the cache that it wrote."""
    found = OnSize(
        ours.data.stat().st_size, ours.train("cyclic", 1), ours.train("cyclic", 1), ours.train("cyclic", 1 + MORE)
    )
    runs = [f"{run.seconds:.2f} s" for run in (found.text, found.one, found.more)]
    say(f"{found.size / 1e6:.0f} MB: first {runs[0]}, again {runs[1]}, with {MORE} more epochs {runs[2]}")
    return found

"""The commands that are measured, as users type them: `rosenblatt train --stream`, and `predict`."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.fresh_process import environment
from benchmarks.pins import cores
from benchmarks.streams.watched import Watched, watch

THREADS = min(2, cores())
_PLAN = ("--rule", "perceptron", "--tol", "never", "--threads", str(THREADS))


@dataclass(frozen=True)
class Trained:
    """A run of `train`: what it took, and what it says."""

    watched: Watched
    result: dict[str, Any]

    @property
    def seconds(self) -> float:
        """The whole process."""
        return self.watched.seconds


@dataclass(frozen=True)
class Commands:
    """Commands on one file, with a folder of caches of their own."""

    folder: Path

    @property
    def data(self) -> Path:
        """The text."""
        return self.folder / "data.svm"

    @property
    def caches(self) -> Path:
        """The folder of caches."""
        return self.folder / "caches"

    def cache(self) -> Path:
        """The one cache that is there."""
        (found,) = self.caches.glob("*.rows")
        return found

    def forget(self) -> None:
        """Remove the caches, so that text is read again."""
        for cache in self.caches.glob("*.rows"):
            cache.unlink()

    def train(self, order: str, epochs: int, *more: str) -> Trained:
        """So many epochs; the first time out of the text, later out of the cache."""
        words = ["train", str(self.data), "--stream", "-m", str(self.folder / "model"), "--json", *_PLAN, *more]
        watched = self._watch([*words, "--order", order, "--epochs", str(epochs)])
        return Trained(watched, json.loads(watched.printed)["result"])

    def predict(self) -> Watched:
        """Every row of the text predicted by the model, and judged."""
        words = ["predict", str(self.folder / "model"), str(self.data), "-o", str(self.folder / "predicted")]
        return self._watch([*words, "--threads", str(THREADS)])

    def script(self, code: str, *words: str) -> Watched:
        """Lines of Python in a process of their own."""
        return watch([sys.executable, "-P", "-c", code, *words], self._environment())

    def _watch(self, words: list[str]) -> Watched:
        return watch([sys.executable, "-P", "-m", "rosenblatt", *words], self._environment())

    def _environment(self) -> dict[str, str]:
        return environment() | {"ROSENBLATT_CACHE_DIR": str(self.caches)}

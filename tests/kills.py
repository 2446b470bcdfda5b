"""Runs of `rosenblatt train --resume auto` that are killed, and must end with the model of a run that was not.

    python tests/kills.py every PLAN              one run for each call of the system that it makes, killed there
    python tests/kills.py random COUNT SEED       so many processes, killed at random moments

Both work in the current folder, and print as JSON where the kills fell; whatever is wrong raises. Processes are forked
from this one, which has imported everything: so they are in the midst of their work, and not at its beginning, when
they are killed.
"""

import contextlib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rosenblatt import Model
from rosenblatt.cli import main
from rosenblatt.learning import driver

PLANS = {
    "averaged": "two.npy --rule perceptron --tol never --epochs 2",
    "batches": "two.npy --rule margin --beta 0.01 --batch-size 100 --scale standard --epochs 3 --order cyclic",
    "pocket": "two.npy --rule perceptron --readout pocket --tol never --epochs 2 --start random",
    "direct": "three.npy --rule perceptron --multiclass direct --patience 1 --tol 1 --class-weight balanced",
    "chosen": "few.npy",
}
CALLS = ("open", "fchmod", "write", "fsync", "close", "replace", "unlink")


def prepare() -> None:
    """The data, and the model of each plan without a kill."""
    chance = np.random.default_rng(7)
    for name, rows, classes in (("two", 5000, 2), ("three", 4500, 3), ("few", 60, 2)):
        X = chance.standard_normal((rows, 4)).round(3)
        label = np.digitize(X[:, 0] + 0.3 * chance.standard_normal(rows), np.linspace(-0.5, 0.5, classes - 1))
        np.save(f"{name}.npy", np.column_stack([X, label]))
    with Path(os.devnull).open("w") as silent, contextlib.redirect_stdout(silent):
        for name, plan in PLANS.items():
            assert train(plan, f"{name}.whole", often=False) == 0  # here, so that all is imported


def train(plan: str, model: str, often: bool = True) -> int:
    """The command, with a checkpoint at every chance; or without any."""
    driver.SLICE = 0.0  # so that there is a chance after every chunk of rows
    every = "1e-9" if often else "never"
    words = f"train {plan} --label -1 -m {model} --checkpoint-every {every} --resume auto --threads 1 -q"
    return main(words.split())


def forked(work: Callable[..., int], *arguments: Any) -> int:
    """The id of a process that does this."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        code = work(*arguments)
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """Its exit code, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def fatal(at: int) -> None:
    """From here on the system kills this process before its call of this number; a write has got half way then."""
    made = 0

    def wrapped(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal made
            made += 1
            if made - 1 == at:
                if name == "write":
                    real(arguments[0], arguments[1][: len(arguments[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    for name in CALLS:
        setattr(os, name, wrapped(name, getattr(os, name)))


def dying(plan: str, at: int) -> int:
    """The command in a process that dies at this call."""
    fatal(at)
    return train(plan, "model")


def where(model: str) -> str:
    """Where a kill fell, as the folder tells; and that what it left is sound."""
    here = set(os.listdir())
    drafts = [name for name in here if name.startswith(".rosenblatt-")]
    assert len(drafts) <= 1
    newest, older = f"{model}.checkpoint" in here, f"{model}.checkpoint.1" in here
    for name in (model, f"{model}.checkpoint", f"{model}.checkpoint.1"):
        if name in here:
            Model.load(name)  # whole, and its checksum right
    if model in here:
        return "the model was written" if newest or older else "all was done"
    if not (newest or older):
        return "the first checkpoint was being written" if drafts else "before the first checkpoint"
    if not newest:
        return "between two renamings"
    return "a checkpoint or the model was being written" if drafts else "learning"


def check_end(name: str, model: str) -> None:
    """The same bytes, and nothing left behind."""
    assert Path(model).read_bytes() == Path(f"{name}.whole").read_bytes()
    left = {f for f in os.listdir() if f.startswith((".rosenblatt-", f"{model}.checkpoint"))}
    assert not left, left
    os.unlink(model)


def kill_everywhere(name: str) -> Counter[str]:
    """A kill at every call, each followed by the same command again."""
    found: Counter[str] = Counter()
    for at in range(10_000):
        code = ended(forked(dying, PLANS[name], at))
        if code == 0:
            check_end(name, "model")
            return found
        assert code == -signal.SIGKILL, code
        found[where("model")] += 1
        assert ended(forked(train, PLANS[name], "model")) == 0
        check_end(name, "model")
    raise AssertionError("it never ended")


def kill_at_random(count: int, seed: int) -> Counter[str]:
    """So many kills at random moments; whatever is killed is begun again, and killed again."""
    chance, found, kills = random.Random(seed), Counter[str](), 0
    takes: dict[str, float] = {}
    for name, plan in PLANS.items():
        begin = time.monotonic()
        assert ended(forked(train, plan, "model")) == 0
        takes[name] = time.monotonic() - begin
        check_end(name, "model")
    while kills < count:
        name = chance.choice(list(PLANS))
        while True:
            child = forked(train, PLANS[name], "model")
            time.sleep(chance.uniform(0, 1.1 * takes[name]))
            os.kill(child, signal.SIGKILL)
            code = ended(child)
            assert code in (0, -signal.SIGKILL), code
            kills += code != 0
            found[where("model") if code else "after its end"] += 1
            if code == 0 or kills >= count:
                break
        assert ended(forked(train, PLANS[name], "model")) == 0  # from the beginning, if nothing was left to do
        check_end(name, "model")
    return found


if __name__ == "__main__":
    prepare()
    what, *rest = sys.argv[1:]
    fell = kill_everywhere(rest[0]) if what == "every" else kill_at_random(int(rest[0]), int(rest[1]))
    print(json.dumps(fell))

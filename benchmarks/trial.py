"""`make trial DATA=FOLDER`: real files as their owners have them, each through the command its owner would type.

Every command runs in a terminal of 80 columns, and what it prints is shown for somebody to read. Beside it goes what a
program can see: the exit code, that no line is wider than the terminal, and that the answer, what it is compared with
and the next step stand within the first ten lines. The files are read as they are.
"""

import errno
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass
from pathlib import Path

WIDTH, FIRST = 80, 10
_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
BASELINE, ANSWER = r"always answering", r"[0-9.]+% right|right"


@dataclass(frozen=True)
class Trial:
    """A file, what its format is, the command and its options; patterns that its first lines must have; exit codes."""

    format: str
    command: str
    file: str
    options: tuple[str, ...]
    wanted: tuple[str, ...]
    exits: tuple[int, ...] = (0,)


TRIALS = (
    Trial("ARFF, packed", "train", "spambase.arff.gz", ("--holdout", "0.2"), (BASELINE, ANSWER)),
    Trial(
        "TSV of sentences, no header", "train", "SMSSpamCollection.tsv.gz",
        ("--label", "0", "--words", "1", "--holdout", "0.2"), (BASELINE, ANSWER),
    ),
    Trial(
        "CSV of codes, no header", "train", "german_credit_symbolic.csv", ("--label", "-1", "--holdout", "0.2"),
        (BASELINE, ANSWER),
    ),
    Trial(
        "CSV with gaps and thousands of codes", "train", "criteo_tiny_train.csv.gz",
        ("--label", "Label", "--leave-out", "Id", "--missing", "mean", "--hash-bits", "16", "--holdout", "0.2"),
        (BASELINE, ANSWER),
    ),
    Trial(
        "TSV of numbers, no header", "train", "higgs_lightgbm_binary.train.gz",
        ("--label", "0", "--test", "higgs_lightgbm_binary.test.gz"), (BASELINE, ANSWER),
    ),
    Trial(
        "IDX images", "train", "mnist-train-images-idx3-ubyte.gz", ("--test", "mnist-t10k-images-idx3-ubyte.gz"),
        (BASELINE, ANSWER),
    ),
    Trial(
        "svmlight with a vocabulary", "train", "imdb_bow.train.svm.xz",
        ("--names", "imdb_bow.vocab.txt.xz", "--test", "imdb_bow.test.svm.xz"), (BASELINE, ANSWER),
    ),
    Trial("VW text", "train", "rcv1_small.vw.gz", ("--holdout", "0.2"), (BASELINE, ANSWER)),
    Trial("svmlight", "check", "mushroom_agaricus.svm.train.gz", (), ("Separable", "complete separation")),
    Trial("CSV, wide, no header", "check", "golub_leukemia.csv.xz", ("--label", "0"), ("Separable",)),
    Trial("CSV", "clinic", "endometrial.csv", ("--label", "HG"), (r"quasi-complete separation", r"\+inf +NV")),
    Trial("CSV of counts", "clinic", "lizards.csv", ("--counts", "grahami,opalinus"), ("Finite",)),
    Trial(
        "CSV, .data, no header", "suspects", "ionosphere.data", ("--label", "-1", "--time-limit", "10"),
        ("Fewest mistakes",),
    ),
    Trial("CSV with row names", "check", "iris_fisher_R.csv", ("--label", "Species", "--positive", "virginica"),
          ("Not separable",), (1,)),
)  # fmt: skip


def in_terminal(words: list[str], folder: Path) -> tuple[int, str]:
    """Run a command in a terminal of 80 columns; its exit code, and all it printed there."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
    process = subprocess.Popen(
        words, cwd=folder, stdin=side, stdout=side, stderr=side, env={**os.environ, "TERM": "xterm"}
    )
    os.close(side)
    printed = b""
    while True:
        try:
            some = os.read(main, 2**16)
        except OSError as error:
            if error.errno != errno.EIO:  # which says that nobody is left to write
                raise
            some = b""
        if not some:
            break
        printed += some
    os.close(main)
    return process.wait(), printed.decode(errors="replace")


def seen(printed: str) -> list[str]:
    """The lines that stay on the screen: what was written over is gone."""
    plain = _STYLE.sub("", printed.replace("\r\n", "\n"))
    return [line.rsplit("\r", 1)[-1] for line in plain.rstrip("\n").split("\n")]


def faults(trial: Trial, code: int, lines: list[str]) -> list[str]:
    """What a program can see to be wrong."""
    first = "\n".join([line for line in lines if line][:FIRST])
    found = [f"exit {code}"] if code not in trial.exits else []
    found += [f"a line of {len(line)} columns" for line in lines if len(line) > WIDTH][:1]
    found += [f"no {pattern!r} in the first lines" for pattern in trial.wanted if not re.search(pattern, first)]
    return found + ([] if "Next:" in first else ["no next step in the first lines"])


def main(folder: str) -> int:
    """Run all trials on the files of a folder; 1 if one of them has a fault."""
    data, program = Path(folder).resolve(), Path(sys.executable).with_name("rosenblatt")
    results = []
    with tempfile.TemporaryDirectory() as work:
        for path in data.iterdir():  # so that commands name files as somebody who stands beside them would
            (Path(work) / path.name).symlink_to(path)
        for trial in TRIALS:
            words = ["rosenblatt", trial.command, trial.file, *trial.options]
            print(f"\n$ {' '.join(words)}")
            begin = time.monotonic()
            code, printed = in_terminal([str(program), *words[1:]], Path(work))
            lines = seen(printed)
            print("\n".join(lines))
            results.append((trial, time.monotonic() - begin, faults(trial, code, lines)))
    print()
    for trial, seconds, found in results:
        print(f"{trial.command:<8} {trial.format:<38} {seconds:6.1f} s  {'; '.join(found) or 'well'}")
    return int(any(found for *_, found in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

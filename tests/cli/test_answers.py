"""Whole answers, word for word: the files of answers/ hold commands, and all that each of them prints.

`$ rosenblatt …` is run as it stands, `>>> …` is printed. `python tests/cli/test_answers.py` writes the files anew, for
someone to read what has changed.
"""

import io
import json
import os
import re
import shlex
import sys
import tempfile
import warnings
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rosenblatt
from rosenblatt.cli import main

HERE = Path(__file__).parent / "answers"


def csv(rows: Any, names: Any) -> str:
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n"


def corners(d: int) -> str:
    """One class at the unit vectors, the other at their mean: d + 1 rows in the only witness."""
    rows = [[*np.eye(d, dtype=int)[j].tolist(), "a"] for j in range(d)] + [[1 / d] * d + ["b"]]
    return csv(rows, [*(f"x{j}" for j in range(d)), "class"])


def noisy(n: int, seed: int) -> str:
    """Two classes on a line, a fifth of them mixed, and a coin."""
    chance = np.random.default_rng(seed)
    x = chance.integers(0, 10 * n, n)
    y = (x + chance.integers(-2 * n, 2 * n, n)) > 5 * n
    return csv(zip(x, chance.integers(0, 2, n), np.where(y, "yes", "no"), strict=True), ["x", "coin", "class"])


def kinds(n: int, classes: int) -> str:
    """Many classes around a circle, the last row of each with the next one's label."""
    turn = 2 * np.pi * np.arange(n) / n
    labels = np.arange(n) * classes // n
    labels[n // classes - 1 :: n // classes] += 1
    return csv(
        ((f"{np.cos(t):.3f}", f"{np.sin(t):.3f}", f"k{k % classes}") for t, k in zip(turn, labels, strict=True)),
        ["u", "v", "class"],
    )


SPARSE = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute class {p,q}\n@data\n"
DATA = {
    "line.csv": "x,h,class\n1,0,no\n2,1,no\n3,1,yes\n5,0,yes\n",
    "xor.csv": "a,b,class\n1,1,yes\n1,-1,no\n-1,1,no\n-1,-1,yes\n",
    "quasi.csv": "exposed,dose,class\n0,1,0\n0,2,1\n0,3,0\n0,4,1\n1,2,1\n1,3,1\n",
    "stuck.csv": "x,class\n0,a\n1,a\n1,b\n2,b\n",
    "one sided.csv": "x,class\n0,a\n1,b\n1,b\n0,a\n1,a\n2,b\n",
    "twice.csv": "a,twice,class\n1,2,yes\n2,4,no\n3,6,yes\n4,8,no\n",
    "twins.csv": "a,twice,class\n1,2,no\n2,4,no\n3,6,yes\n4,8,yes\n",
    "zero.csv": "a,b,class\n0,0,yes\n1,2,no\n",
    "huge.csv": "a,b,class\n12345.5,1,no\n12346.5,1,no\n12345,2,yes\n12347,2,yes\n12346.25,1,yes\n12346,2,yes\n",
    "three.csv": "length,width,class\n1,1,setosa\n1,2,setosa\n4,1,versi\n5,2,virginica\n4.5,1,virginica\n5,1,versi\n",
    "plain.csv": "x,h\n1,0\n2,1\n9,9\n",
    "strange.csv": "x,h,class\n1,0,no\n2,1,perhaps\n5,0,yes\n5,1,perhaps\n",
    "holes.csv": "zip,job,x,weight,class\n0501,nurse,1,2,no\n0502,,2,3,yes\n0502,cook,,4,yes\n0501,cook,3,5,no\n"
    "0503,nurse,5,1,yes\n",
    "noisy.csv": noisy(60, 1),
    "fragile.csv": csv(
        [*([x, "ab"[x > 20]] for x in range(40) if x not in (3, 33)), [3, "b"], [33, "a"]], ["x", "class"]
    ),
    "corners.csv": corners(32),
    "wide.csv": csv(
        [[*(np.eye(44, dtype=int)[i] * s).tolist(), "ab"[s > 0]] for i in range(44) for s in (1, -1)],
        [*(f"column {j}" for j in range(44)), "class"],
    ),
    "circle.csv": kinds(120, 12),
    "few.csv": kinds(24, 3),
    "heavy.csv": "x,h,class\n1e200,0,no\n2,1e200,yes\n",
    "rounded.csv": "a,b,class\n0.1,1,+\n0.3,3,+\n0.2,2,-\n",
    "some.svm": "+1 1:1 3:2\n# a remark\n-1 1:-1 # another\n+1 2:0.5 3:1\n-1 3:-4\n",
    "nul.csv": "a,class\n1,2\n3\0,4\n",
    "nameless.csv": "a,,class\n1,2,0\n3,4,1\n",
    "no text.csv": "a,class\n,0\n,1\n",
    "quoted.tsv": 'size\tclass\n3" pipe\ta\n4" pipe\tb\n',
    "untyped csv": "a,class\n1,0\n2,1\n",
    "untyped tsv": "a\tclass\n1\t0\n2\t1\n",
    "untyped vw": "1 |a x:1 y\n-1 |a y:3\n",
    "untyped arff": "% made up\n@relation r\n@attribute a numeric\n@attribute class {p,q}\n@data\n1,p\n2,q\n",
    "rising.arff": SPARSE + "{0 1, 1 2}\n{0 3}\n{1 5, 0 4}\n{1 5, 1 6}\n",
    "beyond.arff": SPARSE + "{0 1, 1 2}\n{0 3}\n{0 1, 3 4}\n{5 6}\n",
    "untyped svm": "+1 1:2 3:4\n-1 2:1\n",
    "untyped": "one\ntwo\n",
    "bad model.json": '{"format": "rosenblatt model", "version": 1, "header": {}, "tensors": {}}\n',
    "some.vw": "1 |a x:1 y |b z:2\n-1 |a y:3\n1 |b z\n-1 |a x:-2\n",
}


def prepare(folder: Path) -> None:
    for name, text in DATA.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "not-utf-8.json").write_bytes(b'{"format": "rosenblatt model", "a": "\xff"}')
    np.save(folder / "array.npy", np.array([[0.0, 0, 1], [0, 1, 1], [1, 3, 0], [1, 4, 0]]))


def masked(text: str) -> str:
    """What depends on the machine or the release is left out; so are line breaks near a time of any length."""
    text = re.sub(r"(?m)^(?:.+\n)*.*\bran out after\b(?:.*\n)(?:.+\n)*", lambda m: m[0].replace("\n", " ") + "\n", text)
    text = re.sub(r"\b\d[\d.e-]*(\s)s\b", r"…\1s", text)
    text = re.sub(r"relative gradient \S+,(\s)\S+", r"relative gradient …,\1…", text)
    text = re.sub(r"\d+ bytes", "… bytes", text)
    return text.replace(rosenblatt.__version__, "VERSION")


def answer(words: list[str]) -> str:
    """All that a command prints, errors after results, and its exit code unless that is 0."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    said = [out.getvalue(), *(f"! {line}\n" for line in err.getvalue().splitlines()), f"[{code}]\n" if code else ""]
    return masked("".join(said))


def told(command: str, **changes: Any) -> None:
    """Print a command's text with some of its facts changed: for what is rare, or takes long to come about.

    `clinic__kind="undecided"` sets answer["clinic"]["kind"]; numbers are places in a list.
    """
    kept: list[Any] = []
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(io.StringIO()):
        patch.setattr("rosenblatt.cli.command.print_answer", lambda answer, *_, **__: kept.append(answer))
        main(shlex.split(command))
    result = json.loads(json.dumps(kept[0].result))
    change(result, changes)
    print("\n".join(kept[0].text(result)))


def change(facts: Any, changes: dict[str, Any]) -> None:
    for name, value in changes.items():
        *path, last = name.split("__")
        part = facts
        for key in path:
            part = part[int(key)] if key.isdigit() else part[key]
        part[int(last) if last.isdigit() else last] = value


def refused(what: Any) -> None:
    """Print how something is refused; what is not refused says so."""
    try:
        print("taken:", what())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


def forged(model: Any, **changes: Any) -> None:
    """Print how a model is refused in which something is changed; `header__state__rho2=…`, as above."""
    facts = json.loads(model.to_json())
    change(facts, changes)
    refused(lambda: rosenblatt.from_json(json.dumps(facts)))


def numbers(*shape: int, dtype: str = "float64") -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data": [1] * int(np.prod(shape))}


def fitted(**parameters: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X, y = [[1, 2.0], [3, 1], [2, 2], [0, 1], [5, 5]], [0, 1, 0, 1, 2][: 5 if "multiclass" in parameters else 4]
        return rosenblatt.Perceptron(max_iter=3, **parameters).fit(X[: len(y)], y)


def played(text: str) -> str:
    """The same file, with what its commands answer now."""
    known: dict[str, Any] = {name: getattr(rosenblatt, name) for name in rosenblatt.__all__}
    known |= {one.__name__: one for one in (told, refused, forged, fitted, numbers)} | {
        "np": np,
        "sp": sp,
        "rosenblatt": rosenblatt,
        "json": json,
    }
    parts = []
    for line in re.findall(r"^(?:[$#] .*|>>> .*|#)$", text, flags=re.MULTILINE):
        if line.startswith("$ rosenblatt "):
            parts.append(f"{line}\n{answer(shlex.split(line)[2:])}")
        elif line.startswith(">>> "):
            out = io.StringIO()
            with redirect_stdout(out):
                exec(line[4:], known)
            parts.append(f"{line}\n{masked(out.getvalue())}")
        else:
            parts.append(f"{line}\n")
    return "\n".join(parts)


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.txt")))
def test_every_answer_is_worded_as_it_was(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    expected = (HERE / name).read_text(encoding="utf-8")
    assert played(expected) == expected


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    for path in sorted(HERE.glob("*.txt")):
        if path.name in sys.argv[1:] or not sys.argv[1:]:
            with tempfile.TemporaryDirectory() as folder, chdir(folder):
                prepare(Path(folder))
                new = played(path.read_text(encoding="utf-8"))
            path.write_text(new, encoding="utf-8")

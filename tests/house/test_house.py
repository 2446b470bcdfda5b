"""The house: sizes of files and folders, the map in CONTRIBUTING.md, and the walks through it for a newcomer.

`python tests/house/test_house.py` draws the map anew from the contract in pyproject.toml.
"""

import ast
import contextlib
import io
import re
import statistics
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import rosenblatt

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, CORE, GUIDE = ROOT / "src/rosenblatt", ROOT / "src/core", ROOT / "CONTRIBUTING.md"
MOST_LINES, MOST_MODULES = 400, 9


# --- Sizes. ---


def sources() -> Iterator[Path]:
    yield from PACKAGE.rglob("*.py")
    yield from (path for path in CORE.rglob("*") if path.suffix in (".hpp", ".cpp"))


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_file_is_long_and_most_are_short() -> None:
    sizes = {path.relative_to(ROOT): lines_of(path) for path in sources()}
    assert {path: size for path, size in sizes.items() if size > MOST_LINES} == {}
    assert statistics.median(size for size in sizes.values() if size > 5) <= 110


def test_few_modules_stand_beside_the_folders() -> None:
    assert len([path for path in PACKAGE.glob("*.py") if path.name != "__init__.py"]) <= MOST_MODULES


# --- The map. ---


def layers() -> list[list[str]]:
    """The layers of the contract, from the top."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = (one for one in settings["contracts"] if one["type"] == "layers")
    return [layer.split(" | ") for layer in contract["layers"]]


def about(name: str) -> str:
    """What a module or folder is for: the first sentence of its docstring."""
    path = PACKAGE / name
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0].split())
    return text if len(text) <= 90 else text[: text.rindex(" ", 0, 89)] + " …"


def drawn() -> str:
    """The picture: a box a layer, and what is in it."""
    named = [
        [(name + ("/" if (PACKAGE / name).is_dir() else ".py"), about(name)) for name in layer] for layer in layers()
    ]
    rows = [[f" {name:<14} {text}" for name, text in layer] for layer in named]
    width = max(len(line) for row in rows for line in row) + 1
    boxes = f"\n├{'─' * width}┤\n".join("\n".join(f"│{line:<{width}}│" for line in row) for row in rows)
    return f"┌{'─' * width}┐\n{boxes}\n└{'─' * width}┘"


MAP = re.compile(r"(?<=<!-- map -->\n```\n).*?(?=\n```)", re.DOTALL)


def test_the_map_is_that_of_the_contract() -> None:
    found = MAP.search(GUIDE.read_text(encoding="utf-8"))
    assert found is not None
    assert found.group() == drawn(), "python tests/house/test_house.py draws it anew"


# --- The walks. ---


def walks() -> dict[str, list[str]]:
    """The lists of hops under `### A walk: …` in CONTRIBUTING.md, by what follows the colon."""
    text = GUIDE.read_text(encoding="utf-8")
    found = {}
    for part in text.split("### A walk: ")[1:]:
        title, _, rest = part.partition("\n")
        found[title.strip()] = re.findall(r"^\d+\. `([\w.]+)`", rest.split("\n#")[0], re.MULTILINE)
    return found


def followed(walk: Callable[[], Any]) -> list[str]:
    """Every function of the package that is called on the way, in order, each as module.name."""
    seen: list[str] = []

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            module = frame.f_globals.get("__name__", "")
            if module.startswith("rosenblatt."):
                seen.append(f"{module.removeprefix('rosenblatt.')}.{frame.f_code.co_qualname}")

    sys.setprofile(watch)
    try:
        walk()
    finally:
        sys.setprofile(None)
    return seen


def file_to_model(folder: Path) -> None:
    from rosenblatt.cli import main

    (folder / "four.svm").write_text("+1 1:1\n+1 1:2\n-1 1:3\n-1 1:4\n")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        words = ["train", str(folder / "four.svm"), "--model", str(folder / "four.model"), "--rule", "perceptron"]
        main([*words, "--quiet"])


def arrays_to_proof(folder: Path) -> None:
    X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
    verdict = rosenblatt.separability(X, y)
    assert verdict.proof is not None
    assert rosenblatt.verify(verdict.proof, X, y)


def fit_and_partial_fit(folder: Path) -> None:
    model = rosenblatt.Perceptron().fit([[-1.0], [1.0]], [0, 1])
    model.partial_fit([[4.0], [-3.0]], [1, 0])
    assert model.predict([[9.0]]).tolist() == [1]


WALKS = {
    "from a file to a model": file_to_model,
    "from arrays to a verified proof": arrays_to_proof,
    "fit and partial_fit": fit_and_partial_fit,
}


@pytest.mark.parametrize("title", WALKS)
def test_a_walk_leads_where_the_guide_says(title: str, tmp_path: Path) -> None:
    hops = walks()[title]
    called = iter(followed(lambda: WALKS[title](tmp_path)))
    for hop in hops:
        assert hop in called, f"{hop} is not called after the hops before it"
    assert 5 <= len(hops) <= 14


def test_from_a_file_to_a_model_nothing_is_made_twice(tmp_path: Path) -> None:
    """Examples are made once, the rows are read once, and each readout looks at them once when the run is over."""
    called = followed(lambda: file_to_model(tmp_path))
    assert called.count("data.examples.Examples.__post_init__") == 1
    assert called.count("files.text.svmlight.read_svmlight") == 1
    assert called.count("models.build.model_of_run") == 1
    assert called.count("data.scans.surveys") == 2  # the average, for the model; the last weights, for the theorem


def test_every_walk_of_the_guide_is_followed() -> None:
    assert set(walks()) == set(WALKS)


if __name__ == "__main__":
    GUIDE.write_text(MAP.sub(lambda _: drawn(), GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
    if "--walks" in sys.argv:
        import tempfile

        for title, walk in WALKS.items():
            with tempfile.TemporaryDirectory() as folder:
                print(title, *dict.fromkeys(followed(lambda walk=walk, folder=folder: walk(Path(folder)))), sep="\n  ")  # type: ignore[misc]

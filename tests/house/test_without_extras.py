"""Without scikit-learn, SciPy, pyarrow and zstandard, in a process that cannot import them: see without_extras.py."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from without_extras import EXTRAS

import rosenblatt
from rosenblatt import errors
from rosenblatt.files.tables import arrow

TIME_BUDGET = 60

HERE = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
BLOCKED = {**os.environ, "PYTHONPATH": str(HERE / "blocked")}


def python(*arguments: str, blocked: bool = True) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=BLOCKED if blocked else None, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_needs_no_extra_works_without_and_the_rest_says_what_to_install() -> None:
    assert f"works without {', '.join(EXTRAS)}" in python(str(HERE / "without_extras.py"))


def test_extras_change_no_bit_of_an_answer() -> None:
    script = str(HERE / "without_extras.py")
    without, with_all = (json.loads(python(script, "--facts", blocked=blocked)) for blocked in (True, False))
    assert without == with_all
    assert without["verdict"][0] == "overlapping"
    assert without["least"][0] == without["least"][1]


def test_a_model_is_loaded_as_itself(tmp_path: Path) -> None:
    rosenblatt.Perceptron(readout="last", tol=None).fit([[1.0], [2.0], [3.0]], [0, 0, 1]).save(tmp_path / "m")
    program = "import sys, rosenblatt; m = rosenblatt.load(sys.argv[1]); print(type(m).__name__, m.predict([[1], [3]]))"
    assert python("-c", program, str(tmp_path / "m")) == "Model [0 1]\n"


def test_a_scikit_learn_that_is_too_old_is_named(tmp_path: Path) -> None:
    for part in ("__init__", "base"):  # one in which nothing is that the estimators import
        (tmp_path / "sklearn").mkdir(exist_ok=True)
        (tmp_path / "sklearn" / f"{part}.py").write_text("")
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\ntry:\n    from rosenblatt import Perceptron\n"
    said = python("-c", program + "except ImportError as error:\n    print(error)", blocked=False)
    expected = "rosenblatt.Perceptron needs scikit-learn, newer than what is installed: pip install '.[sklearn]'"
    assert said == f"{expected} in rosenblatt's folder\n"


def test_an_install_without_extras_brings_none_of_them() -> None:
    """Nor does anything that it brings."""
    seen: set[str] = set()
    todo = [re.split(r"[^\w.-]", line)[0] for line in PROJECT["dependencies"]]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for line in metadata.requires(name) or []:
            if "extra ==" not in line and "sys_platform" not in line and "platform_system" not in line:
                todo.append(re.split(r"[^\w.-]", line)[0])
    assert {"numpy", "click", "highspy"} <= seen
    assert not seen & {"scikit-learn", "scipy", "pyarrow", "zstandard", "pandas"}


def test_every_extra_that_an_error_names_exists() -> None:
    extras = PROJECT["optional-dependencies"]
    assert errors._EXTRAS.keys() >= EXTRAS.keys()
    for module, extra in errors._EXTRAS.items():
        package = {"sklearn": "scikit-learn"}.get(module, module)
        assert any(line.startswith(f"{package}>=") for line in extras[extra])
        assert extra in extras["all"][0]


def test_the_oldest_pyarrow_is_said_once() -> None:
    assert f"pyarrow>={arrow._OLDEST}" in PROJECT["optional-dependencies"]["tables"]


@pytest.mark.parametrize(("which", "expected"), [("--oldest", "numpy=="), ("--core", "numpy>="), ("", "ruff>=")])
def test_requirements_come_from_the_project(which: str, expected: str) -> None:
    script = str(HERE.parent / ".ci" / "requirements.py")
    lines = python(script, *filter(None, [which]), blocked=False).splitlines()
    assert any(line.startswith(expected) for line in lines)
    assert not any(line.startswith("rosenblatt") for line in lines), "it is not on an index"
    bounds = {line.replace("==", ">=") for line in lines}
    assert set(PROJECT["dependencies"]) <= bounds
    assert (bounds >= set(PROJECT["optional-dependencies"]["sklearn"])) == (which != "--core")

"""The package as a whole: what importing costs, what the documents say, what the command prints."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import rosenblatt
from rosenblatt import cli, rules
from rosenblatt.versions import show_versions, versions

ROOT = Path(__file__).resolve().parents[2]


def python(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], capture_output=True, check=True, text=True).stdout


def test_the_readme_names_only_commands_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    documents = "".join((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md"))
    targets = set(re.findall(r"^make ([\w-]+)", documents, flags=re.MULTILINE))
    assert {"demo", "test"} <= targets
    for target in targets:
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_every_law_that_is_named_stands_in_the_theory() -> None:
    theory = (ROOT / "docs" / "theory.md").read_text()
    numbered = {int(number) for number in re.findall(r"^(\d+)\. ", theory, flags=re.MULTILINE)}
    named = {}
    for file in [
        *ROOT.glob("src/**/*.[ph]*"),
        *ROOT.glob("tests/**/*.py"),
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
    ]:
        if file.suffix not in (".py", ".hpp", ".md"):
            continue
        text = file.read_text()
        assert not re.search(r"theory(\.md)?,? " + "(§|section)", text), (
            f"{file} names a section; the laws have the numbers"
        )
        named |= {int(number): file for number in re.findall(r"\b[Ll]aws? (\d+)", text)}
    assert numbered == set(range(1, len(numbered) + 1))
    assert len(named) > 8
    assert set(named) <= numbered, {number: file for number, file in named.items() if number not in numbered}


def test_the_version_is_stated_once() -> None:
    """In the package: pyproject takes it from there, and here is seen that the others say the same."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" in project["dynamic"]
    assert metadata.version("rosenblatt") == rosenblatt.__version__
    assert re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE) == [rosenblatt.__version__]
    assert python("-m", "rosenblatt", "--version") == f"rosenblatt {rosenblatt.__version__}\n"


def test_importing_the_package_imports_nothing_else() -> None:
    program = "import sys; import rosenblatt; print('numpy' in sys.modules, 'rosenblatt._core' in sys.modules)"
    assert python("-c", program) == "False False\n"


@pytest.mark.slow
def test_a_strict_type_checker_accepts_what_users_write(tmp_path: Path) -> None:
    program = tmp_path / "user.py"
    program.write_text(
        "from rosenblatt import Hyperplane, Run, datasets, learn\n"
        "run: Run = learn(*datasets.get('xor'), readout=('last', 'pocket'))\n"
        "plane: Hyperplane = run.read('pocket').hyperplane\n"
    )
    assert "Success" in python("-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program))


def test_a_run_needs_neither_scipy_nor_scikit_learn() -> None:
    program = (
        "import sys; from rosenblatt import learn; learn([[1.0], [2.0]], [1, -1])\n"
        "print([name for name in ('scipy', 'sklearn', 'pandas') if name in sys.modules])"
    )
    assert python("-c", program) == "[]\n"


def test_every_public_name_is_there() -> None:
    assert 25 <= len(rosenblatt.__all__) == len(set(rosenblatt.__all__)) <= 40
    for name in rosenblatt.__all__:
        assert getattr(rosenblatt, name) is not None
    assert dir(rosenblatt) == sorted(rosenblatt.__all__)
    with pytest.raises(AttributeError, match="no attribute 'lern'"):
        _ = rosenblatt.lern  # type: ignore[attr-defined]


def test_help_opens_with_a_map_of_every_function() -> None:
    """Each call of the map is of a public name; and each public function, but for five of special use, is in it."""
    called = set(re.findall(r"^    ([A-Za-z_]+)\(", rosenblatt.__doc__ or "", re.MULTILINE))
    functions = {name for name in rosenblatt.__all__ if type(getattr(rosenblatt, name)).__name__ == "function"}
    assert called <= set(rosenblatt.__all__)
    assert functions - called == {"compare_decimals", "from_json", "from_liblinear", "loop_proof", "show_versions"}


def test_learn_stays_a_function_whatever_is_imported_first() -> None:
    program = "import rosenblatt.learning.learn, rosenblatt.rules; import rosenblatt; print(callable(rosenblatt.learn))"
    assert python("-c", program) == "True\n"


def test_the_command_prints_the_rules_the_versions_and_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rules"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{name}\n" in printed for name in rules.names())
    assert cli.main(["versions"]) == 0
    assert f"rosenblatt    {rosenblatt.__version__}" in capsys.readouterr().out
    assert cli.main([]) == 0
    assert "versions" in capsys.readouterr().out
    assert cli.main(["--nonsense"]) == 2


@pytest.mark.slow
def test_the_package_never_imports_what_runs_code_from_a_file() -> None:
    banned = {"pickle", "joblib", "cloudpickle", "dill", "marshal", "shelve"}
    files = sorted((ROOT / "src" / "rosenblatt").rglob("*.py"))
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not banned & {name.split(".")[0] for name in names}, file
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            assert called not in ("eval", "exec"), file


def test_the_versions_are_those_of_what_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    found = versions()
    assert list(found)[:4] == ["rosenblatt", "core", "python", "machine"]
    assert found["rosenblatt"] == rosenblatt.__version__
    assert re.fullmatch(r"\w+, [1-9]\d* thread\(s\)", found["core"])
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found["machine"] == f"{os.uname().sysname} {os.uname().machine}"
    assert {name: found[name] for name in list(found)[4:]} == {name: metadata.version(name) for name in list(found)[4:]}
    show_versions()
    printed = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert dict(printed) == found

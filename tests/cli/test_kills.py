"""Killed at any moment, `train --resume auto` ends with the model that it would have written undisturbed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from effort import LONG

TIME_BUDGET = 60
KILLS = Path(__file__).parents[1] / "kills.py"
PHASES = {
    "before the first checkpoint", "the first checkpoint was being written", "learning", "between two renamings",
    "a checkpoint or the model was being written", "the model was written",
}  # fmt: skip


def fell(folder: Path, *words: str) -> dict[str, int]:
    """Where the kills fell."""
    done = subprocess.run([sys.executable, str(KILLS), *words], cwd=folder, stdout=subprocess.PIPE, check=True)
    found: dict[str, int] = json.loads(done.stdout)
    width = max(map(len, found))
    for phase, count in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{phase:{width}} {count:5} {'#' * (60 * count // max(found.values()))}")
    return found


@pytest.mark.serial
def test_a_kill_at_any_call_of_the_system_changes_nothing(tmp_path: Path) -> None:
    assert set(fell(tmp_path, "every", "averaged")) == PHASES


@pytest.mark.long
@pytest.mark.serial
@pytest.mark.parametrize("plan", ["batches", "chosen", "pocket", "direct", "voted"])
def test_a_kill_at_any_call_of_the_system_changes_nothing_of_any_plan(tmp_path: Path, plan: str) -> None:
    assert set(fell(tmp_path, "every", plan)) == PHASES


@pytest.mark.serial
@pytest.mark.timeout(7200 if LONG else 120)
def test_processes_killed_at_random_moments_all_end_with_the_same_model(tmp_path: Path) -> None:
    count = 2000 if LONG else 20
    found = fell(tmp_path, "random", str(count), "1")
    assert sum(found.values()) - found.get("after its end", 0) == count
    assert found.get("learning", 0) > 0

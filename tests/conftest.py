"""What every test file gets: programs that may be missing, long tests, and a time budget for each file."""

import os
import shutil
from collections import defaultdict

import pytest

BUDGET = 30.0  # seconds a test file may take in all; a file that needs more says TIME_BUDGET = …
REQUIRE_ALL = os.environ.get("ROSENBLATT_REQUIRE") == "all"
LONG = os.environ.get("ROSENBLATT_LONG") == "1"

_spent: dict[str, float] = defaultdict(float)
_budgets: dict[str, float] = {}
_missing: dict[str, list[str]] = defaultdict(list)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        module = getattr(item, "module", None)
        _budgets[item.nodeid.split("::")[0]] = getattr(module, "TIME_BUDGET", BUDGET)
        if item.get_closest_marker("long") and not LONG:
            item.add_marker(pytest.mark.skip(reason="long: make test-long"))
        programs = [name for mark in item.iter_markers("needs") for name in mark.args]
        absent = [name for name in programs if shutil.which(name) is None]
        if absent:
            _missing[", ".join(absent)].append(item.nodeid)
            if not REQUIRE_ALL:
                item.add_marker(pytest.mark.skip(reason=f"needs {', '.join(absent)}"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _spent[report.nodeid.split("::")[0]] += report.duration


def _over_budget() -> list[str]:
    if LONG:
        return []
    return [
        f"{file}: {spent:.1f} s, budget {_budgets[file]:.0f} s"
        for file, spent in sorted(_spent.items())
        if file in _budgets and spent > _budgets[file]
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _over_budget() and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in _over_budget():
        terminalreporter.write_line(f"over its time budget: {line}", red=True)
    for programs, tests in sorted(_missing.items()):
        verb = "failed" if REQUIRE_ALL else "skipped"
        terminalreporter.write_line(f"{verb} for want of {programs}:", yellow=True)
        for test in tests:
            terminalreporter.write_line(f"    {test}")

"""What every test file gets: programs that may be missing, long tests, and a time budget for each file."""

import os
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

# scikit-learn's checks of estimators ask for it, and NumPy's arrays are one of the array APIs.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

BUDGET = 30.0  # seconds a test file may take in all; a file that needs more says TIME_BUDGET = …
REQUIRE_ALL = os.environ.get("ROSENBLATT_REQUIRE") == "all"
LONG = os.environ.get("ROSENBLATT_LONG") == "1"

_spent: dict[str, float] = defaultdict(float)
_budgets: dict[str, float] = {}
_missing: dict[str, list[str]] = defaultdict(list)
_skipped: list[str] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not LONG:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    for item in items:
        module = getattr(item, "module", None)
        _budgets[item.nodeid.split("::")[0]] = getattr(module, "TIME_BUDGET", BUDGET)
        programs = [name for mark in item.iter_markers("needs") for name in mark.args]
        absent = [name for name in programs if shutil.which(name) is None]
        if absent:
            _missing[", ".join(absent)].append(item.nodeid)
            if not REQUIRE_ALL:
                item.add_marker(pytest.mark.skip(reason=f"needs {', '.join(absent)}"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _spent[report.nodeid.split("::")[0]] += report.duration
    if report.skipped and REQUIRE_ALL and not hasattr(report, "wasxfail"):  # an expected failure was run
        _skipped.append(report.nodeid)


def _over_budget() -> list[str]:
    if LONG:
        return []
    return [
        f"{file}: {spent:.1f} s, budget {_budgets[file]:.0f} s"
        for file, spent in sorted(_spent.items())
        if file in _budgets and spent > _budgets[file]
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if (_over_budget() or _skipped) and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    slowest = sorted(_spent.items(), key=lambda item: -item[1])[:8]
    terminalreporter.write_line(
        f"{sum(_spent.values()):.0f} s in all: "
        + ", ".join(f"{Path(file).name} {spent:.0f} s" for file, spent in slowest)
    )
    for test in _skipped:
        terminalreporter.write_line(f"skipped, but ROSENBLATT_REQUIRE=all: {test}", red=True)
    for line in _over_budget():
        terminalreporter.write_line(f"over its time budget: {line}", red=True)
    for programs, tests in sorted(_missing.items()):
        verb = "failed" if REQUIRE_ALL else "skipped"
        terminalreporter.write_line(f"{verb} for want of {programs}:", yellow=True)
        for test in tests:
            terminalreporter.write_line(f"    {test}")

"""What every test file gets: programs that may be missing, long tests, a quick slice, and a budget of CPU time.

Tests may run in several processes (pytest-xdist) while one counts: what it has to know of a test travels with the
reports. A budget is of CPU time, of the process and of the children it waited for, so that other work on the machine
does not count. `tests/both_passes.py` runs what may run at the same time, then the rest alone; the second pass goes on
with the tally of the first.
"""

import json
import os
import shutil
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from effort import LONG, QUICK
from hypothesis import settings

settings.register_profile("tests", settings(), deadline=None)  # it is of the clock; pytest-timeout is not so strict
settings.load_profile("tests")

# scikit-learn's checks of estimators ask for it, and NumPy's arrays are one of the array APIs.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ.setdefault("MPLBACKEND", "agg")  # figures are drawn to memory; programs that are started too

# A shell ignores it in what it runs in the background, and so would every program that is started here.
signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["blocked"]  # whoever imports it has no extras

BUDGET = 30.0  # seconds of CPU a test file may take in all; a file that needs more says TIME_BUDGET = …
SLACK = 1.5  # a file over its budget is named; by so much, it fails: machines differ, and one is not always alike
REQUIRE_ALL = os.environ.get("ROSENBLATT_REQUIRE") == "all"
TALLY = os.environ.get("ROSENBLATT_TALLY")  # a file: the counts of the pass before, if there was one, and of this one
COUNTS = "PYTEST_XDIST_WORKER" not in os.environ  # a worker runs tests, and another process counts

# `make quick`: so many cases of each test, until its file has had so many seconds of CPU. A test that takes more than
# CHEAP is to be marked slow, and is named.
CASES, SLICE, CHEAP = 2, 0.35, 1.5

_spent: dict[str, float] = defaultdict(float)
_budgets: dict[str, float] = {}
_missing: dict[str, list[str]] = defaultdict(list)
_skipped: list[str] = []
_costs: dict[str, float] = defaultdict(float)
_began = pytest.StashKey[float]()
_absent = pytest.StashKey[str]()


@pytest.fixture(scope="session", autouse=True)
def _caches(tmp_path_factory: pytest.TempPathFactory) -> Generator[None, None, None]:
    """What is kept for streams goes to a folder of the tests, never to the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROSENBLATT_CACHE_DIR", str(tmp_path_factory.mktemp("caches")))
        yield


@pytest.fixture(scope="module")
def client() -> Generator[object, None, None]:
    """A Dask cluster of two processes on this machine, for the tests of a file; they count as the file's own."""
    from on_dask import started  # beside the tests that ask for it: the others do without Dask

    with started(2) as made:
        yield made


def file_of(test: pytest.Item | pytest.TestReport) -> str:
    return test.nodeid.split("::")[0]


def budget_of(item: pytest.Item) -> float:
    return float(getattr(getattr(item, "module", None), "TIME_BUDGET", BUDGET))


def cpu() -> float:
    """Seconds of CPU that this process has used, and the children that it has waited for."""
    return sum(os.times()[:4])


def pytest_configure(config: pytest.Config) -> None:
    if COUNTS and TALLY and Path(TALLY).exists():
        before = json.loads(Path(TALLY).read_text())
        _spent.update(before["spent"])
        _budgets.update(before["budgets"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    met: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        met[test := item.nodeid.split("[")[0]] += 1
        unwanted = ["long"] * (not LONG) + ["serial", "slow"] * QUICK
        wanted = not any(map(item.get_closest_marker, unwanted)) and not (QUICK and met[test] > CASES)
        (kept if wanted else left).append(item)
    config.hook.pytest_deselected(items=left)
    # The costly files first, so that no worker is left with one of them at the end. Otherwise the order stays random.
    items[:] = sorted(kept, key=lambda item: -budget_of(item))
    for item in items:
        programs = [name for mark in item.iter_markers("needs") for name in mark.args]
        absent = ", ".join(name for name in programs if shutil.which(name) is None)
        if absent:
            item.stash[_absent] = absent
            if not REQUIRE_ALL:
                item.add_marker(pytest.mark.skip(reason=f"needs {absent}"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_began] = cpu()
    return (yield)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if QUICK and _spent[file_of(item)] > SLICE:  # a file stays with one worker
        pytest.skip("its file has had its share of make quick")


def pytest_runtest_teardown() -> None:
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        pyplot.close("all")  # it keeps every figure, and warns of the twentieth


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    began, item.stash[_began] = item.stash[_began], cpu()
    facts = {"cpu": item.stash[_began] - began, "budget": budget_of(item), "absent": item.stash.get(_absent, "")}
    report.user_properties.append(("rosenblatt", facts))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    facts = dict(report.user_properties).get("rosenblatt")
    if isinstance(facts, dict):  # a worker that died sends none
        _spent[file_of(report)] += facts["cpu"]
        _costs[report.nodeid] += facts["cpu"]
        _budgets[file_of(report)] = facts["budget"]
        if facts["absent"] and report.when == "setup":
            _missing[facts["absent"]].append(report.nodeid)
    if report.skipped and REQUIRE_ALL and not hasattr(report, "wasxfail"):  # an expected failure was run
        _skipped.append(report.nodeid)


def _over_budget(slack: float = 1.0) -> list[str]:
    if LONG:
        return []
    return [
        f"{file}: {spent:.1f} s of CPU, budget {_budgets[file]:.0f} s"
        for file, spent in sorted(_spent.items())
        if file in _budgets and spent > slack * _budgets[file]
    ]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if COUNTS and (_over_budget(SLACK) or _skipped) and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not COUNTS:
        return
    say = terminalreporter.write_line
    slowest = sorted(_spent.items(), key=lambda item: -item[1])[:8]
    say(
        f"{sum(_spent.values()):.0f} s of CPU in all: "
        + ", ".join(f"{Path(file).name} {spent:.0f} s" for file, spent in slowest)
    )
    if QUICK:
        reports = terminalreporter.stats.get("passed", []) + terminalreporter.stats.get("failed", [])
        tests = {report.nodeid.split("[")[0] for report in reports}
        files = {test.split("::")[0] for test in tests}
        say(f"quick: {len(tests)} tests of {len(files)} files; make test runs the rest")
        for test, spent in sorted(_costs.items(), key=lambda item: -item[1]):
            if spent > CHEAP:
                say(f"mark it slow, for make quick: {test}, {spent:.1f} s of CPU", yellow=True)
    for test in _skipped:
        say(f"skipped, but ROSENBLATT_REQUIRE=all: {test}", red=True)
    for line in _over_budget():
        say(f"over its time budget: {line}", red=True)
    for programs, tests in sorted(_missing.items()):
        say(f"{'failed' if REQUIRE_ALL else 'skipped'} for want of {programs}:", yellow=True)
        for test in tests:
            say(f"    {test}")
    if TALLY:
        outcomes = Counter(json.loads(Path(TALLY).read_text())["outcomes"] if Path(TALLY).exists() else {})
        for name in ("failed", "passed", "skipped", "xfailed", "xpassed", "error"):
            outcomes[name] += len(terminalreporter.stats.get(name, []))
        Path(TALLY).write_text(json.dumps({"outcomes": outcomes, "spent": _spent, "budgets": _budgets}))

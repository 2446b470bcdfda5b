"""What pytest loads in a scratch copy: it records the lines that each test runs, or runs the tests that were chosen.

coverage.py is told a test's name as it starts. What a fixture of a module does, or a module's import, belongs to all
tests of that file. A process that a test starts goes on recording under the test's name.
"""

import atexit
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

FOLDER = os.environ.get("MUTATE_COVER")  # where to record to; else nothing is recorded
CHOSEN = os.environ.get("MUTATE_CHOSEN")  # a list of the tests to run, in their order
SAID = os.environ.get("MUTATE_SAID")  # where to write what came out

_cover: Any = None
_spent: dict[str, float] = {}
_failed: list[str] = []


def _coverage(**more: Any) -> Any:
    import coverage

    return coverage.Coverage(
        data_file=f"{FOLDER}/lines", data_suffix=True, config_file=False, include=["*/src/rosenblatt/*"], **more
    )


def follow() -> None:
    """In a process started by a test: record under its name, however the process ends."""
    cover = _coverage(context=os.environ["MUTATE_TEST"])
    cover.start()
    leave = os._exit

    def save() -> None:
        cover.stop()
        cover.save()

    def end(code: int) -> None:
        save()
        leave(code)

    os._exit = end  # type: ignore[assignment]
    atexit.register(save)


def _is(name: str) -> str:
    """From here on, lines belong to this test or file; what they belonged to before."""
    before = os.environ.get("MUTATE_TEST", "")
    os.environ["MUTATE_TEST"] = name
    if _cover is not None:
        _cover.switch_context(name)
    return before


def pytest_configure() -> None:
    global _cover
    if FOLDER:
        _cover = _coverage()
        _cover.start()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHOSEN:
        with open(CHOSEN, encoding="utf-8") as file:
            places = {name: place for place, name in enumerate(json.load(file))}
        items[:] = sorted((item for item in items if item.nodeid in places), key=lambda item: places[item.nodeid])


def pytest_collectstart(collector: pytest.Collector) -> None:
    if isinstance(collector, pytest.Module):
        _is(collector.nodeid.split("::")[0])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _is(item.nodeid)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Iterator[None]:
    if fixturedef.scope == "function":
        return (yield)
    before = _is(request.node.nodeid.split("::")[0])
    try:
        return (yield)
    finally:
        _is(before)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _spent[report.nodeid] = _spent.get(report.nodeid, 0.0) + report.duration
    if report.failed or (report.when == "setup" and report.skipped):
        _failed.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _failed.append(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    if _cover is not None:
        _cover.stop()
        _cover.save()
    if SAID:
        with open(SAID, "w", encoding="utf-8") as file:
            json.dump({"spent": _spent, "failed": _failed}, file)

"""Rows out of a cache are the rows of the file: the same numbers, labels and lines, and the same bits learnt."""

import copy
import errno
import os
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import learn, separability, stream
from rosenblatt.data.examples import Examples
from rosenblatt.data.labels import MOST_CLASSES
from rosenblatt.data.rows import matrix_of
from rosenblatt.data.scans import column_largest
from rosenblatt.data.source import CHUNK, Visit
from rosenblatt.errors import InputError
from rosenblatt.files import stream as stream_module
from rosenblatt.files.cache import folder as cache_folders
from rosenblatt.files.cache.labels import LabelCodes
from rosenblatt.files.parts.text import TextInput
from rosenblatt.files.read import read
from rosenblatt.learning.choose import choose

TIME_BUDGET = 60
N = 2 * CHUNK + 1234


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROSENBLATT_CACHE_DIR", str(tmp_path / "caches"))
    return tmp_path / "caches"


def _svmlight(path: Path, n: int = N, d: int = 60, classes: int = 2, seed: int = 0) -> Path:
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(n):
        columns = np.sort(random.choice(d, random.integers(0, 12), replace=False)) + 1
        label = random.integers(0, classes)
        values = random.normal(size=columns.size) + (label if columns.size else 0)
        lines.append(" ".join([str(label * 3 - 1), *(f"{j}:{x:.6g}" for j, x in zip(columns, values, strict=True))]))
    path.write_text("# made\n" + "\n".join(lines) + f"\n0 {d}:1\n" * (classes > 2) + "\n")
    return path


def _vw(path: Path) -> Path:
    random = np.random.default_rng(1)
    rows = [
        f"{random.choice([-1, 1])} {random.choice([0.5, 1, 2])} | w{random.integers(40)} v:{random.normal():.4f}"
        for _ in range(5000)
    ]
    path.write_text("\n".join(rows) + "\n")
    return path


def _csv(path: Path) -> Path:
    random = np.random.default_rng(2)
    rows = [
        f"{random.normal():.5f},{random.integers(9)},{random.choice(['red', 'green'])},{random.choice(['no', 'yes'])}"
        for _ in range(5000)
    ]
    path.write_text("size,count,colour,ill\n" + "\n".join(rows) + "\n")
    return path


MADE: dict[str, tuple[Callable[[Path], Path], dict[str, Any]]] = {
    "two.svm": (_svmlight, {}),
    "three.svm": (lambda path: _svmlight(path, 5000, classes=3), {}),
    "weighted.vw": (_vw, {}),
    "table.csv": (_csv, {"label": "ill"}),
}


@pytest.fixture(params=MADE)
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Any, Any]:
    make, how = MADE[request.param]
    path = make(tmp_path / request.param)
    return read(path, **how), stream(path, **how)


def test_it_is_the_file(both: tuple[Any, Any]) -> None:
    examples, source = both
    assert (source.n_rows, source.n_columns, source.is_sparse) == (
        examples.n_rows, examples.n_columns, examples.is_sparse
    )  # fmt: skip
    assert source.classes.tolist() == examples.classes.tolist()
    assert source.feature_names == examples.feature_names
    assert source.digest() == examples.digest()
    assert source.digest(every_row=True) == examples.digest(every_row=True)
    numbers = np.random.default_rng(0).integers(0, examples.n_rows, 3000)
    assert source.labels_of(numbers).tolist() == examples.labels[numbers].tolist()
    if examples.lines is not None:
        assert source.lines_of(numbers).tolist() == examples.lines[numbers].tolist()
        assert source.place_of(7).endswith(f":{examples.lines[7]}")
    taken, whole = source.gather(numbers), matrix_of(examples.rows)[numbers]
    made = matrix_of(taken.rows)
    dense = [np.asarray(one.toarray() if examples.is_sparse else one) for one in (made, whole)]
    assert dense[0].tobytes() == dense[1].tobytes()
    assert source.has_weights == (examples.weights is not None)
    if examples.weights is not None:
        assert taken.weight.tolist() == examples.weights[numbers].tolist()
    last = source.take(Visit(np.array([(source.n_rows - 1) // CHUNK]), None))
    assert last.number(last.rows.n - 1) == source.n_rows - 1
    listed = source.listed([0, 5])
    assert [one["label"] for one in listed] == [one["label"] for one in examples.listed([0, 5])]


PLANS: list[dict[str, Any]] = [
    {"order": "cyclic", "max_epochs": 2},
    {"order": "shuffled", "seed": 3, "max_epochs": 3, "readout": "averaged", "tol": 1e-3, "patience": 2},
    {"order": "shuffled", "scale": "standard", "max_epochs": 2, "readout": "averaged"},
    {"order": "shuffled", "rule": "coin", "max_epochs": 2, "readout": "averaged"},
    {"order": "cyclic", "batch_size": 700, "max_epochs": 2, "readout": ("last", "pocket")},
    {"order": "shuffled", "rule": "relative-margin", "offset": "radius", "max_epochs": 2, "schedule": "1/sqrt(k)"},
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: "-".join(map(str, plan.values())))
def test_the_bits_are_those_of_memory(both: tuple[Any, Any], plan: dict[str, Any]) -> None:
    examples, source = both
    here, there = learn(examples, **plan, threads=1), learn(source, **plan, threads=2)
    assert here.state.weights.tobytes() == there.state.weights.tobytes()
    assert here.state.offsets.tobytes() == there.state.offsets.tobytes()
    assert here.state.conditions == there.state.conditions
    assert str(here.status) == str(there.status)
    assert here.history.mistakes.tolist() == there.history.mistakes.tolist()
    assert here.survey("last")[1] == there.survey("last")[1]


def test_a_vote_and_a_choice_are_those_of_memory(both: tuple[Any, Any]) -> None:
    examples, source = both
    run, choice = choose(examples, seed=5)
    again, same = choose(source, seed=5)
    assert choice.to_dict() == same.to_dict()
    assert run.state.weights.tobytes() == again.state.weights.tobytes()
    votes = [learn(one, max_epochs=1, readout="voted").scores(examples) for one in (examples, source)]
    assert votes[0].tobytes() == votes[1].tobytes()


def test_a_run_goes_on_from_memory_to_a_stream_and_back(tmp_path: Path) -> None:
    path = _svmlight(tmp_path / "a.svm")
    examples, source = read(path), stream(path)
    plan: dict[str, Any] = {"order": "shuffled", "readout": "averaged"}
    whole = learn(examples, max_epochs=4, **plan)
    stops = iter([False, True])
    part = learn(source, max_epochs=4, callback=lambda progress: next(stops, True), **plan)
    assert part.status.name == "stopped"
    ended = learn(examples, start=part.state, max_epochs=4, **plan)
    assert ended.state.weights.tobytes() == whole.state.weights.tobytes()


def test_the_second_time_the_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _svmlight(tmp_path / "a.svm", 500)
    first = stream(path).digest(every_row=True)
    monkeypatch.setattr(TextInput, "sheets", lambda *_: pytest.fail("read again"))
    assert stream(path).digest(every_row=True) == first


def test_a_changed_file_has_another_cache(tmp_path: Path, cache_dir: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n-1 1:2\n")
    before, status = stream(path), path.stat()
    path.write_text("1 1:1\n-1 1:3\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # the same size, and the same time
    assert matrix_of(stream(path).gather(np.array([1])).rows).toarray().tolist() == [[3.0]]
    assert matrix_of(before.gather(np.array([1])).rows).toarray().tolist() == [[2.0]]  # it is open still
    assert len(list(cache_dir.glob("*.rows"))) == 2


def test_other_options_are_another_cache(tmp_path: Path, cache_dir: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n-1 1:2\n")
    assert [stream(path, base=base).n_columns for base in (None, 1, 0)] == [1, 1, 2]
    assert len(list(cache_dir.glob("*.rows"))) == 2  # the second is the first, which found the base out


def test_a_damaged_cache_is_made_again(tmp_path: Path, cache_dir: Path) -> None:
    path = _svmlight(tmp_path / "a.svm", 700)
    wanted = stream(path).digest(every_row=True)
    (cache,) = cache_dir.glob("*.rows")
    sound = cache.read_bytes()
    places = [*range(0, len(sound), max(1, len(sound) // 25)), len(sound) - 1, len(sound) - 70, len(sound) - 400]
    for at in places:
        cache.write_bytes(sound[:at] + bytes([sound[at] ^ 0x10]) + sound[at + 1 :])
        assert stream(path).digest(every_row=True) == wanted, at
        assert cache.read_bytes() == sound
    for size in (0, 10, 63, len(sound) // 2, len(sound) - 1):
        cache.write_bytes(sound[:size])
        assert stream(path).digest(every_row=True) == wanted
        assert cache.read_bytes() == sound


def test_a_cache_that_is_cut_while_it_is_used_is_made_again(tmp_path: Path, cache_dir: Path) -> None:
    path = _svmlight(tmp_path / "a.svm", 700)
    source = stream(path)
    wanted = learn(source, max_epochs=1).state.weights.tobytes()
    (cache,) = cache_dir.glob("*.rows")
    os.truncate(cache, 1000)
    assert learn(source, max_epochs=1).state.weights.tobytes() == wanted


def test_a_cache_without_its_file_says_so(tmp_path: Path, cache_dir: Path) -> None:
    path = _svmlight(tmp_path / "a.svm", 700)
    source = stream(path)
    (cache,) = cache_dir.glob("*.rows")
    os.truncate(cache, 1000)
    path.unlink()
    with pytest.raises(InputError, match=r"a\.svm: No such file"):
        source.gather(np.arange(600))


def test_a_file_that_is_written_while_it_is_read_is_refused(
    tmp_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _svmlight(tmp_path / "a.svm", 300)
    real = stream_module.write_cache

    def meanwhile(*arguments: Any) -> None:
        real(*arguments)
        with path.open("a") as file:
            file.write("1 1:5\n")

    monkeypatch.setattr(stream_module, "write_cache", meanwhile)
    with pytest.raises(InputError, match="changed while it was read"):
        stream(path)
    assert not list(cache_dir.glob("*.rows"))


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO])
def test_a_write_that_fails_leaves_nothing(
    tmp_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    path, real, calls = _svmlight(tmp_path / "a.svm", 300), os.write, 0
    for failing in (*range(1, 8), 12):  # it takes more than a dozen, by halves
        calls = 0

        def write(file: int, data: Any, failing: int = failing) -> int:
            nonlocal calls
            calls += 1
            if calls == failing:
                raise OSError(fault, os.strerror(fault))
            return real(file, memoryview(data)[: max(1, len(data) // 2)])  # and short writes on the way

        with monkeypatch.context() as patched:
            patched.setattr(os, "write", write)
            with pytest.raises(OSError, match=os.strerror(fault)):
                stream(path)
            assert list(cache_dir.iterdir()) == []
    assert stream(path).n_rows == 300


def test_rows_of_no_file_are_kept_for_once(tmp_path: Path, cache_dir: Path) -> None:
    path = _svmlight(tmp_path / "a.svm", 300)
    source = stream(path, cache=False)
    assert list(cache_dir.iterdir()) == []
    assert source.digest() == read(path).digest()


def test_the_oldest_goes_where_room_is_needed(tmp_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [_svmlight(tmp_path / f"{name}.svm", 300, seed=i) for i, name in enumerate("abc")]
    stream(paths[0]), stream(paths[1])
    caches = {entry.name: entry for entry in cache_folders.entries()}
    size = caches[str(paths[0])].size
    os.utime(caches[str(paths[1])].path, (1, 1))  # not used for long
    monkeypatch.setenv("ROSENBLATT_CACHE_SIZE", str(int(2.5 * size)))
    stream(paths[2])
    assert {entry.name for entry in cache_folders.entries()} == {str(paths[0]), str(paths[2])}
    monkeypatch.setenv("ROSENBLATT_CACHE_SIZE", "1000")
    with pytest.raises(InputError, match="no room for a cache"):
        stream(paths[1])
    monkeypatch.setenv("ROSENBLATT_CACHE_SIZE", "much")
    with pytest.raises(InputError, match="expected a size such as 256MB"):
        stream(paths[1])


def test_the_folder_is_its_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROSENBLATT_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    stream(_svmlight(tmp_path / "a.svm", 50))
    found = tmp_path / "xdg" / "rosenblatt"
    assert found.stat().st_mode & 0o777 == 0o700
    found.chmod(0o755)
    assert cache_folders.cache_folder() == found
    assert found.stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ROSENBLATT_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(InputError, match="say another folder for caches"):
        stream(tmp_path / "a.svm")


def test_what_cannot_be_streamed_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n1 1:2\n")
    with pytest.raises(InputError, match="one class only"):
        stream(path)
    with pytest.raises(InputError, match="64MB or more"):
        stream(path, memory="1MB")
    path.write_text("1 1:1\n-1 1:x\n")
    with pytest.raises(InputError, match=r"a\.svm:2:6"):
        stream(path)
    codes = LabelCodes("a file")
    codes.of(np.arange(MOST_CLASSES), 0)
    with pytest.raises(InputError, match="more than 65536 different labels"):
        codes.of(np.array([-5]), MOST_CLASSES)


def test_several_files_are_one(tmp_path: Path) -> None:
    whole = _svmlight(tmp_path / "whole.svm", 5000)
    lines = whole.read_text().splitlines(keepends=True)
    for part, first in enumerate(range(0, len(lines), 1700)):
        (tmp_path / f"part-{part}.svm").write_text("".join(lines[first : first + 1700]))
    source = stream(str(tmp_path / "part-*.svm"))
    assert source.digest(every_row=True) == read(whole).digest(every_row=True)
    assert source.place_of(1700).endswith("part-1.svm:2")  # line 1 of the whole is a comment
    verdicts = [separability(one).kind for one in (read(whole), source)]
    assert verdicts[0] == verdicts[1]


def test_several_threads_ask_a_damaged_cache(tmp_path: Path, cache_dir: Path) -> None:
    path = _svmlight(tmp_path / "a.svm", 700)
    source = stream(path)
    wanted = source.gather(np.arange(700)).labels.tolist()
    (cache,) = cache_dir.glob("*.rows")
    os.truncate(cache, 1000)
    with ThreadPoolExecutor(4) as pool:
        found = [one.labels.tolist() for one in pool.map(lambda _: source.gather(np.arange(700)), range(8))]
    assert found == [wanted] * 8


def test_a_stream_can_be_closed_and_not_copied(tmp_path: Path) -> None:
    with stream(_svmlight(tmp_path / "a.svm", 50)) as source:
        assert source.gather(np.array([3])).rows.n == 1
        with pytest.raises(InputError, match="cannot be copied or sent"):
            copy.deepcopy(source)
    with pytest.raises(InputError, match="it was closed"):
        source.gather(np.array([3]))


def test_long_rows_take_more_memory_and_say_so(tmp_path: Path) -> None:
    path = tmp_path / "wide.npy"
    np.save(path, np.hstack([np.arange(300)[:, None] % 2, np.zeros((300, 20_000))]).astype(np.float64))
    assert stream(path, label=0).memory > 300e6
    with pytest.raises(InputError, match=r"expected memory of [0-9]+MB or more"):
        stream(path, label=0, memory="256MB")


def test_what_a_killed_writer_left_is_cleared(tmp_path: Path, cache_dir: Path) -> None:
    stream(_svmlight(tmp_path / "a.svm", 50))
    left = cache_dir / ".rosenblatt-0123456789abcdef-0.tmp"
    left.write_bytes(bytes(5000))
    assert cache_folders.clear()[1] > 5000
    assert not left.exists()
    left.write_bytes(bytes(5000))
    stream(tmp_path / "a.svm")
    assert not left.exists()


def test_a_cache_too_large_removes_no_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = _svmlight(tmp_path / "a.svm", 20), _svmlight(tmp_path / "b.svm", 3000)
    stream(small)
    monkeypatch.setenv("ROSENBLATT_CACHE_SIZE", "60kB")
    with pytest.raises(InputError, match="no room for a cache"):
        stream(large)
    assert [entry.name for entry in cache_folders.entries()] == [str(small)]


def test_the_largest_of_columns_take_no_memory_for_pieces() -> None:
    class Made(Examples):
        """Pieces of one row, so that many come."""

        in_memory = False

        def scan(self, question: Callable[[Any], Any]) -> Any:
            for row in range(self.n_rows):
                yield question(self.gather(np.array([row])))

    X = np.random.default_rng(0).normal(size=(200, 50_000))
    y = np.arange(200) % 2
    made = Made(*(getattr(Examples.of(X, y), name) for name in ("rows", "labels", "classes")))
    wanted = np.abs(X).max(axis=0)
    tracemalloc.start()
    found = column_largest(made)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.tolist() == wanted.tolist()
    assert peak < 10 * 8 * 50_000


def test_a_table_that_is_given_twice_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,a\n2,b\n3,a\n")
    with pytest.raises(InputError, match=r"a\.csv: it is twice among the files; expected each of them once"):
        stream([path, path], label="y")

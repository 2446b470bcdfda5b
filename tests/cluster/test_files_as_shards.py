"""Files as shards: what is learnt and proved of them is what one machine says of them, and errors name them."""

import os
import pickle
import sys
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
import pytest

import rosenblatt
from rosenblatt import InputError, max_margin, separability, stream, verify
from rosenblatt.cluster import learn, reopened, sharded
from rosenblatt.cluster.engine import Here
from rosenblatt.cluster.files import SHARDS
from rosenblatt.cluster.shard import OnShard
from rosenblatt.data.classes import against_rest
from rosenblatt.files import stream as stream_module
from rosenblatt.files.cache import key
from rosenblatt.files.parts.text import TextInput
from rosenblatt.files.streamed import Blocks


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def svmlight(path: str, n: int, seed: int, *, noise: float = 0.0, width: int = 12, first: int = 1) -> None:
    """A file of n sparse rows of two classes."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, width)) < 0.4) * rng.integers(1, 9, (n, width))
    signs = np.where(X[:, :4].sum(1) - X[:, 4:8].sum(1) + 0.5 + noise * rng.normal(size=n) > 0, 1, -1)
    with open(path, "w") as file:
        for x, sign in zip(X, signs, strict=True):
            file.write(" ".join([f"{sign:+d}", *(f"{j + first}:{v}" for j, v in enumerate(x) if v)]) + "\n")


def parts(noise: float = 0.0) -> list[str]:
    """Three files of different lengths and widths; the last has no row of one class."""
    svmlight("a.svm", 700, 0, noise=noise)
    svmlight("b.svm", 5000, 1, noise=noise, width=15)
    svmlight("c.svm", 300, 2, noise=noise, width=9)
    lines = [line for line in Path("c.svm").read_text().splitlines(keepends=True) if line.startswith("+")]
    Path("c.svm").write_text("".join(lines))
    return ["a.svm", "b.svm", "c.svm"]


def test_each_file_is_a_shard_of_the_whole_that_a_stream_of_all_is() -> None:
    names = parts()
    source, whole = sharded(Here(), names), stream(names)
    assert [one.name for one in source.shards] == names
    assert (source.n_rows, source.n_columns, source.is_sparse) == (whole.n_rows, whole.n_columns, whole.is_sparse)
    assert source.counted == whole.counted
    assert source.reading == whole.reading
    some = np.array([0, 699, 700, 5699, whole.n_rows - 1, 3])
    assert np.array_equal(source.labels_of(some), whole.labels_of(some))
    assert np.array_equal(source.lines_of(some), whole.lines_of(some))
    assert source.files_of(some) == whole.files_of(some)
    assert source.place_of(701) == whole.place_of(701) == "b.svm:2"


@pytest.mark.parametrize("which", ["files", "one file", "so many shards"])
def test_a_full_batch_over_files_is_that_of_one_machine(which: str) -> None:
    names = parts(noise=3.0)
    given: Any = names[1] if which == "one file" else names
    source = sharded(Here(), given, shards=4 if which == "so many shards" else None)
    assert not source.aligned
    mine = learn(Here(), source, batch_size="all", max_epochs=5)
    plan: Any = {"batch_size": "all", "max_epochs": 5, "readout": "averaged", "scale": "standard"}
    one = rosenblatt.learn(stream(given), **plan)
    assert np.array_equal(mine.state.weights, one.state.weights)
    assert np.array_equal(mine.state.averaged()[0], one.state.averaged()[0])
    assert np.array_equal(mine.history.margin_upper, one.history.margin_upper)


def test_one_file_is_dealt_to_shards_that_are_alike() -> None:
    """A file sorted by class: shards of ranges would have one class each."""
    parts(noise=3.0)
    lines = sorted(Path("b.svm").read_text().splitlines(keepends=True))
    Path("sorted.svm").write_text("".join(lines))
    source = sharded(Here(), "sorted.svm")
    assert len(source.shards) == SHARDS
    every = np.arange(source.n_rows)
    shards, _ = source.cut.places(every)
    for shard in range(SHARDS):
        assert set(source.labels_of(every[shards == shard]).tolist()) == {-1, 1}
    assert np.array_equal(source.labels_of(every), stream("sorted.svm").labels_of(every))
    mixed = learn(Here(), source, max_epochs=10, tol=None)
    plan: Any = {"order": "shuffled", "readout": "averaged", "scale": "standard", "max_epochs": 10}
    one = rosenblatt.learn(stream("sorted.svm"), **plan)
    assert mixed.survey("averaged")[1] <= one.survey("averaged")[1] + 0.01 * source.n_rows


@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_verdicts_margins_and_proofs_of_files_are_those_of_a_stream(noise: float) -> None:
    names = parts(noise)
    for given in (names, "b.svm"):
        source, whole = sharded(Here(), given), stream(given)
        verdict = separability(source)
        assert verdict.kind == separability(whole).kind == ("overlapping" if noise else "separable")
        assert verdict.check().holds
        assert verify(verdict.proof, whole).holds
        assert verify(separability(whole).proof, source).holds
        if not noise:
            assert max_margin(source).margin2 == max_margin(whole).margin2


def test_text_columns_are_coded_as_in_the_whole_though_a_level_is_in_one_file_alone() -> None:
    Path("a.csv").write_text("colour,size,kind\nred,1,x\ngreen,2,y\nred,4,x\n")
    Path("b.csv").write_text("colour,size,kind\nblue,3,y\nred,5,x\ngreen,0,y\n")
    source, whole = sharded(Here(), ["a.csv", "b.csv"], label="kind"), stream(["a.csv", "b.csv"], label="kind")
    assert source.feature_names == whole.feature_names == ("colour=blue", "colour=green", "colour=red", "size")
    run = learn(Here(), source, batch_size="all", max_epochs=3, scale="none")
    one = rosenblatt.learn(whole, batch_size="all", max_epochs=3, readout="averaged")
    assert np.array_equal(run.state.weights, one.state.weights)


def reopened_anew() -> None:
    """As in a worker that was started again: nothing is open."""
    reopened._OPEN.clear()


def test_a_file_that_vanishes_between_passes_is_named_with_its_shard() -> None:
    names = parts()
    source = sharded(Here(), names)
    os.unlink("b.svm")
    reopened_anew()
    with pytest.raises(InputError, match=r"shard 1 \(b\.svm\): .*b\.svm"):
        source.named(source.engine.keep, OnShard(_opened_again), source.kept)


def _opened_again(shard: Any, _: Any) -> int:
    """What a worker does that comes by a shard from another one."""
    return int(sent(shard).source.gather(np.arange(1)).rows.n)


def sent(value: Any) -> Any:
    """What arrives in another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own


def test_a_shard_that_arrives_somewhere_opens_nothing_before_it_is_asked_for_rows() -> None:
    """A worker takes it in between its tasks, and weighs it there."""
    names = parts()
    for given in (names, names[1]):
        shards = [one for one, *_ in sharded(Here(), given).kept]
        told = [(one.source.n_rows, one.source.n_columns, sys.getsizeof(one)) for one in shards]
        rows = [one.source.gather(np.arange(9)).rows.arrays for one in shards]
        reopened_anew()
        arrived = [sent(one) for one in shards]
        assert [(one.source.n_rows, one.source.n_columns, sys.getsizeof(one)) for one in arrived] == told
        assert not reopened._OPEN
        for one, before in zip(arrived, rows, strict=True):
            for mine, other in zip(one.source.gather(np.arange(9)).rows.arrays, before, strict=True):
                assert np.array_equal(mine, other)


class Machines(Here):
    """Machines that share the files alone: what goes there is pickled, each has its own caches, and another folder.

    A task goes where something is that it depends on; one that depends on nothing goes to a machine of its own.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.open = folder, list[Any]()

    def each(self, function: Any, kept: Any, shared: Any = None) -> list[Any]:
        return [one.value for one in super().each(function, kept, shared)]

    def _call(self, index: int, function: Any, *values: Any) -> Any:
        rows = [value if isinstance(value, list) else [value] for value in values]
        machine = next((one.machine for row in rows for one in row if isinstance(one, Placed)), len(self.open))
        self.open += [WeakValueDictionary()] * (machine == len(self.open))
        there = [[one.on(machine) if isinstance(one, Placed) else sent(one) for one in row] for row in rows]
        given = [row if isinstance(value, list) else row[0] for value, row in zip(values, there, strict=True)]
        folder = self.folder / f"machine {machine}"
        folder.mkdir(exist_ok=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            patch.setenv("ROSENBLATT_CACHE_DIR", str(folder / "caches"))
            patch.setattr(reopened, "_OPEN", self.open[machine])
            return Placed(machine, super()._call(index, function, *given))


class Placed(NamedTuple):
    """Something on a machine."""

    machine: int
    value: Any

    def on(self, machine: int) -> Any:
        """The same, wherever it is needed."""
        return self.value if machine == self.machine else sent(self.value)


def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of which a cache is written, one after the other: all of their rows are read for it."""
    found, write = list[str](), stream_module.write_cache

    def told(path: str, given: Any, *more: Any) -> None:
        found.append(os.path.basename(given.name))
        write(path, given, *more)

    monkeypatch.setattr(stream_module, "write_cache", told)
    return found


@pytest.mark.parametrize("kind", ["svm", "csv"])
def test_each_file_is_opened_on_one_machine(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, found = parts() if kind == "svm" else tables(), written(monkeypatch)
    source = sharded(Machines(tmp_path), names)
    assert found == names
    learn(source.engine, source, max_epochs=3, tol=None)
    assert found == names


@pytest.mark.parametrize("given", ["w.svm", ["w.svm", "w.svm"]])
def test_the_names_of_columns_are_in_a_file_beside_the_others(given: Any, tmp_path: Path) -> None:
    svmlight("w.svm", 100, 0)
    Path("names.txt").write_text("\n".join("abcdefghijkl"))
    source = sharded(Machines(tmp_path), given, names="names.txt")
    assert source.feature_names == source.cut_at_chunks.feature_names == tuple("abcdefghijkl")


def tables() -> list[str]:
    """Two files, of which the second has text in a column that is numbers in the first: so that is looked at again."""
    Path("a.csv").write_text("colour,size,y\nred,1,-1\ngreen,2,1\nred,4,-1\n")
    Path("b.csv").write_text("colour,size,y\nblue,large,1\nred,5,-1\ngreen,0,1\n")
    return ["a.csv", "b.csv"]


def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files whose caches are opened, one after the other."""
    found, open_ = list[str](), Blocks._open

    def told(self: Blocks, path: str) -> Any:
        made = open_(self, path)
        found.append(os.path.basename(self.given.name))
        return made

    monkeypatch.setattr(Blocks, "_open", told)
    return found


def test_the_shards_of_one_file_share_what_was_opened_first(monkeypatch: pytest.MonkeyPatch) -> None:
    parts()
    found = opened(monkeypatch)
    sharded(Here(), "b.svm")
    assert found == ["b.svm"]


@pytest.mark.parametrize("given", [["a.svm", "b.svm"], "b.svm"])
def test_one_class_against_the_rest_is_a_view_of_what_is_open(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    parts()
    for name in ("a.svm", "b.svm"):
        lines = Path(name).read_text().splitlines()
        Path(name).write_text("".join(f"{i % 3}{line[2:]}\n" for i, line in enumerate(lines)))
    one = against_rest(np.arange(3), [0, 1, 2], 1)
    source, whole = sharded(Here(), given).against_rest(one, None), stream(given).against_rest(one, None)
    found, facts = opened(monkeypatch), list[int]()
    monkeypatch.setattr(key, "_sampled", lambda _, size: facts.append(size))
    every = np.arange(source.n_rows)
    assert np.array_equal(source.labels_of(every), whole.labels_of(every))
    assert separability(source).kind == "overlapping"
    assert (found, facts) == ([], [])


def test_rows_of_one_class_against_the_rest_have_weights_where_others_have_some() -> None:
    Path("a.csv").write_text("a,w,y\n1,1,0\n2,1,1\n3,1,2\n")
    Path("b.csv").write_text("a,w,y\n1,0.5,0\n2,2,1\n5,1,2\n")
    one = against_rest(np.arange(3), [0, 1, 2], 1)
    source = sharded(Here(), ["a.csv", "b.csv"], weight="w").against_rest(one, None)
    weight = source.gather(np.arange(6)).weight
    assert weight is not None
    assert weight.tolist() == [1, 1, 1, 0.5, 2, 1]


@pytest.mark.parametrize("given", [["a.svm", "b.svm"], "b.svm"])
def test_a_task_reads_with_one_thread_whatever_the_machine_that_asks(
    given: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts()
    threads, made = set[int](), TextInput._reader

    def told(self: TextInput) -> Any:
        threads.add(self.options.threads)
        return made(self)

    monkeypatch.setenv("ROSENBLATT_NUM_THREADS", "7")
    monkeypatch.setattr(TextInput, "_reader", told)
    sharded(Here(), given)
    assert threads == {1}


def test_a_file_that_changes_between_passes_is_named_with_its_shard() -> None:
    names = parts()
    source = sharded(Here(), names)
    svmlight("b.svm", 5000, 7, width=15)
    reopened_anew()
    with pytest.raises(InputError, match=r"shard 1 \(b\.svm\): .*changed"):
        source.named(source.engine.keep, OnShard(_opened_again), source.kept)


@pytest.mark.parametrize("given", [["a.svm", "b.svm", "c.svm"], "b.svm"])
def test_files_that_change_are_not_cut_anew(given: Any) -> None:
    """A proof and a full batch are about the rows that were opened."""
    parts()
    source = sharded(Here(), given)
    svmlight("b.svm", 5000, 7, width=15)
    with pytest.raises(InputError, match=r"b\.svm: it has changed since"):
        _ = source.cut_at_chunks


@pytest.mark.parametrize(
    ("given", "how", "said"),
    [
        (["a.svm", "nowhere.svm"], {}, r"nowhere\.svm"),
        (["a.svm", "b.csv"], {}, r"b\.csv: csv, where a\.svm is svmlight"),
        ("a.svm", {"shards": 0}, "shards"),
        ("a.svm", {"label": 3}, "label"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(given: Any, how: dict[str, Any], said: str) -> None:
    parts()
    Path("b.csv").write_text("x,label\n1,a\n2,b\n")
    with pytest.raises(InputError, match=said) as refused:
        sharded(Here(), given, **how)
    assert "\n" not in str(refused.value)


def test_labels_beside_files_are_refused() -> None:
    parts()
    with pytest.raises(InputError, match="label="):
        sharded(Here(), "a.svm", [1, 2])


def test_files_without_rows_are_no_shards_and_one_class_alone_is_refused() -> None:
    parts()
    Path("empty.svm").write_text("")
    source = sharded(Here(), ["a.svm", "empty.svm", "c.svm"])
    assert [one.place for one in source.shards] == [0, 2]
    with pytest.raises(InputError, match="one class only"):
        sharded(Here(), ["c.svm", "c.svm"], shards=2)


def test_shards_of_files_reach_workers_by_name(client: Any) -> None:
    """Real workers: they open the files by themselves, to the bits of one process."""
    names = parts(noise=3.0)
    full = [os.path.abspath(one) for one in names]
    here, there = sharded(Here(), full), sharded(client, full)
    a = learn(Here(), here, max_epochs=4, tol=None)
    b = learn(client, there, max_epochs=4, tol=None)
    assert np.array_equal(a.state.weights, b.state.weights)
    verdict = separability(there)
    assert verdict.kind == "overlapping"
    assert verdict.check().holds


@pytest.mark.timeout(20)
def test_a_pipe_is_refused_before_anybody_waits_for_it() -> None:
    os.mkfifo("pipe.svm")
    svmlight("a.svm", 50, 0)
    for given in ("pipe.svm", ["a.svm", "pipe.svm"]):
        with pytest.raises(InputError, match=r"^pipe\.svm: it can be read once alone"):
            sharded(Here(), given)
    source = sharded(Here(), "a.svm")
    os.unlink("a.svm")
    os.mkfifo("a.svm")
    with pytest.raises(InputError, match=r"a\.svm: a worker on .* finds no such file; the path must lead to it"):
        learn(Here(), source, batch_size="all")


@pytest.mark.parametrize("given", ["bad.svm", ["a.svm", "bad.svm"]])
def test_a_line_that_is_none_is_named_as_the_file_was(given: Any) -> None:
    svmlight("a.svm", 50, 0)
    Path("bad.svm").write_text("1 1:2\n-1 1:x\n")
    with pytest.raises(InputError) as here:
        stream(given)
    with pytest.raises(InputError) as there:
        sharded(Here(), given)
    assert str(there.value).startswith("bad.svm:2")
    assert str(there.value) == str(here.value)

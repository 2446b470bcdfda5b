"""What shards may hold, and what is refused: one line that names the shard, or the choice that has no meaning there."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from in_shards import assert_same_run, cut, even, learn_here, two_classes

from rosenblatt import Examples, InputError, cluster
from rosenblatt.cluster.engine import Here
from rosenblatt.cluster.mixing import shard_seed
from rosenblatt.cluster.shard import OnShard, digest_of
from rosenblatt.data.sizes import _Columns, sizes
from rosenblatt.data.source import CHUNK

X, Y = two_classes(1)
SIZES = even(60, 4)
ROWS, LABELS = cut(X, SIZES), cut(Y, SIZES)


def refusal(rows: Any, labels: Any = None, **choices: Any) -> str:
    """What it says, in one line."""
    with pytest.raises(InputError) as found:
        cluster.learn(Here(), rows, labels, **{"max_epochs": 2, **choices})
    text = str(found.value)
    assert "\n" not in text
    assert len(text) < 250
    return text


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ({"rule": "coin"}, "rule 'coin' is not offered on a cluster"),
        ({"rule": "scinol"}, "rule 'scinol' is not offered on a cluster"),
        ({"rule": "auto"}, "choosing a rule holds rows out, and is not offered on a cluster"),
        ({"readout": "voted"}, "a vote is made of the rows of one run"),
        ({"readout": ("last", "voted")}, "a vote is made of the rows of one run"),
        ({"readout": "pocket"}, "a pocket counts rows in a row"),
        ({"readout": ("averaged", "pocket")}, "a pocket counts rows in a row"),
        ({"log": True}, "a log names rows in the order of one run"),
        ({"order": np.arange(60)}, "an order of your own"),
        ({"order": [list(range(60)), list(range(60))[::-1]]}, "an order of your own"),
        ({"mixing": "median"}, "mixing"),
        ({"batch_size": "all", "order": "shuffled"}, "a full batch on a cluster"),
        ({"rule": "no-such"}, "no-such"),
        ({"schedule": lambda k: 1 / k}, "a schedule of your own"),
        ({"schedule": lambda k: 1 / k, "batch_size": "all"}, "a schedule of your own"),
        ({"sample_weight": "column"}, "sample_weight"),
    ],
)
def test_what_has_no_meaning_on_shards_is_refused_by_name(choice: dict[str, Any], named: str) -> None:
    assert named in refusal(ROWS, LABELS, **choice)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_empty_shards_are_skipped_and_keep_the_seeds_of_the_others(kind: Any) -> None:
    none = np.empty((0, 5))
    given = [none, ROWS[0], none, ROWS[1], ROWS[2], none, ROWS[3]]
    labels = [Y[:0], LABELS[0], Y[:0], LABELS[1], LABELS[2], Y[:0], LABELS[3]]
    run = cluster.learn(Here(), list(map(kind, given)), labels, max_epochs=3, order="cyclic")
    without = cluster.learn(Here(), list(map(kind, ROWS)), LABELS, max_epochs=3, order="cyclic")
    assert_same_run(run, without)
    source = cluster.sharded(Here(), given, labels)
    assert [shard.place for shard in source.shards] == [1, 3, 4, 6]
    assert [shard.place for shard, *_ in source.kept] == [1, 3, 4, 6]
    assert shard_seed(0, 1) != shard_seed(0, 0)


def test_a_shard_of_one_class_is_a_shard_like_any_other() -> None:
    order = np.argsort(Y, kind="stable")
    run = learn_here(X[order], Y[order], even(60, 6), max_epochs=60, scale="none")
    assert run.source.classes.tolist() == [-1, 1]
    assert np.mean(run.predict(X) == Y) > 0.85
    named = np.where(Y[order] > 0, "yes", "no")
    assert learn_here(X[order], named, even(60, 6), max_epochs=2).classes.tolist() == ["no", "yes"]


def test_labels_of_one_class_in_all_shards_are_refused_but_plus_or_minus_one_are_two() -> None:
    seven = [np.full(size, 7) for size in SIZES]
    assert refusal(ROWS, seven) == "one class only: all rows carry the label 7, and two are needed"
    assert cluster.learn(Here(), ROWS, [one // 7 for one in seven], max_epochs=50).classes.tolist() == [-1, 1]


def test_shards_of_another_width_are_refused() -> None:
    text = refusal([*ROWS[:3], ROWS[3][:, :4]], LABELS)
    assert text == "shard 3: 4 columns, where shard 0 has 5; expected as many"


def test_a_sparse_shard_beside_dense_ones_is_refused() -> None:
    assert refusal([*ROWS[:2], sp.csr_array(ROWS[2]), ROWS[3]], LABELS) == "shard 2: sparse, where shard 0 is dense"


@pytest.mark.parametrize("bad", [5, "rows", (1, 2, 3, 4), ROWS[0]])
def test_a_block_that_is_no_pair_is_refused(bad: Any) -> None:
    pairs = list(zip(ROWS, LABELS, strict=True))
    text = refusal([*pairs[:3], bad])
    assert text.startswith("shard 3: a delayed block is a ")
    assert "expected (rows, labels)" in text


def test_pairs_and_triples_of_blocks_are_rows_labels_and_weights() -> None:
    weight = cut(np.linspace(0.5, 2, 60), SIZES)
    plan = {"max_epochs": 3}
    pairs = cluster.learn(Here(), list(zip(ROWS, LABELS, strict=True)), **plan)
    assert_same_run(pairs, cluster.learn(Here(), ROWS, LABELS, **plan))
    triples = cluster.learn(Here(), list(zip(ROWS, LABELS, weight, strict=True)), **plan)
    assert_same_run(triples, cluster.learn(Here(), ROWS, LABELS, sample_weight=weight, **plan))
    assert triples.source.has_weights


@pytest.mark.parametrize(
    ("rows", "labels", "named"),
    [
        (ROWS[3], LABELS[3][:-1], "labels"),
        (ROWS[3], np.array([1.0, np.nan] + [1] * 13), "label of row 1"),
        (ROWS[3], np.array([None] + [1] * 14, dtype=object), "label"),
        (ROWS[3][:, 0], LABELS[3], ""),
        (ROWS[3].astype(complex), LABELS[3], ""),
        (np.array([["a"] * 5] * 15), LABELS[3], ""),
        (ROWS[3], np.array(["x", "y", "z"] * 5), "labels of another kind than those of shard 0"),
    ],
)
def test_rows_and_labels_that_cannot_be_taken_are_refused_with_their_shard(rows: Any, labels: Any, named: str) -> None:
    text = refusal([*ROWS[:3], rows], [*LABELS[:3], labels])
    assert text.startswith("shard 3: ")
    assert named in text


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize(("scale", "batch_size"), [("none", 1), ("standard", 1), ("none", "all")])
def test_a_number_that_is_none_is_refused_with_its_shard(bad: float, scale: str, batch_size: Any) -> None:
    wrong = ROWS[2].copy()
    wrong[4, 1] = bad
    text = refusal([*ROWS[:2], wrong, ROWS[3]], LABELS, scale=scale, batch_size=batch_size)
    named = "shard 0 to shard 3: row 34" if batch_size == "all" else "shard 2: row"  # re-cut, all are one shard
    assert text.startswith(named)
    assert "column 1: not a finite number" in text


@pytest.mark.parametrize("weight", [np.ones(14), -np.ones(15), np.full(15, np.nan), np.full(15, np.inf)])
def test_sample_weights_that_cannot_be_taken_are_refused_with_their_shard(weight: np.ndarray) -> None:
    fine = [np.ones(15)] * 3
    assert refusal(ROWS, LABELS, sample_weight=[*fine, weight]).startswith("shard 3: ")


@pytest.mark.parametrize(("rows", "named"), [([], "no blocks of rows"), ([X[:0]], "all shards are empty")])
def test_no_rows_at_all_are_refused(rows: list[Any], named: str) -> None:
    assert named in refusal(rows, [Y[:0]] * len(rows))


def test_blocks_of_labels_are_as_many_as_those_of_rows() -> None:
    assert refusal(ROWS, LABELS[:3]) == "4 blocks of rows, and 3 of labels or weights; expected as many"


def test_labels_that_are_missing_are_asked_for() -> None:
    assert "labels are missing: give y" in refusal(X)


def test_the_name_of_a_column_needs_a_frame() -> None:
    assert "y is 'ill', the name of a column, and X is no frame" in refusal(ROWS, "ill")


def test_labels_of_several_types_are_one_set_where_none_of_them_changes() -> None:
    whole, half = np.where(LABELS[0] > 0, 2**53, 2**53 + 1), np.where(LABELS[1] > 0, 2.0**53, 7.5)
    said = "shard 0: labels of type int64, others than as float64, the type of all: make them of one"
    assert refusal(ROWS[:2], [whole, half]) == said
    source = cluster.sharded(Here(), ROWS[:3], [LABELS[0] > 0, (LABELS[1] > 0).astype(int), (LABELS[2] > 0) * 1.0])
    assert list(source.counted) == [0.0, 1.0]
    text = [np.where(own > 0, "a", "b") for own in LABELS]
    assert "shard 1: labels of another kind" in refusal(ROWS[:2], [text[0].astype("S1"), text[1]])
    mixed = [text[0].astype(np.dtypes.StringDType()), *text[1:]]
    assert cluster.sharded(Here(), ROWS, mixed).counted == cluster.sharded(Here(), ROWS, text).counted


@pytest.mark.parametrize(
    "weight", [np.full(15, 1 + 5j), np.full(15, "2"), np.full(15, "2020-01-01", "M8[D]"), -np.ones(15)]
)
def test_weights_that_are_no_weights_are_refused_as_in_memory(weight: Any) -> None:
    fine = np.ones(15)
    assert "shard 2: sample_weight" in refusal(ROWS, LABELS, sample_weight=[fine, fine, weight, fine])


def test_a_full_batch_names_the_blocks_that_were_given() -> None:
    bad = [rows.copy() for rows in ROWS]
    bad[2][3, 1] = np.nan
    assert refusal(bad, LABELS, batch_size="all").startswith(
        "shard 0 to shard 3: row 33, column 1: not a finite number"
    )


def test_labels_are_asked_for_by_the_word_that_collections_take() -> None:
    said = "label is for files, and these are list: give the labels as y, a series or the name of a column"
    assert refusal(ROWS, LABELS, label="y") == said


def test_a_worker_of_another_version_does_nothing_for_a_shard() -> None:
    """One that comes later, or makes again what was lost, has not been asked before."""
    source = cluster.sharded(Here(), ROWS, LABELS)
    task = OnShard(digest_of, "0.0.9 (little-endian)")
    with pytest.raises(
        InputError, match=r"^shard 0: its worker has rosenblatt .*, and the client 0\.0\.9 \(little-endian\)"
    ):
        source.named(source.engine.each, task, source.kept, True)


def test_the_sizes_of_columns_are_asked_of_chunks_from_all_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file that is sorted, the first rows are unlike the others; and few chunks tell as much as all."""
    n, seen, add = 40 * CHUNK, list[int](), _Columns.add

    def counted(self: _Columns, block: Any) -> None:
        seen.append(len(block))
        add(self, block)

    X = np.ones((n, 2))
    X[36 * CHUNK :, 1] = 1e6
    y = np.tile([1, -1], n // 2)
    whole = sizes(Examples.of(X, y))
    monkeypatch.setattr(_Columns, "chunks", 5)
    monkeypatch.setattr(_Columns, "add", counted)
    found = sizes(cluster.sharded(Here(), cut(X, even(n, 2)), cut(y, even(n, 2))))
    assert found.ratio == pytest.approx(whole.ratio, rel=0.2)
    assert seen == [CHUNK] * 10


@pytest.mark.parametrize("bad", [None, 3.0, "rows", {"a": 1}, np.array(2.0), [], np.empty(0), np.ones(5)], ids=repr)
def test_a_block_that_is_no_table_is_refused_as_rows_in_memory_are(bad: Any) -> None:
    said = refusal([ROWS[0], bad], [LABELS[0], LABELS[1]])
    assert said.startswith("shard 1: rows must form a table (n, d)")


def test_text_is_text_whatever_array_it_came_in() -> None:
    labels = np.where(Y > 0, "yes", "no")
    mixed = [one.astype(object) if i % 2 else one for i, one in enumerate(cut(labels, SIZES))]
    run = cluster.learn(Here(), ROWS, mixed, max_epochs=3)
    assert_same_run(run, learn_here(X, labels, SIZES, max_epochs=3))
    assert run.classes.tolist() == ["no", "yes"]


@pytest.mark.parametrize("classes", [{-1, 1, 5}, (one for one in (5, 1, -1)), np.array([5.0, -1, 1])], ids=type)
def test_classes_are_given_as_any_list(classes: Any) -> None:
    source = cluster.sharded(Here(), ROWS, LABELS, classes=classes)
    assert source.classes.tolist() == [-1, 1, 5]
    assert source.counted == {-1: int((Y < 0).sum()), 1: int((Y > 0).sum()), 5: 0}


@pytest.mark.parametrize(
    "classes", [[None, 1], [np.nan, 1, -1], [[1, -1]], [1 + 0j, -1], "ab", 5, [], ["yes", "no"], [1, 2]], ids=repr
)
def test_classes_that_are_none_are_refused(classes: Any) -> None:
    with pytest.raises(InputError, match=r"^classes: |the label -1 is none of \[1, 2\]"):
        cluster.sharded(Here(), ROWS, LABELS, classes=classes)


@pytest.mark.parametrize("classes", [[2.0**53, 1.0], [2.0**53, 2.0**53 + 2]])
def test_classes_whose_type_cannot_tell_labels_apart_are_refused(classes: list[float]) -> None:
    labels = [np.where(one > 0, 2**53 + 1, 2**53) for one in LABELS]
    with pytest.raises(InputError, match=r"^shard \d: the label 9007199254740993 is none of"):
        cluster.sharded(Here(), ROWS, labels, classes=classes)


def test_measurements_are_no_labels() -> None:
    n = 2**16 + 1
    for ask in (Examples.of, lambda X, y: cluster.sharded(Here(), [X], [y])):
        with pytest.raises(InputError, match=r"more than 65536 different labels, .*; expected classes: is it"):
            ask(np.zeros((n, 1)), np.arange(n) / 7)

"""The benchmark with nothing to set: other rows for every seed, fits kept, targets of several kinds, the chapter."""

import gzip
import json
import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import rosenblatt
from benchmarks import discovery, kept, nothing_to_set, raw, referee
from benchmarks.comparing import compare
from benchmarks.contest import Claim, Data, Defaults, Entry, Learned, Task
from benchmarks.findings import Standing
from benchmarks.peers import scikit_learn_defaults as peer
from benchmarks.tasks import defaults

pytestmark = pytest.mark.slow  # scikit-learn is imported and fitted


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two small sets in the manner of the real ones: one letter for a label; a file of rows held out."""
    rng = np.random.default_rng(0)
    lines = [",".join([*map(str, [i, *rng.random(33).round(3)]), "gb"[i % 2]]) for i in range(40)]
    (tmp_path / "ionosphere.data").write_text("\n".join(lines) + "\n")
    for kind, rows in (("train", 20), ("test", 10)):
        text = "".join("\t".join(map(str, [i % 2, i, *[0.5] * 27])) + "\n" for i in range(rows))
        (tmp_path / f"higgs_lightgbm_binary.{kind}.gz").write_bytes(gzip.compress(text.encode()))
    monkeypatch.setenv("ROSENBLATT_DATA", str(tmp_path))
    monkeypatch.setenv(kept.VARIABLE, str(tmp_path / "kept"))
    raw.loaded.cache_clear()
    raw.split.cache_clear()
    yield tmp_path
    raw.loaded.cache_clear()
    raw.split.cache_clear()


def test_without_a_test_file_every_seed_holds_out_other_rows(folder):
    one, two = raw.split("ionosphere", 0), raw.data("ionosphere").seed(1)
    for data in (one, two):
        assert data.rows.shape == (28, 34)
        numbers = np.concatenate([data.rows[:, 0], data.held_out.rows[:, 0]])
        assert sorted(numbers) == list(range(40))
        assert np.array_equal(data.labels, np.where(data.rows[:, 0] % 2 == 0, 1, -1))
        assert data.held_out.labels.sum() == 0
    assert set(one.held_out.rows[:, 0]) != set(two.held_out.rows[:, 0])


def test_with_a_test_file_the_seed_is_the_order_of_the_other_rows(folder):
    one, two = raw.split("higgs", 0), raw.split("higgs", 1)
    assert sorted(one.rows[:, 0]) == sorted(two.rows[:, 0]) == list(range(20))
    assert not np.array_equal(one.rows[:, 0], two.rows[:, 0])
    assert np.array_equal(one.labels, np.where(one.rows[:, 0] % 2 == 1, 1, -1))
    assert list(one.held_out.rows[:, 0]) == list(two.held_out.rows[:, 0]) == list(range(10))


def test_a_fit_is_kept_by_set_seed_estimator_and_version(folder):
    data, calls = raw.data("ionosphere"), []

    def once(seed, version):
        return kept.once("ionosphere", seed, "it", version, lambda: {"accuracy": 50.0, "seconds": 1.0, "warned": False})

    peer.once(data, 1, peer.SCALED)
    known = json.loads((folder / "kept" / "peers.json").read_text())["ionosphere"]["1"][peer.SCALED]
    split = raw.split("ionosphere", 1)
    scaler = StandardScaler().fit(split.rows)
    model = LogisticRegression().fit(scaler.transform(split.rows), split.labels)
    expected = 100 * model.score(scaler.transform(split.held_out.rows), split.held_out.labels)
    assert known["accuracy"] == pytest.approx(expected)
    assert once(1, "a")["accuracy"] == 50
    assert kept.once("ionosphere", 1, "it", "a", lambda: calls.append(1))["accuracy"] == 50
    assert calls == []
    assert kept.once("ionosphere", 1, "it", "b", lambda: {"accuracy": 60.0})["accuracy"] == 60


def test_a_fit_that_does_not_end_is_ended():
    def endless():
        while True:
            pass

    assert kept.limited(endless, 1) is None
    assert kept.limited(lambda: {"accuracy": 1.0}, 10) == {"accuracy": 1.0}


def finding(claim, data=None, **costs):
    learned = Learned(np.zeros((1, 2)), np.zeros(1), epochs=2, updates=3)
    return compare(claim, {who: Standing(who, tuple(each), learned) for who, each in costs.items()}, data)


def test_the_rival_is_the_one_with_the_largest_mean_and_fits_without_an_end_do_not_count():
    claim = Claim("ours", ("a", "b", "c"), at_least=-0.5, how="points")
    found = finding(claim, ours=[80, 82], a=[81, 80], b=[70, 99], c=[math.nan, math.nan])
    assert (found.under, found.median, found.met) == ("b", pytest.approx(-3.5), False)
    assert finding(claim, ours=[80, 82], a=[81, math.nan], b=[1, 1], c=[1, 1]).median == -1
    assert finding(claim, ours=[80, 82], a=[81, 80]) is None


def test_a_level_stands_alone():
    claim = Claim("ours", at_least=87.0, how="level")
    assert (finding(claim, ours=[86, 88]).median, finding(claim, ours=[86, 88]).met) == (87, True)
    assert finding(claim, ours=[86, 87]).met is False


def test_a_target_may_hold_for_long_runs_only_or_be_met_by_short_ones():
    above, enough = Claim("a", "b", at_least=1.0, above=0.5), Claim("a", "b", at_most=6.0, enough=0.2)
    assert [finding(above, a=[a], b=[1.0]).met for a in (0.5, 0.6, 2.0)] == [None, False, True]
    assert [finding(enough, a=[a], b=[0.01]).met for a in (0.06, 0.2, 0.21)] == [True, True, False]


def test_where_more_than_half_of_the_visits_are_updates_the_other_target_holds():
    claim = Claim("a", "b", at_most=2.5, busy=3.0)
    few, many = (Data("", np.zeros((rows, 2)), np.ones(rows, dtype=np.int64)) for rows in (2, 3))  # 3 of 4, 3 of 6
    assert [finding(claim, data, a=[2.8], b=[1.0]).at_most for data in (few, many)] == [3.0, 2.5]
    assert [finding(claim, data, a=[2.8], b=[1.0]).met for data in (few, many)] == [True, False]


def test_the_chapter_shows_losses_where_it_shows_wins(folder):
    reports = [referee.hold(defaults.accuracy("ionosphere", 500.0, -500.0), discovery.peers(), 2)]
    mean = (Claim("rosenblatt", at_least=0.0, how="level"),)
    over = Task("mean", "all", (), mean, unit="%", over=("defaults-ionosphere",), chapter="nothing-to-set")
    reports.append(referee.gather(over, reports))
    title, heads, _, first, last = nothing_to_set.chapter(reports)
    assert "Nothing to set" in title
    assert heads.split(" | ")[1:5] == ["rosenblatt", "LogisticRegression", "LinearSVC", "SGDClassifier"]
    cells = [cell.strip() for cell in first.strip("|").split("|")]
    assert cells[0].startswith("ionosphere, 28 × 34")
    assert cells[6].endswith("**not met**")
    assert cells[7].endswith(", met")
    ours = reports[0].standings[0]
    assert float(cells[1].removesuffix(" †")) == pytest.approx(np.mean(ours.costs), abs=0.005)
    assert f"{np.mean(ours.costs):.2f}, met" in last


def test_without_data_the_chapter_says_so(monkeypatch):
    monkeypatch.delenv("ROSENBLATT_DATA", raising=False)
    raw.loaded.cache_clear()
    raw.split.cache_clear()
    reports = [referee.hold(defaults.accuracy("a9a"), discovery.peers())]
    assert nothing_to_set.chapter(reports)[1] == "Not run: the data (ROSENBLATT_DATA is not set)."


def test_ours_is_fitted_with_a_seed_of_its_own_in_every_repetition(folder):
    ours = discovery.peers()["rosenblatt, defaults"]
    data = raw.data("ionosphere")
    call = ours.prepare(data, Defaults())
    results = [call() for _ in range(2)]
    assert [result[0].random_state for result in results] == [0, 1]
    for seed, result in enumerate(results):
        held = data.seed(seed).held_out
        assert ours.read(result, 1.0).cost == pytest.approx(100 * result[0].score(held.rows, held.labels))
    timed = Entry("ours", "rosenblatt, defaults", Defaults(measure="time"))
    assert ours.read(ours.prepare(data, timed.work)(), 1.25).cost == 1.25


def test_the_classifier_with_nothing_to_set_is_taken_by_its_name(monkeypatch):
    ours = discovery.peers()["rosenblatt, defaults"]
    monkeypatch.setattr(rosenblatt, "LinearClassifier", type("LinearClassifier", (), {}), raising=False)
    assert ours.version() == f"{rosenblatt.__version__}, LinearClassifier()"
    monkeypatch.setattr(rosenblatt, "LinearClassifier", None)
    assert ours.version() == f"{rosenblatt.__version__}, Perceptron()"

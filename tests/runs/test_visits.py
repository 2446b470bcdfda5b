"""The order of the rows: a permutation, a pure function, and a fair one."""

from collections import Counter

import numpy as np
import pytest

from rosenblatt.data.source import CHUNK
from rosenblatt.runs.visits import row_order, visits

BLOCK = 16


@pytest.mark.parametrize("n", [1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 70 * CHUNK + 5])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_every_row_is_met_once(order: str, n: int) -> None:
    assert np.array_equal(np.sort(row_order(order, 3, 1, n)), np.arange(n))


def test_shuffled_changes_with_the_seed_and_the_epoch_and_with_nothing_else() -> None:
    first = row_order("shuffled", 0, 1, 500)
    assert np.array_equal(first, row_order("shuffled", 0, 1, 500))
    assert not np.array_equal(first, row_order("shuffled", 0, 2, 500))
    assert not np.array_equal(first, row_order("shuffled", 1, 1, 500))


def splitmix_permutation(seed: int, epoch: int, chunk: int, size: int) -> list[int]:
    """The documented generator, in plain whole numbers: SplitMix64 and an inside-out shuffle."""
    gamma, mask = 0x9E3779B97F4A7C15, 2**64 - 1

    def mix(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
        return z ^ (z >> 31)

    key = mix((seed + gamma) & mask)
    key = mix(key ^ (epoch + gamma) & mask)
    state = mix(key ^ (chunk + gamma) & mask)
    out: list[int] = []
    for i in range(size):
        while True:
            state = (state + gamma) & mask
            product = (mix(state) >> 32) * (i + 1)
            if product % 2**32 >= (2**32 - (i + 1)) % (i + 1):
                break
        j = product >> 32
        out.append(i)
        out[i], out[j] = out[j], i
    return out


@pytest.mark.parametrize(("seed", "epoch"), [(0, 1), (2**64 - 1, 9), (12345, 1000)])
def test_the_order_is_the_same_on_every_machine_for_ever(seed: int, epoch: int) -> None:
    assert row_order("shuffled", seed, epoch, 300).tolist() == splitmix_permutation(seed, epoch, 0, 300)
    n = 2 * CHUNK + 100
    blocks = splitmix_permutation(seed, epoch, 2**64 - 1, n // BLOCK)
    expected = []
    for chunk in range(3):
        mine = sorted(blocks[chunk * CHUNK // BLOCK : (chunk + 1) * CHUNK // BLOCK])
        rows = [block * BLOCK + i for block in mine for i in range(BLOCK)]
        rows += range(n // BLOCK * BLOCK, n) if chunk == 2 else []
        expected += [rows[p] for p in splitmix_permutation(seed, epoch, chunk, len(rows))]
    assert row_order("shuffled", seed, epoch, n).tolist() == expected


def test_every_chunk_has_rows_from_everywhere() -> None:
    # Rows sorted by class, as they often are: each chunk meets each of ten classes about as often as it occurs.
    n = 10 * CHUNK
    met = row_order("shuffled", 5, 1, n).reshape(10, CHUNK) // CHUNK
    share = np.stack([np.bincount(chunk, minlength=10) for chunk in met]) / CHUNK
    assert share.min() > 0.03
    assert share.max() < 0.2
    # And within a chunk they are mixed: the class changes at nine of ten steps.
    assert (np.diff(met, axis=1) != 0).mean() > 0.85


def test_all_orders_of_three_rows_are_equally_likely() -> None:
    seen = Counter(tuple(row_order("shuffled", seed, 1, 3)) for seed in range(6000))
    assert len(seen) == 6
    # Six cells of 1000 ± 29: five standard deviations either way.
    assert all(abs(count - 1000) < 145 for count in seen.values())


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_an_epoch_can_be_taken_up_where_it_was_left(order: str) -> None:
    n = 5 * CHUNK + 100
    whole = [int(chunk) for visit in visits(order, 1, 1, n) for chunk in visit.chunks]
    met = 2 * CHUNK + 7
    rest = [int(chunk) for visit in visits(order, 1, 1, n, met) for chunk in visit.chunks]
    assert rest == whole[2:]
    assert [chunk for visit in visits(order, 1, 1, n, n) for chunk in visit.chunks] == []

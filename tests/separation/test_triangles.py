"""Triangles of tables that are done some rows at a time, against those of all rows at once."""

import numpy as np
import pytest

from rosenblatt.separation.clinic import triangles


@pytest.mark.parametrize("near", [1.0, 1e-9])  # by products; by reflections, where two columns are nearly the same
def test_some_rows_at_a_time_make_the_same_triangle(near: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triangles, "_LARGE", 1000)
    A, looks = np.random.default_rng(0).standard_normal((9001, 12)), []
    A[:, 3] = A[:, 2] + near * A[:, 3]
    Q, R = triangles.orthonormal(A, lambda: looks.append(1))
    assert len(looks) > 4
    assert np.allclose(Q @ R, A, rtol=0, atol=1e-12)
    assert np.allclose(Q.T @ Q, np.eye(12), rtol=0, atol=1e-14)
    assert not np.tril(R, -1).any()
    squares = np.random.default_rng(1).random(9001)
    total, size, root = triangles.weighted(A, squares, squares, lambda: looks.append(1))
    assert np.allclose(total, squares @ A)
    assert np.allclose(size, squares @ np.abs(A))
    assert np.allclose(root.T @ root, (squares[:, None] * A).T @ A)


def test_whoever_looks_on_can_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triangles, "_LARGE", 1000)

    def enough() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        triangles.orthonormal(np.ones((5000, 3)), enough)

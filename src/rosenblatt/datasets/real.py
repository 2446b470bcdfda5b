"""Two real data sets, shipped as CSV beside this file; SOURCES.md says where they come from, and their licences.

Read by splitting lines: nothing but NumPy is needed, and a few milliseconds.
"""

from pathlib import Path

import numpy as np

from .sample import Sample


def iris() -> Sample:
    """Fisher's irises (1936): 150 × 4, three species. Setosa is separable from the others.

    >>> from rosenblatt import learn
    >>> sample = iris()
    >>> sample, sample.class_names
    (<Sample iris: 150 × 4, R = 11.1113>, ('setosa', 'versicolor', 'virginica'))
    >>> learn(sample.examples(), max_epochs=10).source.n_outputs
    3
    """
    return _read("iris")


def breast_cancer() -> Sample:
    """Breast Cancer Wisconsin (Diagnostic), 569 × 30: separable, by a margin that a perceptron takes ages to find.

    Malignant is +1, benign −1.

    >>> sample = breast_cancer()
    >>> sample, sample.feature_names[:2], int((sample.y > 0).sum())
    (<Sample breast-cancer: 569 × 30, R = 4974.7>, ('mean radius', 'mean texture'), 212)
    """
    return _read("breast-cancer")


def _read(name: str) -> Sample:
    """The names on the first line; then a row a line, its label last."""
    path = Path(__file__).with_name(f"{name.replace('-', '_')}.csv")
    header, *cells = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    X = np.array([row[:-1] for row in cells], dtype=np.float64)
    classes, codes = np.unique([row[-1] for row in cells], return_inverse=True)
    y = (codes if classes.size > 2 else 2 * codes - 1).astype(np.int64)
    radius = float(np.sqrt((X * X).sum(axis=1).max()))
    return Sample(
        X, y, name, radius=radius, feature_names=tuple(header[:-1]), class_names=tuple(map(str, classes.tolist()))
    )

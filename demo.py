"""A first look: the lecture examples and a real data set, learnt by every rule, in two tables."""

import sys
from typing import Any

import numpy as np

from rosenblatt import Examples, Run, learn, rules

LECTURE = {
    "four on a line": ([[1], [2], [3], [4]], [1, 1, -1, -1], {}),
    "the same, offset R": ([[1], [2], [3], [4]], [1, 1, -1, -1], {"offset": "radius"}),
    "the same, through 0": ([[1], [2], [3], [4]], [1, 1, -1, -1], {"offset": 0}),
    "four in the plane": ([[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1], {"offset": 0}),
    "XOR": ([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1], {}),
    "eight in the plane": (
        [[1, 1], [1, 3], [2, 1], [2, 2], [-1, -1], [-1, -3], [-2, -1], [-2, -2]],
        [1, 1, 1, 1, -1, -1, -1, -1],
        {},
    ),
}
EPOCHS = 2000
HEAD = f"{'':<21}{'status':<8}{'epochs':>7}{'updates':>9}{'mistakes':>10}{'margin':>11}{'best <=':>11}"


def line(name: str, run: Run, X: Any, y: Any) -> str:
    """One row of a table. Both margins are of the augmented space (x, rho), so that they can be compared."""
    plane = run.hyperplane
    margins = plane.functional_margins(X, y)
    length = np.hypot(plane.norm, plane.b / np.sqrt(run.state.rho2) if run.state.rho2 else 0.0)
    margin = f"{margins.min() / length:11.4f}" if length else f"{'w = 0':>11}"
    upper = float(run.history.margin_upper.min())
    bound = f"{upper:11.4f}" if np.isfinite(upper) else f"{'unknown':>11}"
    wrong = int((margins <= 0).sum())
    return f"{name:<21}{run.status.name:<8}{run.epochs:>7}{run.updates:>9}{wrong:>10}{margin}{bound}"


def main() -> None:
    """Print both tables."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    print("The lecture examples, perceptron rule, rows in their order\n")
    print(HEAD)
    for name, (X, y, plan) in LECTURE.items():
        print(line(name, learn(X, y, **plan), X, y))

    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    X = (data.data - data.data.mean(axis=0)) / data.data.std(axis=0)
    examples = Examples.of(X, data.target, feature_names=list(data.feature_names))
    print(f"\nBreast cancer, {examples.n_rows} × {examples.n_columns}, standardised; at most {EPOCHS} epochs\n")
    print(HEAD)
    for name in rules.names():
        choices = {"beta": {"beta": 0.01}, "C": {"C": 0.01}}
        plan = {key: value for p in rules.get(name).parameters for key, value in choices[p].items()}
        run = learn(examples, rule=name, max_epochs=EPOCHS, eta=0.001 if name == "delta" else 1.0, **plan)
        print(line(name, run, X, data.target))
    print(
        "\nstatus    clean: an epoch without an update; loop: the weights came back, so the"
        "\n          run repeats for ever; budget: the epochs are spent."
        "\nmistakes  rows on the wrong side of the last weights, or on the boundary."
        "\nmargin    the smallest signed distance of a row, in the space of (x, rho)."
        "\nbest <=   no hyperplane has a larger one: known from the run alone, for free."
        "\n          The smaller it is, the longer a clean epoch may take."
    )


if __name__ == "__main__":
    main()

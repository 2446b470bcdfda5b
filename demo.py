"""A first look: the lecture examples and a real data set, learnt by every rule, in two tables."""

import sys
from typing import Any

import numpy as np

from rosenblatt import Examples, Run, datasets, learn, network, rules, separability, verify

LECTURE = {
    "four on a line": ("four-on-a-line", {}),
    "the same, offset R": ("four-on-a-line", {"offset": "radius"}),
    "the same, through 0": ("four-on-a-line", {"offset": 0}),
    "four in the plane": ("four-in-the-plane", {"offset": 0}),
    "XOR": ("xor", {}),
    "eight in the plane": ("eight-in-the-plane", {}),
}
READOUTS = ("last", "averaged", "voted", "pocket")
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
    for name, (sample, plan) in LECTURE.items():
        X, y = datasets.get(sample)
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
    print("\nSeparable? Settled, and the proof checked in exact arithmetic\n")
    print(f"{'':<21}{'verdict':<17}{'proof':<9}{'witness rows':>13}{'margin':>12}")
    for name, (X, y) in {
        **{title: tuple(datasets.get(name)) for title, (name, plan) in LECTURE.items() if not plan},
        "0.1, 0.2, 0.3": tuple(datasets.get("only-by-rounding")),
        "Breast cancer": (data.data, data.target),
    }.items():
        verdict = separability(X, y)
        holds = "holds" if verify(verdict.proof, X, y) else "FAILS"
        witness = "" if verdict.witness_rows is None else verdict.witness_rows.size
        margin = "" if verdict.margin is None else f"{verdict.margin:.3g}"
        print(f"{name:<21}{verdict.kind:<17}{holds:<9}{witness:>13}{margin:>12}")
    X, y = datasets.noisy(4000, 40, noise=0.05)
    run = learn(X, y, order="shuffled", max_epochs=20, readout=READOUTS)
    print("\nOne run on 4000 rows, 200 of them mislabelled, read in four ways: its mistakes\n")
    print("   ".join(f"{name} {int((run.read(name).predict(X) != y).sum())}" for name in READOUTS))
    X, y = datasets.get("four-on-a-line")
    print("\nThe convergence theorem, checked at every update of the first run above\n")
    print(learn(X, y, log=True).audit(datasets.get("four-on-a-line").hyperplane))
    print("\nXOR takes two levels\n")
    print(network.from_truth_table([0, 1, 1, 0]))


if __name__ == "__main__":
    main()

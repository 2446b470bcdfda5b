"""Networks and neurons as diagrams: inputs at the left, weights on the edges, offsets in the units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.hyperplane import Hyperplane
from ...errors import InputError, plural
from ...network.two_level import Network
from ..canvas import axes_of, display_name, figure_of, needs_matplotlib
from ..lettering import head, short
from .corners import draw_corners
from .diagram import Column, draw_columns, picked
from .neuron import draw_neuron

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_UNITS = 14
MOST_INPUTS = 12


class NetworkDisplay:
    """A two-level network, or a single perceptron, as a diagram.

    edges_
        Of the edges drawn: (from, to, weight), with the numbers of the input and of the unit; the output unit is "out".

    >>> from rosenblatt import network
    >>> display = NetworkDisplay.from_network(network.from_truth_table([0, 1, 1, 0]))
    >>> display.edges_[:2], display.title
    ([(0, 0, 1.0), (1, 0, -1.0)], 'x1·¬x2 + ¬x1·x2')
    """

    edges_: list[tuple[Any, Any, float]]

    def __init__(self, subject: Network | Hyperplane, names: Sequence[str] | None = None):
        if not isinstance(subject, (Network, Hyperplane)):
            raise InputError("a diagram is drawn of a Network, or of a Hyperplane")
        self.subject = subject
        self.n_inputs = subject.n_inputs if isinstance(subject, Network) else int(subject.w.size)
        if names is not None and len(list(names)) != self.n_inputs:
            raise InputError(f"{plural(len(list(names)), 'name')} for {plural(self.n_inputs, 'input')}")
        self.names = [f"x{j + 1}" for j in range(self.n_inputs)] if names is None else list(map(str, names))

    @classmethod
    def from_network(
        cls, network: Network, *, names: Sequence[str] | None = None, ax: Axes | None = None, figure: Any = None
    ) -> NetworkDisplay:
        """Of a network; with two inputs also the square's corners, unless it is to be drawn on `ax`."""
        return cls(network, names).plot(ax, figure=figure)

    @classmethod
    def from_hyperplane(
        cls, plane: Hyperplane, names: Sequence[str] | None = None, *, ax: Axes | None = None
    ) -> NetworkDisplay:
        """Of one perceptron: inputs, weights, sum and step."""
        return cls(plane, names).plot(ax)

    @property
    def title(self) -> str:
        """The formula of a network; of a neuron what it computes."""
        if isinstance(self.subject, Network):
            return display_name(self.subject.formula(self.names), 60)
        return "The neuron: s = w·x + b, and a step"

    def plot(self, ax: Axes | None = None, *, figure: Any = None) -> NetworkDisplay:
        """Draw it, on these axes, on a figure, or on a figure of its own."""
        needs_matplotlib()
        net = self.subject
        corners = isinstance(net, Network) and net.n_inputs == 2 and ax is None
        if ax is None:
            ax, beside = _axes(figure, self._rows(), corners)
        else:
            ax, beside = axes_of(ax), None
        ax.set_axis_off()
        if isinstance(net, Network):
            self._draw_network(ax, net)
        else:
            self.edges_, said = draw_neuron(ax, net, self.names)
            head(ax, self.title, said)
        if beside is not None and isinstance(net, Network):
            draw_corners(beside, net, self.names)
        self.ax_, self.axes_ = ax, np.array([ax] if beside is None else [ax, beside], dtype=object)
        self.figure_ = figure_of(ax)
        return self

    def _rows(self) -> int:
        """How many nodes stand above each other in the longest column."""
        if isinstance(self.subject, Network):
            return max(self.n_inputs, min(len(self.subject.implicants), MOST_UNITS))
        return min(self.n_inputs, MOST_INPUTS) + 1

    def _draw_network(self, ax: Axes, net: Network) -> None:
        """Inputs, AND units, the OR unit."""
        units = len(net.implicants)
        shown = picked(units, MOST_UNITS)
        hidden, output = net.hidden, net.output
        columns = [
            Column("inputs", [""] * net.n_inputs, left=[display_name(name, 18) for name in self.names]),
            Column("AND units", [short(float(hidden.offsets[j])) for j in shown], gap=units - len(shown)),
            Column("OR unit", [short(output.offset)]),
        ]
        first = [
            (i, j, float(hidden.weights[j, i])) for j in shown for i in range(net.n_inputs) if hidden.weights[j, i]
        ]
        second = [(j, "out", float(output.weights[j])) for j in shown]
        places = {j: k for k, j in enumerate(shown)}
        joined = [(0, i, places[j], weight) for i, j, weight in first]
        draw_columns(ax, columns, joined + [(1, places[j], 0, weight) for j, _, weight in second])
        self.edges_ = first + second
        said = f"{plural(net.n_inputs, 'input')} coded {net.inputs}, {plural(units, 'AND unit')}"
        if units:
            said += " (the fewest)" if net.minimal else f" (at least {net.at_least} are needed)"
        else:
            said += ": the constant 0"
        if len(shown) < units:
            said += f"; {len(shown)} of them drawn"
        head(ax, self.title, said + "; inside the offset")


def _axes(figure: Any, rows: int, corners: bool) -> tuple[Any, Any]:
    """Axes for the diagram, and for the corners where they are drawn, on a figure that is high enough."""
    if figure is None:
        import matplotlib.pyplot as plt

        height = min(9.6, 2.4 + 0.48 * rows)
        figure = plt.figure(figsize=(10.4 if corners else 7.0, max(4.2, height)), layout="constrained")
    if not corners:
        return figure.subplots(), None
    left, right = figure.subplots(1, 2, width_ratios=[1.35, 1])
    return left, right

"""Networks and neurons as diagrams: inputs at the left, weights on the edges, offsets in the units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.hyperplane import Hyperplane
from ...errors import InputError, plural
from ...network.two_level import Network
from ..canvas import display_name, figure_of, needs_matplotlib
from ..lettering import column_name, head, short
from ..placing import axes_for, fit, is_several
from .corners import draw_corners
from .diagram import Column, draw_columns, picked
from .neuron import MOST_INPUTS, draw_neuron

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_UNITS = 14


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
    axes_: Any = None
    """The axes of the diagram, and those of the square's corners where they are drawn."""
    ax_: Any = None
    """The first of them."""
    figure_: Any = None

    def __init__(self, subject: Network | Hyperplane, names: Sequence[str] | None = None):
        if not isinstance(subject, (Network, Hyperplane)):
            raise InputError("a diagram is drawn of a Network, or of a Hyperplane")
        self.subject = subject
        self.n_inputs = subject.n_inputs if isinstance(subject, Network) else int(subject.w.size)
        if names is not None and len(list(names)) != self.n_inputs:
            raise InputError(f"{plural(len(list(names)), 'name')} for {plural(self.n_inputs, 'input')}")
        self.edges_ = []
        self.names = _inputs(subject, self.n_inputs) if names is None else list(map(str, names))

    @classmethod
    def from_network(cls, network: Network, *, names: Sequence[str] | None = None, ax: Any = None) -> NetworkDisplay:
        """Of a network; with two inputs also the square's corners, unless `ax` is one axes and not two of them."""
        return cls(network, names).plot(ax)

    @classmethod
    def from_hyperplane(
        cls, plane: Hyperplane, *, names: Sequence[str] | None = None, ax: Any = None
    ) -> NetworkDisplay:
        """Of one perceptron: inputs, weights, sum and step."""
        return cls(plane, names).plot(ax)

    @property
    def title(self) -> str:
        """The formula of a network; of a neuron what it computes."""
        if isinstance(self.subject, Network):
            return display_name(self.subject.formula(self.names), 60)
        return "The neuron: s = w·x + b, and a step"

    def plot(self, ax: Any = None) -> NetworkDisplay:
        """Draw it, on `ax` (one axes, or of two inputs an array of two), or on a figure of its own."""
        needs_matplotlib()
        net = self.subject
        two = isinstance(net, Network) and net.n_inputs == 2
        panels = (
            ("diagram", "corners") if two and (ax is None or (is_several(ax) and np.size(ax) > 1)) else ("diagram",)
        )
        drawn = _axes(self._rows(), len(panels)) if ax is None else axes_for(ax, panels, 0, 0, (1, 1))
        self.ax_, self.axes_ = drawn[0], np.array(drawn, dtype=object)
        self.figure_ = figure_of(self.ax_)
        self.ax_.set_axis_off()
        if isinstance(net, Network):
            self._draw_network(self.ax_, net)
            if len(drawn) > 1:
                draw_corners(drawn[1], net, self.names)
        else:
            self.edges_, said = draw_neuron(self.ax_, net, self.names)
            head(self.ax_, self.title, said)
        for one in drawn:
            fit(one)
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


def _inputs(subject: Network | Hyperplane, count: int) -> list[str]:
    """Inputs without names: those of a formula are x1, x2, …; those of a hyperplane are columns, from x0 on."""
    if isinstance(subject, Network):
        return [f"x{j + 1}" for j in range(count)]
    return [column_name(None, j) for j in range(count)]


def _axes(rows: int, panels: int) -> list[Any]:
    """Axes for the diagram, and for the corners where they are drawn, on a figure that is high enough."""
    import matplotlib.pyplot as plt

    size = (10.4 if panels > 1 else 7.0, max(4.2, min(9.6, 2.4 + 0.48 * rows)))
    figure = plt.figure(figsize=size, layout="constrained")
    return list(np.ravel(figure.subplots(1, panels, width_ratios=[1.35, 1][:panels])))

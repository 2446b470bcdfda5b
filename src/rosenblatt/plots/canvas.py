"""The canvas: axes to draw on, and the colours and marks that every figure shares."""

from typing import TYPE_CHECKING, Any

from ..errors import InputError, install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart with every kind of colour vision; marks differ, too.
POSITIVE, NEGATIVE = "#0072B2", "#D55E00"
ACCENT, SECOND, THIRD = "#009E73", "#CC79A7", "#E69F00"
INK, FAINT = "#333333", "#999999"
POSITIVE_MARK, NEGATIVE_MARK = "x", "o"

MANY = 2_000  # points beyond which a density is drawn in place of marks


def needs_matplotlib() -> None:
    """Raise `InputError`, which says how to install it, if matplotlib is not there."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise InputError(f"figures need matplotlib: {install('matplotlib')}") from None


def axes_of(ax: "Axes | None", width: float = 6.4, height: float = 4.8) -> "Axes":
    """The axes that were given, or those of a new figure of pyplot's, as scikit-learn's displays have it."""
    needs_matplotlib()
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    _, made = plt.subplots(figsize=(width, height), layout="constrained")
    return made


def new_figure(width: float = 6.4, height: float = 4.8) -> "Figure":
    """A figure that pyplot does not know of, to be written to a file and forgotten."""
    needs_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def figure_of(ax: "Axes") -> Any:
    """The figure that axes are part of."""
    return ax.get_figure()

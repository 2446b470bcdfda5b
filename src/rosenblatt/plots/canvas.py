"""The canvas: axes to draw on, and the colours and marks that every figure shares."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import InputError, install
from ..report.text import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart with every kind of colour vision; marks differ, too.
POSITIVE, NEGATIVE = "#0072B2", "#D55E00"
ACCENT, SECOND, THIRD = "#009E73", "#CC79A7", "#E69F00"
MISTAKE = "#B0004E"  # rings around rows that are wrong: dark, and none of the colours of the classes
INK, FAINT = "#333333", "#999999"
POSITIVE_MARK, NEGATIVE_MARK = "x", "o"

CLASS_COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#333333", "#B8A800")
CLASS_MARKS = ("o", "x", "^", "s", "D", "v", "P", "*")
HOLLOW = frozenset("o^sDv")
"""Marks that are drawn as outlines."""

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


def display_name(name: object, most: int = 28) -> str:
    """A name or label from elsewhere as a figure may show it: one line, not long, no mathematics, no missing glyph."""
    text = clean(name)
    text = text if len(text) <= most else text[: most - 1] + "…"
    text = f"“{text}”" if not text.strip() or text.startswith("_") else text  # legends leave out what begins with _
    known = _glyphs()
    return "".join(c if ord(c) in known else "□" for c in text).replace("$", r"\$")


def _glyphs() -> frozenset[int]:
    """The characters that the fonts in use have: of others matplotlib warns."""
    import matplotlib as mpl

    family = mpl.rcParams["font.family"]
    return _glyphs_of(tuple([family] if isinstance(family, str) else family))


@lru_cache(maxsize=8)
def _glyphs_of(families: tuple[str, ...]) -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    fonts = [get_font(findfont(FontProperties(family=[family]))) for family in families]
    return frozenset().union(*(font.get_charmap() for font in fonts))

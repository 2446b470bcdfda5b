"""Figures: SVG as matplotlib writes it, made part of a page: known elements only, names of its own, colours by name.

Several figures stand in one page, so the names inside each begin with its own. Colours become CSS variables, which have
another value where the page is dark: greys are turned round, the colours of the classes made lighter.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any
from xml.etree import ElementTree

from ...errors import InputError
from ..html import escaped
from .elements import boxed


def _words(said: str) -> frozenset[str]:
    return frozenset(said.split())


_SVG = "http://www.w3.org/2000/svg"
_HREF = ("href", "{http://www.w3.org/1999/xlink}href")
_ELEMENTS = _words(
    "svg g defs path rect circle ellipse line polyline polygon use clipPath mask text tspan image linearGradient"
    " radialGradient stop pattern marker symbol"
)
_ATTRIBUTES = _words(
    "id style class x y x1 y1 x2 y2 dx dy cx cy r rx ry width height d points transform viewBox fill stroke opacity"
    " fill-opacity fill-rule stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray"
    " stroke-dashoffset stroke-miterlimit clip-path clip-rule clipPathUnits mask maskUnits offset stop-color"
    " stop-opacity gradientUnits gradientTransform spreadMethod patternUnits patternTransform preserveAspectRatio"
    " text-anchor dominant-baseline font-family font-size font-style font-weight overflow refX refY markerWidth"
    " markerHeight orient markerUnits rotate textLength lengthAdjust"
)
_COLOUR = re.compile(r"#([0-9a-fA-F]{6})\b|(?<=[:=\"'\s])\s*\b(black|white)\b")
_DARK = {
    "0072b2": "#4fa8e0", "d55e00": "#f08a4b", "009e73": "#2fbf94", "cc79a7": "#dc9bc0", "e69f00": "#f0b03c",
    "56b4e9": "#74c3ef", "f0e442": "#f0e442",
}  # fmt: skip
"""What Okabe and Ito's colours become on dark ground, where they must be lighter to be told from it."""
_PAPER, _INK = 24, 230  # greys of the ground and of the text where the page is dark


def figure(entry: Mapping[str, Any], svg: str) -> str:
    """A figure with its caption, its SVG made part of the page."""
    name = re.sub(r"[^\w-]", "-", str(entry["name"]))
    title, caption = escaped(entry["title"]), escaped(entry["caption"])
    picture = inlined(svg, name, str(entry["title"]), str(entry["alt"]))
    box = boxed(picture, f"Figure: {entry['title']}")
    return f'<figure class="wide">{box}<figcaption><strong>{title}.</strong> {caption}</figcaption></figure>'


def inlined(svg: str, name: str, title: str, alt: str) -> str:
    """The SVG as part of a page: what it is called and what it shows are said to those who do not see it."""
    try:
        root = ElementTree.fromstring(svg.encode())
    except ElementTree.ParseError as error:
        raise InputError(f"figure {name}: expected SVG, but it cannot be read: {error}") from None
    width, height = _size(root)
    named = f'role="img" aria-labelledby="{name}-title {name}-desc"'
    inner = "".join(_element(child, name) for child in root)
    said = f'<title id="{name}-title">{escaped(title)}</title><desc id="{name}-desc">{escaped(alt)}</desc>'
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width * 4 / 3:.0f}"'  # a point is 4/3 of a pixel
    return f'<svg xmlns="{_SVG}" {size} {named}>{said}{inner}</svg>'


def _size(root: ElementTree.Element) -> tuple[float, float]:
    numbers = re.findall(r"[-+.\deE]+", root.get("viewBox", ""))
    try:
        return float(numbers[2]), float(numbers[3])
    except (IndexError, ValueError):
        raise InputError("a figure without a viewBox: expected SVG as matplotlib writes it") from None


def _element(element: ElementTree.Element, name: str) -> str:
    """An element and what is in it. What is not known, scripts and styles and the like, is left out."""
    tag = str(element.tag).removeprefix(f"{{{_SVG}}}")
    if tag not in _ELEMENTS:
        return ""
    parts = [tag]
    for key, value in element.attrib.items():
        if key in _HREF and value.startswith("#"):
            parts.append(f'href="#{name}--{escape(value[1:])}"')
        elif key in _HREF and re.match(r"data:image/(png|jpeg);base64,", value):
            parts.append(f'href="{escape("".join(value.split()))}"')
        elif key in _ATTRIBUTES and "\\" not in value and not re.search(r"url\((?!\s*#)|@import|expression", value):
            own = f"{name}--{value}" if key == "id" else re.sub(r"url\(\s*#", f"url(#{name}--", value)
            parts.append(f'{key}="{escape(_coloured(own) if key in ("style", "fill", "stroke") else own)}"')
    text = escape(element.text.strip("\n")) if element.text and tag in ("text", "tspan") else ""
    inner = "".join(_element(child, name) + _tail(child, tag) for child in element)
    return f"<{' '.join(parts)}>{text}{inner}</{tag}>"


def _tail(child: ElementTree.Element, tag: str) -> str:
    return escape(child.tail.strip("\n")) if child.tail and tag in ("text", "tspan") else ""


def _coloured(style: str) -> str:
    """Colours that change with the page, by their names."""

    def variable(found: re.Match[str]) -> str:
        colour = (found[1] or {"black": "000000", "white": "ffffff"}[found[2]]).lower()
        return f"var(--c{colour})" if colour in _DARK or _is_grey(colour) else found[0]

    return _COLOUR.sub(variable, style)


def _is_grey(colour: str) -> bool:
    return colour[0:2] == colour[2:4] == colour[4:6]


def colours(pictures: Iterable[str]) -> tuple[str, str]:
    """What the colours of these figures are on light ground, and on dark: two lists of CSS variables."""
    used = sorted({name for picture in pictures for name in re.findall(r"var\(--c([0-9a-f]{6})\)", picture)})
    dark = {name: _DARK.get(name) or _turned(name) for name in used}
    return "".join(f"--c{name}:#{name};" for name in used), "".join(f"--c{name}:{dark[name]};" for name in used)


def _turned(grey: str) -> str:
    """Black becomes light, white the ground."""
    level = round(_INK + (_PAPER - _INK) * int(grey[:2], 16) / 255)
    return f"#{level:02x}{level:02x}{level:02x}"

"""Animation: a run in the plane, update by update, as a GIF.

Made of still frames by Pillow, which matplotlib brings along: no program outside Python is asked for.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...atomic import Name, write_output
from ...choices import count, number
from ...errors import InputError
from ...runs.run import Run
from ..canvas import ACCENT, INK, NEGATIVE, POSITIVE, THIRD, needs_matplotlib
from ..curves import Floats
from .scene import Scene
from .weight_path import weight_path

STAYS = 3.0  # seconds that the last frame is shown
SHORTEST = 0.04  # seconds of a frame: players make longer pauses of shorter ones
COLOURS = 64


@dataclass(frozen=True, eq=False)
class Frame:
    """The weights after so many changes, and how they came about."""

    change: int
    w: Floats
    b: float
    row: int | None
    """The row of the last update; None at the start."""
    round: int
    """Rows met so far."""
    epoch: int
    mistakes: int
    """Rows met with m ≤ 0 so far."""


def animate(run: Run, path: Name, *, most: int = 200, seconds: float | None = None) -> list[Frame]:
    """Write a GIF of a run of two classes and one or two columns, with a log; the frames are given back.

    most
        Frames, at most: of a longer run every second, third, … update is shown, and the picture says so.
    seconds
        How long the updates take in all; half a second each if that is not too long.

    >>> import tempfile
    >>> from rosenblatt import datasets, learn
    >>> sample = datasets.get("four-in-the-plane")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     frames = animate(learn(*sample, **sample.plan, log=True), f"{folder}/run.gif")
    >>> [frame.w.tolist() for frame in frames]
    [[0.0, 0.0], [4.0, 0.0], [3.0, -1.0], [1.0, -3.0]]
    """
    name = os.fspath(path)
    if not name.lower().endswith(".gif"):
        raise InputError(f"{name}: an animation is a GIF; choose a name that ends in .gif")
    needs_matplotlib()
    frames = frames_of(run, most)
    whole = min(0.5 * len(frames), 20.0) if seconds is None else number("seconds", seconds, above=0)
    scene = Scene(run, frames)
    write_output(path, encoded([scene.image(k) for k in range(len(frames))], max(SHORTEST, whole / len(frames))))
    return frames


def frames_of(run: Run, most: int = 200) -> list[Frame]:
    """What to show: the start, every change or every so many, and the last."""
    most = count("most", most, least=2)
    d = run.source.n_columns
    if run.classes.size > 2:
        raise InputError(f"an animation shows two classes, and this run has {run.classes.size}: learn one against one")
    if d > 2:
        raise InputError(f"an animation shows one or two columns, and these rows have {d}: choose two of them")
    path = run.trajectory()
    points, _ = weight_path(path)
    n = path.n_changes
    shown = np.unique(np.append(np.arange(0, n + 1, every(n, most)), n))
    ends = np.searchsorted(path.change, shown, side="right")  # updates so far
    wrong = np.append(0, np.cumsum(path.replay.margin <= 0))
    found = []
    for change, end in zip(shown.tolist(), ends.tolist(), strict=True):
        row = int(path.row[end - 1]) if end else None
        met = int(path.births[change])
        found.append(
            Frame(
                change=change,
                w=points[change, :-1],
                b=float(points[change, -1]),
                row=row,
                round=met,
                epoch=max(1, -(-met // run.source.n_rows)),
                mistakes=int(wrong[end]),
            )
        )
    return found


def every(changes: int, most: int) -> int:
    """How many changes lie between two frames.

    >>> every(25, 200), every(1000, 200)
    (1, 6)
    """
    return max(1, -(-changes // (most - 1)))


def encoded(images: list[Any], pause: float) -> bytes:
    """The GIF of arrays (height, width, 3), each shown for `pause` seconds, the last for longer."""
    from PIL import Image

    pictures = [Image.fromarray(image) for image in images]
    sample = Image.fromarray(np.concatenate([images[0], images[len(images) // 2], images[-1]]))
    palette = Image.new("P", (1, 1))
    palette.putpalette(_with_ours(sample.quantize(COLOURS, dither=Image.Dither.NONE).getpalette() or []))
    paletted = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    millis = [round(pause * 1000 / 10) * 10] * len(paletted)  # a GIF counts hundredths
    millis[-1] += round(STAYS * 1000)
    made = io.BytesIO()
    paletted[0].save(
        made, format="GIF", save_all=True, append_images=paletted[1:], duration=millis, loop=0, optimize=True
    )
    return made.getvalue()


def _with_ours(palette: list[int]) -> list[int]:
    """The palette with white and our colours as they are, in place of the means of what is near them."""
    from matplotlib.colors import to_rgb

    own = [[round(255 * part) for part in to_rgb(c)] for c in ("white", INK, POSITIVE, NEGATIVE, ACCENT, THIRD)]
    others = np.array(palette).reshape(-1, 3)[:COLOURS]
    far = (np.abs(others[:, None] - np.array(own)).max(axis=2) > 8).all(axis=1)
    return [int(part) for part in np.concatenate([own, others[far]]).ravel()]

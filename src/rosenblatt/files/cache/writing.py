"""One pass over an input writes its cache."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from ...atomic import Draft, replacing
from ...data.ahead import made_ahead
from ...errors import InputError
from ..opening import BytesReadCallback
from ..parts.input import Input
from ..sheet import Sheet
from .form import Index, ending
from .labels import LabelCodes

_WRITE = 2**23  # bytes that are written at a time


def write_cache(
    path: str,
    given: Input,
    progress: BytesReadCallback | None = None,
    make_room: Callable[[int], None] = lambda _: None,
    met: Callable[[Sheet], None] | None = None,
) -> None:
    """Write or replace the cache of an input.

    `make_room` is told how many bytes come next, and raises where there is no room for them. `met` is given each part
    as it comes: whoever learns during the first pass.
    """
    labels = LabelCodes(given.name)
    with replacing(path) as draft:
        writer: _core.BlockWriter | None = None
        form: dict[str, Any] = {}
        for sheet in made_ahead(given.sheets(progress)):
            if writer is None:
                form = _form(sheet)
                writer = _core.BlockWriter(_core.BlockForm(**form))
            _add(writer, form, sheet, labels)
            if met is not None:
                met(sheet)
            if writer.waiting >= _WRITE:
                _put(draft, writer, make_room)
        if writer is None:
            raise InputError(f"{given.name}: no rows; expected at least one")
        writer.finish()
        _put(draft, writer, make_room)
        chunks, blocks = writer.index()
        last = ending(Index(chunks, blocks), _facts(given, writer, form, labels))
        make_room(len(last))
        draft.write(last)


def _form(sheet: Sheet) -> dict[str, Any]:
    rows = sheet.rows
    return {
        "sparse": rows.is_sparse,
        "float32": np.asarray(rows.arrays[0]).dtype == np.float32,
        "lines": sheet.lines is not None,
        "weights": sheet.weights is not None,
        "d": 0 if rows.is_sparse else rows.d,
    }


def _add(writer: _core.BlockWriter, form: dict[str, Any], sheet: Sheet, labels: LabelCodes) -> None:
    if sheet.labels is None:
        raise InputError(f"{sheet.name}: no labels; say which column they are (label=, --label)")
    codes = labels.of(sheet.labels, writer.rows)
    writer.add(sheet.rows, codes, sheet.lines if form["lines"] else None, sheet.weights if form["weights"] else None)


def _put(draft: Draft, writer: _core.BlockWriter, make_room: Callable[[int], None]) -> None:
    if writer.waiting:
        make_room(writer.waiting)
        draft.write(writer.take().data)


def _facts(given: Input, writer: _core.BlockWriter, form: dict[str, Any], labels: LabelCodes) -> dict[str, Any]:
    layout, values = given.layout, labels.array()
    return {
        "name": given.name,
        "format": given.format,
        "rows": writer.rows,
        "columns": layout.n_columns,
        "first_column": layout.first_column,
        "entries": writer.entries,
        "form": {**form, "sparse": bool(form["sparse"]), "float32": bool(form["float32"])},
        "weighted": writer.weighted,
        "labels": {
            "kind": values.dtype.kind,
            "values": values.tolist(),
            "counts": labels.counts[: values.size].tolist(),
        },
        "files": [list(one) for one in layout.files],
        "reading": layout.reading.to_dict(),
        "feature_names": None if layout.feature_names is None else list(layout.feature_names),
        "notes": list(layout.notes),
        "details": list(layout.details),
        "levels": dict(layout.levels),
        "hashed": list(layout.hashed),
    }

"""What the data of a run were: kept in its checkpoint, so that whoever goes on with others is told what has changed."""

import json
import os
from typing import TYPE_CHECKING, Any

from ..errors import InputError, plural, shown

if TYPE_CHECKING:
    from ..data.source import Source
    from ..files.sheet import Sheet
    from ..models.model import Model

_MOST_CLASSES = 1000  # whose counts are kept
_FACTS = "input_"  # before the names of facts about the data, in what a checkpoint says of its origin


class InputFacts:
    """What is known of the data that a run learns from; asked once, when the first checkpoint is written."""

    def __init__(self, source: "Source", data: str) -> None:
        self._source, self._data = source, data
        self._known: dict[str, Any] | None = None

    @property
    def so_far(self) -> dict[str, Any]:
        """The same, if it was asked before: whoever is interrupted has no time for a pass over all rows."""
        return self._known or {}

    @property
    def known(self) -> dict[str, Any]:
        """As words and numbers."""
        if self._known is None:
            self._known = {_FACTS + name: value for name, value in _facts(self._source, self._data).items()}
        return self._known


def _facts(source: "Source", data: str) -> dict[str, Any]:
    import hashlib  # which takes longer to import than all else here

    import numpy as np

    counts, digest = np.zeros(max(2, source.n_outputs), np.int64), hashlib.sha256()
    known: dict[str, Any] = {}
    if source.driver is not None:  # on a cluster, where labels are counted, and stay
        rows: Any = source.original
        counts[: len(rows.counted)] = list(rows.counted.values())
        known["shards"] = len(rows.shards)
    else:
        for part in source.label_parts():
            labels = np.maximum(part, 0)
            counts += np.bincount(labels, minlength=counts.size)
            digest.update(labels.astype("<i4").tobytes())
        known["labels"] = digest.hexdigest()[:32]
    known |= {
        "columns": source.n_columns,
        # Of rows on the disk some are looked at: a pass over all would cost more than the checkpoint.
        "values": f"{source.digest(every_row=source.in_memory):x}",
    }
    if counts.size <= _MOST_CLASSES:
        known["counts"] = json.dumps(counts.tolist())
    if os.path.isfile(data):
        found = os.stat(data)
        known |= {"size": found.st_size, "modified": found.st_mtime_ns}
    return known


def check_same_input(earlier: "Model", path: str, source: "Source", name: str, data: str) -> None:
    """Raises `InputError` that says what has changed, if the data are not those that the file was learnt from."""
    then = earlier.provenance
    changed = _shape_changed(earlier, source)
    if changed is None and _FACTS + "values" in then:
        changed = _content_changed(then, InputFacts(source, data).known, earlier.classes.tolist())
    if changed is not None:
        raise InputError(f"{name}: cannot resume from {path}: {changed}{_file_changed(then, data)}")


def _shape_changed(earlier: "Model", source: "Source") -> str | None:
    rows, columns = earlier.provenance.get("rows", source.n_rows), earlier.weights.shape[0]
    if rows != source.n_rows:
        return f"the data have {plural(source.n_rows, 'row')}, and had {rows}"
    if columns != source.n_columns:
        return f"the data have {plural(source.n_columns, 'column')}, and had {columns}"
    was, now = earlier.classes.tolist(), source.classes.tolist()
    if was != now:
        said = [f"{shown(label)} is new" for label in now if label not in was][:1]
        said += [f"{shown(label)} is missing" for label in was if label not in now][:1]
        return f"the classes have changed: {' and '.join(said) or 'their type'}"
    names, now_names = earlier.feature_names, source.feature_names
    if names != now_names and names is not None and now_names is not None:
        at = next(at for at, both in enumerate(zip(names, now_names, strict=True)) if both[0] != both[1])
        return f"column {at + 1} is {shown(now_names[at])}, and was {shown(names[at])}"
    return None


def _content_changed(then: dict[str, Any], now: dict[str, Any], classes: list[Any]) -> str | None:
    counts, counts_now = (json.loads(known.get(f"{_FACTS}counts", "[]")) for known in (then, now))
    for label, was, is_now in zip(classes, counts, counts_now, strict=False):
        if was != is_now:
            return f"label {shown(label)} is that of {plural(is_now, 'row')}, and was of {was}"
    if (shards := then.get(f"{_FACTS}shards")) != (shards_now := now.get(f"{_FACTS}shards")):
        if shards is None or shards_now is None:
            there = "one machine" if shards is None else "a cluster"
            return f"it was learnt on {there}; go on with it there, {'without' if shards is None else 'with'} --dask"
        return f"the rows are in {plural(shards_now, 'shard')}, and were in {shards}: --shards {shards} cuts them so"
    if then.get(f"{_FACTS}labels") != now.get(f"{_FACTS}labels"):
        return "the labels of some rows have changed"
    if then[f"{_FACTS}values"] != now[f"{_FACTS}values"]:
        return "the values of some rows have changed"
    return None


def _file_changed(then: dict[str, Any], data: str) -> str:
    """What the file itself tells: its size, or when it was written."""
    size, modified = then.get(f"{_FACTS}size"), then.get(f"{_FACTS}modified")
    if type(size) is not int or type(modified) is not int or not os.path.isfile(data):
        return ""
    now = os.stat(data)
    if now.st_size != size:
        return f" (the file has {now.st_size} bytes, and had {size})"
    if now.st_mtime_ns != modified:
        return f" (the file was written on {_day(now.st_mtime_ns)}, and before on {_day(modified)})"
    return ""


def _day(nanoseconds: int) -> str:
    import datetime

    try:
        moment = datetime.datetime.fromtimestamp(nanoseconds // 10**9, datetime.UTC)
    except (OverflowError, OSError, ValueError):
        return "an unknown day"
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def most_common(sheet: "Sheet") -> str:
    """The label of most rows."""
    counts = sheet.class_counts()
    return str(max(counts, key=lambda label: counts[label]))

"""Data: what a file or an array holds, and its rows by the lines they stand on."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from .plain import plain
from .text import listed, paragraph, percent, word

MOST_CLASSES = 100  # that are listed


def classes_report(classes: Mapping[Any, int] | None) -> dict[str, Any] | None:
    """How many classes there are, and the rows of the first of them."""
    if classes is None:
        return None
    some = itertools.islice(classes.items(), MOST_CLASSES)
    return {"count": len(classes), "listed": [{"label": plain(label), "rows": count} for label, count in some]}


def data_report(
    rows: int,
    columns: int,
    sparse: bool,
    classes: Mapping[Any, int] | None,
    positive: Any,
    *,
    name: str | None = None,
    format: str | None = None,
    reading: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
    details: Sequence[str] = (),
    levels: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """What data are, in plain values; those of arrays have no name, no format, and were not read.

    `levels` are how many values each column of text has, if there are any.
    """
    return {
        "name": name,
        "format": format,
        "rows": rows,
        "columns": columns,
        "sparse": sparse,
        "classes": classes_report(classes),
        "positive": plain(positive),
        "reading": dict(reading or {}),
        "notes": list(notes),
        "details": list(details),
        **({"levels": dict(levels)} if levels else {}),
    }


def place(row: Mapping[str, Any]) -> int | str:
    """What a row is called by in words: the number of its line if it has one, with its file if there are several."""
    if row["line"] is None:
        return int(row["row"])
    return f"{row['file']}:{row['line']}" if "file" in row else int(row["line"])


def unit(rows: Sequence[Mapping[str, Any]]) -> str:
    """What these numbers are: lines of the file, or rows counted from 0."""
    return "line" if rows and rows[0]["line"] is not None else "row"


def places(rows: Sequence[Mapping[str, Any]], most: int = 12, labelled: bool = False) -> str:
    """`lines 3, 5 and 9`, or `rows 2, 4 and 8 (counted from 0)`; each with its label where a line has several."""
    kind = unit(rows)
    numbers = [f"{place(row)} {word(row['label'])}" if labelled else place(row) for row in rows]
    said = f"{kind}{'' if len(rows) == 1 else 's'} {listed(numbers, most)}"
    return said if kind == "line" else f"{said} (counted from 0)"


def size(data: Mapping[str, Any]) -> str:
    """`150 rows × 4 columns`."""
    return f"{plural(data['rows'], 'row')} × {plural(data['columns'], 'column')}"


def sides(data: Mapping[str, Any]) -> str:
    """Which class is asked about, against which."""
    classes = {entry["label"]: entry["rows"] for entry in data["classes"]["listed"]}
    positive = data["positive"]
    count = classes.get(positive)
    others = [label for label in classes if label != positive]
    if data["classes"]["count"] == 2 and count is not None:
        (other,) = others
        return f"class {word(positive)} ({plural(count, 'row')}) against {word(other)} ({classes[other]})"
    if data["classes"]["count"] == 1:
        return f"all of class {word(positive)}"
    rest = "" if count is None else f" ({data['rows'] - count})"
    said = "" if count is None else f" ({plural(count, 'row')})"
    return f"class {word(positive)}{said} against the other {data['classes']['count'] - 1} classes{rest}"


def subject(data: Mapping[str, Any]) -> list[str]:
    """The data an answer is about: below the verdict. Those of arrays have no name."""
    name = "" if data["name"] is None else f"{data['name']}: "
    return paragraph(f"{name}{size(data)}; {sides(data)}.") + coding_text(data)


def coding_text(data: Mapping[str, Any]) -> list[str]:
    """What became of the columns of text, and which columns say how often a row was counted."""
    return [line for said in coding_sentences(data) for line in paragraph(said)]


def coding_sentences(data: Mapping[str, Any]) -> list[str]:
    """The same in sentences."""
    reading, levels, sentences = data["reading"], data.get("levels") or {}, []
    if levels and reading.get("coding") == "reference":
        reference = reading.get("reference") or {}
        said = [
            f"{word(name)} ({plural(count, 'level')}) "
            + (f"against {word(reference[name])}" if name in reference else "with all of them")
            for name, count in levels.items()
        ]
        sentences.append(f"Text columns: {listed(said, 6)}.")
    elif levels:
        total = sum(levels.values())
        sentences.append(f"{plural(len(levels), 'text column')}, one feature for each of {plural(total, 'value')}.")
    if reading.get("counts"):
        sentences.append(f"Counted by {listed([word(name) for name in reading['counts']])}.")
    return sentences


def labels_listed(classes: Mapping[str, Any], most: int = 12) -> str:
    """`no (2 rows), yes (3 rows) and 98 more`."""
    some = [f"{word(entry['label'])} ({plural(entry['rows'], 'row')})" for entry in classes["listed"][:most]]
    hidden = classes["count"] - len(some)
    return listed(some, most) + (f" and {hidden} more" if hidden > 0 else "")


def how(reading: Mapping[str, Any]) -> list[str]:
    """How a file was read, in sentences."""
    said = []
    if (label := reading.get("label")) is not None:
        said.append(f"Labels: column {word(label)}.")
    if reading.get("base") is not None:
        said.append(f"Features are numbered from {reading['base']}.")
    if reading.get("hash_bits"):
        said.append(f"Features are hashed into 2^{reading['hash_bits']} columns.")
    if reading.get("text"):
        said.append(f"Taken as text: {listed([word(name) for name in reading['text']])}.")
    if reading.get("coding") == "reference":
        known = [f"{word(name)}: {word(level)}" for name, level in (reading.get("reference") or {}).items()]
        said.append(f"Text columns have a feature for each value but one ({listed(known, 6) or 'none left out'}).")
    elif reading.get("coding"):
        said.append("Text columns have a feature for each value.")
    if reading.get("counts"):
        said.append(f"Counted by {listed([word(name) for name in reading['counts']])}.")
    if reading.get("words"):
        said.append(f"Taken as words: {listed([word(name) for name in reading['words']])}.")
    if reading.get("weight") is not None:
        said.append(f"Weights of rows: column {word(reading['weight'])}.")
    if reading.get("leave_out"):
        said.append(f"Left out: {listed([word(name) for name in reading['leave_out']])}.")
    missing = {"drop": "their rows dropped", "zero": "taken as 0", "mean": "taken as the column's mean"}
    if reading.get("missing") in missing:
        said.append(f"Missing values: {missing[reading['missing']]}.")
    return said


def data_text(data: Mapping[str, Any]) -> list[str]:
    """A data file in words."""
    how_read = {"csv": "CSV", "tsv": "TSV", "arff": "ARFF", "vw": "Vowpal Wabbit text"}.get(
        data["format"], data["format"]
    )
    origin = "which come with rosenblatt" if data["format"] == "example" else f"read as {how_read}"
    lines = paragraph(f"{data['name']}: data, {size(data)}, {origin}.")
    classes = data["classes"]
    if classes is None:
        lines += paragraph("No labels found; --label says which column they are.")
    else:
        count = plural(classes["count"], "class")
        lines += paragraph(f"{count}: {labels_listed(classes)}.")
    if "nonzeros" in data:
        share = data["nonzeros"] / (data["rows"] * data["columns"])
        kept = "sparse" if data["sparse"] else "dense"
        lines += paragraph(f"{data['nonzeros']} values are not 0 ({percent(share)} of all); kept {kept} in memory.")
    names = data.get("names")
    if names:
        lines += paragraph(f"Columns: {listed(names, 20)}.")
    elif names is not None:
        lines += paragraph("The columns have no names.")
    lines += paragraph(" ".join(how(data["reading"])))
    for note in data["notes"]:
        lines += paragraph(f"Note: {note}{'' if note.endswith(('.', '…')) else '.'}")
    return lines

"""Small random tables in text: numbers and words, some missing, some late, in the many ways that people write them."""

from typing import Any

import numpy as np

MISSING = ("", "NA", "?", " NaN ")
LEVELS = ("red", "green", "blue, dark", 'said "so"', "naïve", "10", "two\nlines")


def _column(rng: np.random.Generator, kind: str, n: int) -> list[str]:
    late = int(rng.integers(n))
    if kind == "numbers":
        return [
            f"{value:.{int(rng.integers(1, 18))}g}" for value in rng.standard_normal(n) * 10.0 ** rng.integers(-3, 9)
        ]
    if kind == "few":
        return [str(value) for value in rng.integers(0, 2, n) * (rng.random(n) < 0.2)]
    if kind == "blanks":  # numbers that pyarrow takes for text
        return [f" {value} " if i >= late else str(value) for i, value in enumerate(rng.integers(-9, 9, n).tolist())]
    if kind == "truth":
        return [str(value) for value in rng.choice(["true", "False", "TRUE"], n)]
    if kind == "late":  # text that looks like numbers, up to a row
        return ["red" if i >= late else str(value) for i, value in enumerate(rng.integers(0, 3, n).tolist())]
    if kind == "sentence":
        some = ("the dog", "a Cat's tail", "Straße", "no words", "…", "the the cat")
        return [str(rng.choice(some)) for _ in range(n)]
    return [str(rng.choice(LEVELS[: int(rng.integers(1, len(LEVELS) + 1))])) for _ in range(n)]


def _labels(rng: np.random.Generator, n: int) -> list[str]:
    late = int(rng.integers(n))
    kinds: list[Any] = [["0", "1"], ["1.0", "2"], ["1.5", "2"], ["a", "b"], ["+1", "-1"], ["yes", "3"]]
    first, second = (kinds[int(k)] for k in rng.integers(0, len(kinds), 2))
    return [str(rng.choice(first if i < late or rng.random() < 0.5 else second)) for i in range(n)]


def table(rng: np.random.Generator, missing: bool) -> tuple[list[str], list[list[str]]]:
    """Names and rows. A column w may be weights, c counts, s sentences, id the numbers of rows."""
    n = int(rng.integers(1, 40))
    kinds = ["numbers", "few", "blanks", "truth", "late", "text"]
    columns = {f"{kind[0]}{k}": _column(rng, kind, n) for k, kind in enumerate(rng.choice(kinds, rng.integers(1, 5)))}
    if missing:
        for values in columns.values():
            for i in np.flatnonzero(rng.random(n) < rng.choice([0.05, 0.3])).tolist():
                values[i] = str(rng.choice(MISSING))
    if rng.random() < 0.3:
        start = int(rng.integers(0, 2))
        broken = n if rng.random() < 0.6 else int(rng.integers(n))
        columns = {"id": [str(start + i + (i >= broken)) for i in range(n)]} | columns
    columns["w"] = [str(value) for value in rng.choice([0, 1, 2, 0.5], n)]
    columns["c"] = [str(value) for value in rng.choice([0, 1, 3], n)]
    columns["s"] = _column(rng, "sentence", n)
    columns["y"] = _labels(rng, n)
    return list(columns), [list(row) for row in zip(*columns.values(), strict=True)]


def written(rng: np.random.Generator, names: list[str], rows: list[list[str]]) -> bytes:
    """CSV: quotes where they must be, or elsewhere too; lines that end as they do here or there; blank ones."""
    end = str(rng.choice(["\n", "\r\n"]))
    quoted, blank = rng.random() < 0.3, rng.random() < 0.2

    def field(text: str) -> str:
        if any(mark in text for mark in ',"\n') or (quoted and rng.random() < 0.5):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [",".join(map(field, row)) for row in [names, *rows]]
    if blank:
        lines.insert(int(rng.integers(1, len(lines) + 1)), "")
    text = end.join(lines) + end * int(rng.integers(0, 3))
    return (b"\xef\xbb\xbf" if rng.random() < 0.2 else b"") + text.encode()


def options(rng: np.random.Generator) -> dict[str, Any]:
    """What may be asked of a reader of such a table."""
    found: dict[str, Any] = {"missing": str(rng.choice(["refuse", "drop", "zero", "mean"])), "header": True}
    left_out = [name for name in ("w", "c", "s") if rng.random() < 0.5]
    if "s" not in left_out:
        found["words"] = ["s"]
    if "w" not in left_out and rng.random() < 0.7:
        found["weight"] = "w"
    elif "c" not in left_out and rng.random() < 0.7:
        found["counts"] = ["c"]
    if left_out:
        found["leave_out"] = left_out
    if rng.random() < 0.2:
        found["hash_bits"] = int(rng.integers(2, 6))
    if rng.random() < 0.4:
        found["coding"] = "reference"
    if rng.random() < 0.3:
        found["label"] = rng.choice(["y", "-1"]).item()
    return found


def typed(rng: np.random.Generator) -> Any:
    """An Arrow table whose columns are of many types, missing values and all."""
    import pyarrow as pa

    n = int(rng.integers(1, 40))
    gone = float(rng.choice([0, 0, 0.1, 0.5]))

    def holes(values: list[Any]) -> list[Any]:
        return [None if rng.random() < gone else value for value in values]

    made = {
        "double": lambda: pa.array(holes((rng.standard_normal(n) * 10.0 ** rng.integers(-3, 9)).tolist())),
        "float": lambda: pa.array(holes(rng.standard_normal(n).astype(np.float32).tolist()), pa.float32()),
        "nan": lambda: pa.array(np.where(rng.random(n) < gone, np.nan, rng.standard_normal(n))),
        "few": lambda: pa.array(holes((rng.integers(0, 3, n) * (rng.random(n) < 0.1)).tolist()), pa.int16()),
        "long": lambda: pa.array(holes(rng.integers(-(2**40), 2**40, n).tolist())),
        "bool": lambda: pa.array(holes((rng.random(n) < 0.5).tolist())),
        "text": lambda: pa.array(holes([str(rng.choice(LEVELS)) for _ in range(n)])),
        "large": lambda: pa.array(holes([str(rng.choice(LEVELS)) for _ in range(n)]), pa.large_string()),
        "codes": lambda: pa.array(holes([str(rng.choice(LEVELS)) for _ in range(n)])).dictionary_encode(),
        "numbers": lambda: pa.array(holes(rng.choice([2, 10, 1], n).tolist())).dictionary_encode(),
        "none": lambda: pa.nulls(n),
        "decimal": lambda: pa.array(holes(rng.integers(0, 99, n).tolist()), pa.int16()).cast(pa.decimal128(9, 2)),
    }
    kinds = [str(kind) for kind in rng.choice(list(made), rng.integers(1, 6))]
    columns = {f"{kind}{k}": made[kind]() for k, kind in enumerate(kinds)}
    if rng.random() < 0.3:
        broken = n if rng.random() < 0.6 else int(rng.integers(n))
        columns = {"id": pa.array([i + (i >= broken) for i in range(n)])} | columns
    columns["w"] = pa.array(rng.choice([0, 1, 0.5], n))
    columns["c"] = pa.array(rng.integers(0, 3, n))
    columns["s"] = pa.array(_column(rng, "sentence", n))
    late = int(rng.integers(n))
    labels: list[Any] = [[0, 1], [1.0, 2.0], ["a", "b"], [True, False], [1.0 if i < late else 1.5 for i in range(n)]]
    columns["y"] = (
        pa.array([rng.choice(labels[0]).item()] * n)
        if n < 3
        else pa.array(
            [
                one.item() if hasattr(one, "item") else one
                for one in rng.choice(labels[int(rng.integers(len(labels)))], n)
            ]
        )
    )
    return pa.table(columns)

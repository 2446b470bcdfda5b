"""ARFF: the header is believed, and what does not fit it is refused by its line. The oracle is SciPy's reader."""

import random
import warnings
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import arff

from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.sheet import Sheet
from rosenblatt.files.tables.arff import read_arff

HEADER = """% a comment
@RELATION r
@attribute a numeric
@Attribute 'b c' {x, 'y z', "w"}
@attribute class {no,yes}
@DATA
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.arff"


def read(path: Path, content: str, /, **options: Any) -> Sheet:
    path.write_text(content, encoding="utf-8", newline="")
    with InputFile(path) as opened:
        return read_arff(opened, options_of(**options))


def refusal(path: Path, content: str, /, **options: Any) -> str:
    with pytest.raises(InputError) as refused:
        read(path, content, **options)
    message = str(refused.value)
    assert message.startswith(f"{path}:")
    assert len(message.splitlines()) == 1
    return message.removeprefix(f"{path}:").removeprefix(" ")


def dense(sheet: Sheet) -> np.ndarray:
    matrix = matrix_of(sheet.rows)
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


def labels(sheet: Sheet) -> list[Any]:
    assert sheet.labels is not None
    return list(sheet.labels.tolist())


def lines(sheet: Sheet) -> list[int]:
    assert sheet.lines is not None
    return list(sheet.lines.tolist())


# --- Against SciPy. ---

words = ["a", "b", "c d", "e'f", "g,h", "i%j", "?k", "{l}", 'm"n', "0", "1.5"]


def quoted(text: str, pick: random.Random, often: float = 0.2) -> str:
    if set(text) & set(" ,'\"%{}?") or pick.random() < often:
        mark = '"' if "'" in text else "'"
        return f"{mark}{text}{mark}"
    return text


@settings(max_examples=examples(120), deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_a_random_file_is_read_as_scipy_reads_it(
    tmp_path_factory: pytest.TempPathFactory, seed: int, plain: bool
) -> None:
    """SciPy takes the quotes around a value in a row for a part of it; `plain` files have none."""
    pick, path = random.Random(seed), tmp_path_factory.getbasetemp() / "random.arff"
    known = [word for word in words if not plain or word.replace(".", "").isalnum()]
    kinds = [pick.choice(["numeric", "REAL", "Integer", "nominal"]) for _ in range(pick.randint(1, 5))]
    values = [pick.sample(known, pick.randint(1, len(known))) for _ in kinds]
    text = "@relation 'a test'\n% about\n\n"
    for j, kind in enumerate(kinds):
        declared = "{" + ", ".join(quoted(value, pick) for value in values[j]) + "}" if kind == "nominal" else kind
        text += f"@attribute v{j} {declared}\n"
    text += "@attribute class {n,p}\n@data\n"
    rows, expected = pick.randint(1, 8), []
    for _ in range(rows):
        row, found = [], []
        for j, kind in enumerate(kinds):
            if kind == "nominal":
                chosen = pick.choice(values[j])
                row.append(quoted(chosen, pick, 0 if plain else 0.2))
                found += [float(chosen == value) for value in values[j]]
            else:
                number = pick.choice([0, 1, -2.5, 1e-300, 123456, float(pick.uniform(-9, 9))])
                row.append(repr(number))
                found.append(number)
        expected.append(found)
        text += "% between\n" * (pick.random() < 0.1) + ",".join([*row, pick.choice("np")]) + "\n"
    sheet = read(path, text)
    assert dense(sheet).tolist() == expected
    if not plain:
        return
    data, meta = arff.loadarff(StringIO(text))
    assert labels(sheet) == [label.decode() for label in data["class"]]
    column = 0
    for j, kind in enumerate(kinds):
        if kind == "nominal":
            assert meta[f"v{j}"][1] == tuple(values[j])
            for value in values[j]:
                assert sheet.feature_names is not None
                assert sheet.feature_names[column] == f"v{j}={value}"
                assert dense(sheet)[:, column].tolist() == [float(found.decode() == value) for found in data[f"v{j}"]]
                column += 1
        else:
            assert dense(sheet)[:, column].tolist() == data[f"v{j}"].tolist()
            column += 1
    assert column == sheet.rows.d


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32))
def test_rows_that_name_their_values_are_the_rows_they_stand_for(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """What is not named is zero, or the first value that is declared."""
    pick, folder = random.Random(seed), tmp_path_factory.getbasetemp()
    d, n = pick.randint(1, 6), pick.randint(1, 9)
    nominal = [pick.random() < 0.4 for _ in range(d)]
    declared = [pick.sample(words, pick.randint(1, 5)) for _ in range(d)]
    header = "".join(
        f"@attribute v{j} "
        + ("{" + ",".join(quoted(v, pick) for v in declared[j]) + "}" if nominal[j] else "numeric")
        + "\n"
        for j in range(d)
    )
    whole = named = f"@relation r\n{header}@attribute class {{n,p}}\n@data\n"
    for _ in range(n):
        row = [
            quoted(pick.choice(declared[j]), pick) if nominal[j] else pick.choice(["0", "0.5", "-3", "?"])
            for j in range(d)
        ]
        row.append(pick.choice("np"))
        first = [*((quoted(declared[j][0], pick), declared[j][0]) if nominal[j] else ("0",) for j in range(d)), ("n",)]
        kept = [f"{j} {value}" for j, value in enumerate(row) if value not in first[j] or pick.random() < 0.3]
        whole += ",".join(row) + "\n"
        named += "{" + pick.choice([", ", ","]).join(kept) + "}\n"
    left, right = (read(folder / "rows.arff", text, missing="zero") for text in (whole, named))
    assert np.array_equal(dense(left), dense(right))
    assert left.feature_names == right.feature_names
    assert labels(left) == labels(right)
    assert lines(left) == lines(right)


def test_a_large_file_is_read_alike(path: Path) -> None:
    values = np.random.default_rng(2).normal(size=(3000, 4)).round(4)
    text = "@relation r\n" + "".join(f"@attribute v{j} real\n" for j in range(4)) + "@attribute y {-1,1}\n@data\n"
    text += "".join(f"{','.join(map(repr, row))},{1 if row[0] > 0 else -1}\n" for row in values.tolist())
    sheet = read(path, text)
    with warnings.catch_warnings():
        data, _ = arff.loadarff(StringIO(text))
    assert np.array_equal(dense(sheet), np.column_stack([data[f"v{j}"] for j in range(4)]))
    assert labels(sheet) == [int(label) for label in data["y"]]
    assert lines(sheet) == list(range(8, 3008))


# --- By hand. ---


def test_comments_quotes_blanks_and_missing_values(path: Path) -> None:
    text = HEADER + "1,x,no\r\n2 , 'y z' ,yes\n% comment\n\n ? ,\"w\",yes\n"
    assert refusal(path, text) == (
        "11: column 'a': missing value; expected one, or --missing drop, zero or mean (missing='drop', …)"
    )
    sheet = read(path, text, missing="mean")
    assert sheet.feature_names == ("a", "b c=x", "b c=y z", "b c=w")
    assert dense(sheet).tolist() == [[1, 1, 0, 0], [2, 0, 1, 0], [1.5, 0, 0, 1]]
    assert labels(sheet) == ["no", "yes", "yes"]
    assert lines(sheet) == [7, 8, 11]
    assert sheet.reading.to_dict() == {
        "format": "arff",
        "missing": "mean",
        "label": "class",
        "fill": {"a": 1.5},
        "text": ["b c"],
        "coding": "levels",
    }
    assert labels(read(path, HEADER + "1,x,?\n2,w,yes\n", missing="drop")) == ["yes"]
    assert refusal(path, HEADER + "1,x,?\n2,w,yes\n", missing="zero").startswith("7:5: column 'class': missing label")


def test_values_that_do_not_occur_are_features_too(path: Path) -> None:
    sheet = read(path, HEADER + "1,w,no\n2,w,yes\n")
    assert sheet.feature_names == ("a", "b c=x", "b c=y z", "b c=w")
    assert dense(sheet)[:, 1:].tolist() == [[0, 0, 1], [0, 0, 1]]


def test_a_question_mark_within_quotes_is_a_value(path: Path) -> None:
    text = "@relation r\n@attribute a {'?',b}\n@attribute class {n,p}\n@data\n'?',n\n?,p\nb,p\n"
    assert dense(read(path, text, missing="zero")).tolist() == [[1, 0], [0, 0], [0, 1]]


def test_the_label_is_the_one_named_so_or_the_last(path: Path) -> None:
    text = "@relation r\n@attribute {} numeric\n@attribute b {{u,v}}\n@data\n1,u\n2,v\n"
    last = read(path, text.format("a"))
    assert labels(last) == ["u", "v"]
    assert last.notes == ("the last attribute, 'b', is the label",)
    named = read(path, text.format("Class"))
    assert labels(named) == [1, 2]
    assert named.notes == ()
    assert named.feature_names == ("b=u", "b=v")
    assert labels(read(path, text.format("a"), label="a")) == [1, 2]
    assert read(path, text.format("a"), label="z", labels="wanted").labels is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [("0,1", [0, 1]), ("0.5,1", [0.5, 1.0]), ("1,1.0", ["1", "1.0"]), ("a,1", ["a", "1"]), ("'a b',c", ["a b", "c"])],
)
def test_labels_are_numbers_if_all_that_are_declared_are(path: Path, values: str, expected: Any) -> None:
    first, second = values.split(",")
    text = f"@relation r\n@attribute a numeric\n@attribute y {{{values}}}\n@data\n1,{first}\n2,{second}\n"
    assert labels(read(path, text)) == expected
    assert [type(label) for label in labels(read(path, text))] == [type(label) for label in expected]


def test_text_may_be_the_label_or_words_only(path: Path) -> None:
    text = "@relation r\n@attribute a string\n@attribute b numeric\n@data\n'a b',1\n01,2\n"
    assert labels(read(path, text, label="a")) == ["a b", "01"]
    assert refusal(path, text).startswith("column 'a': holds text; expected numbers or categories: --words a (")


BAD = {
    "": "no @data line",
    "1,2\n": "1: '1,2'; expected @relation, @attribute or @data",
    "@relation r\n@data\n1\n": "2: no attributes",
    "@relation r\n@attribute a\n@data\n": "2: '@attribute a'; expected @attribute name type",
    "@relation r\n@attribute a foo\n@data\n": "2: attribute 'a': type 'foo'; expected numeric",
    "@relation r\n@attribute a {u,v} {2}\n@data\n": "2: attribute 'a': '{u,v} {2}'; expected {value, …} and no more",
    "@relation r\n@attribute a {u,u}\n@data\n": "2: attribute 'a': '{u,u}'; expected values that differ",
    "@relation r\n@attribute a {}\n@data\n": "2: attribute 'a': '{}'; expected values",
    "@relation r\n@attribute a {u,,v}\n@data\n": "2: attribute 'a': ',v'; expected value",
    "@relation r\n@attribute a date 'yyyy'\n@attribute b numeric\n@data\n1,1\n": "column 'a': holds dates",
    "@relation r\n@attribute a relational\n@attribute b numeric\n@data\n1,1\n": "column 'a': holds tables",
    "@relation r\n@attribute a real\n@attribute a real\n@data\n1,1\n": "columns 0 and 1 are both named 'a'",
    HEADER: "no rows; expected at least one after @data",
    HEADER + "1,x,no\n2,q,yes\n": "8:3: column 'b c': 'q' is not declared; expected one of 'x', 'y z', 'w', or ?",
    HEADER + "1,x,no\n2,'q r',yes\n": "8: column 'b c': 'q r' is not declared",
    HEADER + "1,x,no\nabc,x,yes\n": "8:1: column 'a': 'abc' is not a number",
    HEADER + "1,x,no\n,x,yes\n": "8:1: column 'a': '' is not a number",
    HEADER + "1,x,no\n0x10,x,yes\n": "8:1: column 'a': '0x10' is not a number",
    HEADER + "1,x,no\n1e400,x,yes\n": "8:1: column 'a': '1e400' is beyond the range of float64",
    HEADER + "1,x,no\nNaN,x,yes\n": "8:1: column 'a': 'NaN' is not a finite number",
    HEADER + "1,x,no\n9007199254740993,x,yes\n": "8:1: column 'a': '9007199254740993' is not exact",
    HEADER + "1,x,no\n1,yes\n": "8:6: 2 fields; expected 3",
    HEADER + "1,x,no,{5}\n1,x,yes\n": "7:8: a weight of a row",
    HEADER + "1,'x,no\n2,x,yes": "7:3: column 'b c': \"'x\" is not declared",
    HEADER + "1,x,no\n\x01,x,yes\n": "8:1: a control character",
    HEADER + "1,x,no\n\x00,x,yes\n": "8:1: a NUL byte",
    HEADER + "{0 1}\n{2 yes}, {3}\n": "8:9: a weight of a row",
    HEADER + "{0 1}\n{2 yes, 1 x}\n": "8: index 1 after 2; expected indices that rise",
    HEADER + "{0 1}\n{0 1, 0 2}\n": "8: index 0 after 0",
    HEADER + "{0 1}\n{3 yes}\n": "8: index 3; expected 0 to 2",
    HEADER + "{0 1}\n{99999999999 yes}\n": "8: '99999999999 yes'; expected an index and a value",
    HEADER + "{0 1}\n{2 maybe}\n": "8: column 'class': 'maybe' is not declared",
    HEADER + "{0 1}\n{0 1_0}\n": "8: column 'a': '1_0' is not a number",
    HEADER + "{0 1}\n{0 1e400}\n": "8: column 'a': '1e400' is not a number that float64 holds",
    HEADER + "{0 1}\n{0}\n": "8: '0'; expected an index and a value",
    HEADER + "{0 1}\n1,x,yes\n": "8: not a row like the first",
    HEADER + "{0 1}\n{0 1\n": "8: not a row like the first",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_bad_file_is_refused_by_its_line(path: Path, text: str) -> None:
    assert refusal(path, text).startswith(BAD[text])


def test_what_is_declared_as_values_is_text_already(path: Path) -> None:
    text = HEADER + "1,x,no\n2,w,yes\n"
    assert read(path, text, text=["b c", "class"]).reading.to_dict()["text"] == ["b c", "class"]
    assert refusal(path, text, text=["a"]).startswith("column 'a': declared as numbers")
    assert refusal(path, text, text=["z"]).startswith("no column 'z' to take as text")


def test_hashing_takes_attributes_by_name(path: Path) -> None:
    sheet = read(path, HEADER + "1,x,no\n2,w,yes\n", hash_bits=4, keep_names=True)
    assert sheet.rows.d == 16
    assert sheet.hashed == ("a", "b c=x", "b c=y z", "b c=w")
    assert dense(sheet).sum(axis=1).tolist() == [2, 3]

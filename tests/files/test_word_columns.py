"""Words: what a sentence becomes, against a tokeniser written otherwise; names of svmlight columns."""

import gzip
import lzma
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError, read
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.matching import matched
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.text.hashing import columns_of_names

SMS = "class\ttext\tlength\nspam\tFree! Call NOW, it's free\t25\nham\tI'll call you\t13\nham\t...\t3\n"


def tokens(text: str) -> list[str]:
    """Words by one walk over the characters, back to front: an apostrophe belongs to letters on both of its sides."""
    text = text.casefold().replace("\u2019", "'")

    def letter(at: int) -> bool:
        return 0 <= at < len(text) and unicodedata.category(text[at])[0] in ("L", "M", "N")

    words, end = [], None
    for at in range(len(text) - 1, -2, -1):
        inside = letter(at) or (at >= 0 and text[at] == "'" and letter(at - 1) and letter(at + 1))
        if inside and end is None:
            end = at + 1
        elif not inside and end is not None:
            words.append(text[at + 1 : end])
            end = None
    return words[::-1]


def table(sheet: Any) -> list[dict[str, float]]:
    matrix = matrix_of(sheet.rows)
    cells = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    return [{n: x for n, x in zip(sheet.feature_names, row, strict=True) if x} for row in cells.tolist()]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def refusal(*arguments: Any, **options: Any) -> str:
    with pytest.raises(InputError) as refused:
        sheet_of(*arguments, options_of(**options))
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


# --- Words. ---


def test_a_sentence_becomes_counts_of_its_words(tmp_path: Path) -> None:
    sheet = sheet_of(written(tmp_path / "sms.tsv", SMS), options_of(words=["text"]))
    assert sheet.feature_names == (
        "text:call", "text:free", "text:i'll", "text:it's", "text:now", "text:you", "length",
    )  # fmt: skip
    assert table(sheet) == [
        {"text:free": 2, "text:call": 1, "text:now": 1, "text:it's": 1, "length": 25},
        {"text:i'll": 1, "text:call": 1, "text:you": 1, "length": 13},
        {"length": 3},
    ]
    assert sheet.reading.words == ("text",)
    assert sheet.reading.to_dict()["words"] == ["text"]
    assert sheet.reading.text == ()
    assert not any("different values" in note for note in sheet.notes)


def test_a_column_is_found_by_its_position_too(tmp_path: Path) -> None:
    path = written(tmp_path / "sms.tsv", SMS)
    by_name = table(sheet_of(path, options_of(words="text")))
    for asked in (1, "1", -2, ["1"], [1]):
        assert table(sheet_of(path, options_of(words=asked))) == by_name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't don\u2019t DON'T", ["don't"] * 3),
        ("'quoted' o''clock rock'n'roll '", ["quoted", "o", "clock", "rock'n'roll"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("\u0130stanbul CAFÉ cafe\u0301", ["i\u0307stanbul", "caf\u00e9", "cafe\u0301"]),
        ("a_b a-b a.b 3.14 x2", ["a", "b", "a", "b", "a", "b", "3", "14", "x2"]),
        ("हिन्दी 中文 \U0001f600 x²", ["हिन्दी", "中文", "x²"]),
        ("\u212a K k", ["k", "k", "k"]),
        ("", []),
    ],
)
def test_words_by_example(text: str, words: list[str]) -> None:
    assert tokens(text) == words
    frame = pa.table({"t": [text, "z"], "y": [0, 1]})
    assert table(sheet_of(frame, options_of(words="t")))[0] == {f"t:{word}": n for word, n in Counter(words).items()}


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aB'\u2019 ßÉ"), max_size=30), max_size=5
    )
)
def test_any_text_has_the_words_that_python_finds(texts: list[str]) -> None:
    frame = pa.table({"t": [*texts, "z"], "y": [*(i % 2 for i in range(len(texts))), 1]})
    sheet = sheet_of(frame, options_of(words="t"))
    assert table(sheet) == [{f"t:{word}": n for word, n in Counter(tokens(text)).items()} for text in [*texts, "z"]]
    assert list(sheet.feature_names or ()) == sorted(sheet.feature_names or ())


def test_all_formats_of_tables_have_the_same_words(tmp_path: Path) -> None:
    columns = {"t": ["one two", "Two three", "it's 3", "one two"], "a": [1.0, 2.0, 0.0, 4.0], "y": [0, 1, 0, 1]}
    frame = pa.table(columns)
    pq.write_table(frame, tmp_path / "t.parquet")
    with pa.ipc.new_file(tmp_path / "t.arrow", frame.schema) as out:
        out.write_table(frame)
    rows = list(zip(*columns.values(), strict=True))
    written(tmp_path / "t.csv", "t,a,y\n" + "".join(f"{t},{a},{y}\n" for t, a, y in rows))
    head = "@relation r\n@attribute t string\n@attribute a numeric\n@attribute y {0,1}\n@data\n"
    written(tmp_path / "t.arff", head + "".join(f'"{t}",{a},{y}\n' for t, a, y in rows))
    known = sheet_of(frame, options_of(words=["t"]))
    assert table(known)[1] == {"t:two": 1, "t:three": 1, "a": 2}
    coded = pa.table({**columns, "t": pa.array(columns["t"]).dictionary_encode()})
    for source in (*(tmp_path / f"t.{end}" for end in ("parquet", "arrow", "csv", "arff")), frame.to_pandas(), coded):
        sheet = sheet_of(source, options_of(words=["t"]))
        assert sheet.feature_names == known.feature_names
        assert table(sheet) == table(known)


def test_missing_text_goes_by_the_rules_of_missing_values(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "t,y\none two,0\n,1\n!,1\nNA,0\n")
    assert refusal(path, words="t") == (
        f"{path}:3:1: column 't': missing value; expected one, or --missing drop, zero or mean (missing='drop', …)"
    )
    assert table(sheet_of(path, options_of(words="t", missing="drop"))) == [{"t:one": 1, "t:two": 1}, {}]
    for missing in ("zero", "mean"):
        assert table(sheet_of(path, options_of(words="t", missing=missing))) == [{"t:one": 1, "t:two": 1}, {}, {}, {}]


def test_words_of_dropped_rows_are_not_there(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "t,a,y\none two,1,0\nthree,,1\ntwo,3,1\n")
    assert table(sheet_of(path, options_of(words="t", missing="drop"))) == [
        {"t:one": 1, "t:two": 1, "a": 1},
        {"t:two": 1, "a": 3},
    ]


def test_hashed_words_are_in_the_columns_of_their_names(tmp_path: Path) -> None:
    path = written(tmp_path / "sms.tsv", SMS)
    plain, hashed = (sheet_of(path, options_of(words="text", hash_bits=bits, keep_names=True)) for bits in (None, 4))
    assert hashed.hashed == plain.feature_names
    for row, found in zip(table(plain), matrix_of(hashed.rows).toarray(), strict=True):
        sums = np.zeros(16)
        for name, value in row.items():
            sums[columns_of_names([name], 4)[0]] += value
        assert found.tolist() == sums.tolist()


def test_what_is_no_column_of_sentences_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "sms.tsv", SMS)
    assert refusal(path, words="body").startswith(f"{path}: no column 'body'; columns are 'class',")
    assert (
        refusal(path, words=7)
        == f"{path}: no column 7, where the words are said to be; expected 0 to 2, or -1 for the last one"
    )
    assert refusal(path, words="class") == f"{path}: column 'class' is the label; expected another one for --words"
    assert refusal(path, words="text", text="text").endswith("column 'text' becomes words; expected no --text for it")
    assert refusal(path, words="text", leave_out="text").endswith("expected no --leave-out for it")
    frame = pa.table({"t": [1, 2], "y": [0, 1]})
    assert refusal(frame, words="t") == (
        "frame: column 't': holds numbers, not sentences; expected text, or no --words (words=)"
    )
    svm = written(tmp_path / "a.svm", "1 1:1\n-1 1:2\n")
    assert refusal(svm, words="t") == f"{svm}: svmlight has no words to choose; do without words=, --words"
    with pytest.raises(InputError, match="words must be names of columns"):
        options_of(words=1.5)


def test_two_features_of_one_name_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "t,t:one,y\none two,1,0\nthree,2,1\n")
    assert refusal(path, words="t").startswith(f"{path}: two features are named 't:one'")


def test_unknown_words_are_counted_and_others_may_lack(tmp_path: Path) -> None:
    known = sheet_of(written(tmp_path / "a.csv", "t,a,y\none two,1,0\nthree,2,1\n"), options_of(words="t"))
    new = sheet_of(written(tmp_path / "b.csv", "a,t\n5,two new words\n6,two\n"), options_of(words="t", labels="wanted"))
    rows, notes = matched(new, known.feature_names, known.rows.d, known.reading)
    assert notes == ("2 of 3 words that the model does not know, left out",)
    assert matrix_of(rows).tolist() == [[0, 0, 1, 5], [0, 0, 1, 6]]
    assert refusal(written(tmp_path / "c.csv", "a,s\n1,x\n"), words="t", labels="wanted") == (
        f"{tmp_path / 'c.csv'}: no column 't'; columns are 'a', 's'"
    )
    without = sheet_of(written(tmp_path / "d.csv", "a,t\n1,two\n2,one\n"), options_of(labels="wanted"))
    with pytest.raises(InputError, match="1 column of the model not in it: 't'"):
        matched(without, known.feature_names, known.rows.d, known.reading)


# --- Names of svmlight columns. ---

SVM = "1 1:1 3:2\n-1 2:1\n1 3:1\n"


def test_columns_of_svmlight_text_are_given_names(tmp_path: Path) -> None:
    path = written(tmp_path / "a.svm", SVM)
    plain = written(tmp_path / "names.txt", "\ufeffone\r\ntwo words\r\nthree\r\nfour\r\n")
    (tmp_path / "names.txt.gz").write_bytes(gzip.compress(plain.read_bytes()))
    (tmp_path / "names.txt.xz").write_bytes(lzma.compress(plain.read_bytes()))
    for names in (
        plain,
        str(tmp_path / "names.txt.gz"),
        tmp_path / "names.txt.xz",
        ["one", "two words", "three", "four"],
    ):
        found = read(path, names=names)
        assert found.feature_names == ("one", "two words", "three", "four")
        assert matrix_of(found.rows).toarray().tolist() == [[1, 0, 2, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    assert "names" not in sheet_of(path, options_of(names=plain)).reading.to_dict()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("a\nb\n", "2 names, but {svm} has 3 columns, indices 1 to 3; expected a name for each"),
        ("a\n\nb\n", "2: no name; expected one for each column"),
        ("a\nb\na\n", "3: 'a' again, as in {names}:1; expected names that differ"),
        ("a\nb\x00\nc\n", "2: 'b\\x00'; expected a name without control characters"),
        ("", "1: no names"),
    ],
)
def test_names_that_do_not_do(tmp_path: Path, names: str, said: str) -> None:
    svm, path = written(tmp_path / "a.svm", SVM), written(tmp_path / "n.txt", names)
    message = refusal(svm, names=path).removeprefix(f"{path}:").strip()
    assert message.startswith(said.format(svm=svm, names=path))


def test_names_go_with_svmlight_text_without_a_hash(tmp_path: Path) -> None:
    svm = written(tmp_path / "a.svm", SVM)
    assert "hashed features have no names" in refusal(svm, names=["a", "b", "c"], hash_bits=3)
    assert "names must be texts" in refusal(svm, names=[1, 2, 3])
    assert "names are for svmlight text" in refusal(written(tmp_path / "a.csv", "a,y\n1,0\n"), names=["a"])
    (tmp_path / "n.txt").write_bytes(b"a\n\xff\nc\n")
    assert refusal(svm, names=tmp_path / "n.txt").endswith("n.txt:2: not UTF-8; expected a name")


def test_a_model_with_names_takes_svmlight_text_by_index(tmp_path: Path) -> None:
    known = sheet_of(written(tmp_path / "a.svm", SVM), options_of(names=["a", "b", "c"]))
    fewer = sheet_of(written(tmp_path / "b.svm", "1 1:5\n"), options_of(base=1))
    rows, notes = matched(fewer, known.feature_names, 3, known.reading)
    assert (matrix_of(rows).toarray().tolist(), notes) == ([[5, 0, 0]], ())
    more = sheet_of(written(tmp_path / "c.svm", "1 2:5 5:1\n"), options_of(base=1))
    rows, notes = matched(more, known.feature_names, 3, known.reading)
    assert matrix_of(rows).toarray().tolist() == [[0, 5, 0]]
    assert notes == ("left out 2 columns beyond the 3 of the model: 1 value not 0",)

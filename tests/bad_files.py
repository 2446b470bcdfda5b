"""Files that are wrong, each in its own way: name, content, and what must be said of it, after the file's name."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import zstandard


class Bad(NamedTuple):
    name: str
    content: bytes
    said: str
    """A pattern for what follows the name of the file in the message."""
    options: tuple[str, ...] = ()


GOOD = b"+1 1:1 2:0.5\n-1 1:-1 3:2\n+1 2:3\n"
TABLE = b"age,dose,class\n30,1.5,no\n41,2.5,yes\n52,0.5,no\n60,1,yes\n"
Z = zstandard.ZstdCompressor().compress


def svmlight() -> Iterator[tuple[str, bytes, str]]:
    """One bad line, the second; and its column."""
    labels = {
        "label-word": (b"spam 1:1", r"1: label spam"),
        "label-nan": (b"nan 1:1", r"1: label nan"),
        "label-inf": (b"-inf 1:1", r"1: label '-inf'"),
        "label-overflow": (b"1e400 1:1", r"1: label 1e400 is beyond"),
        "label-hex": (b"0x1 1:1", r"1: label 0x1"),
        "label-comma": (b"1,2 1:1", r"1: label '1,2'"),
        "label-underscore": (b"1_0 1:1", r"1: label '1_0'"),
        "label-arabic": ("١ 1:1".encode(), r"1: label '١'"),
        "label-fullwidth": ("１ 1:1".encode(), r"1: label"),
        "label-minus-sign": ("−1 1:1".encode(), r"1: label '−1'"),
        "label-missing": (b"1:1 2:2", r"1: label '1:1'"),
        "label-sign": (b"+ 1:1", r"1: label '\+'"),
        "label-two-signs": (b"--1 1:1", r"1: label '--1'"),
        "label-point": (b". 1:1", r"1: label '\.'"),
        "label-exponent": (b"1e 1:1", r"1: label 1e"),
        "label-latin": (b"\xe9 1:1", r"1: label '�'"),
        "label-question": (b"? 1:1", r"1: label '\?'"),
    }
    values = {
        "value-nan": (b"1 3:nan", r"5: value nan"),
        "value-NaN": (b"1 3:NaN", r"5: value NaN"),
        "value-inf": (b"1 3:inf", r"5: value inf"),
        "value-infinity": (b"1 3:-Infinity", r"5: value '-Infinity'"),
        "value-overflow": (b"1 3:1e400", r"5: value 1e400 is beyond the range of float64"),
        "value-overflow-negative": (b"1 3:-1e309", r"5: value '-1e309' is beyond"),
        "value-overflow-digits": (b"1 3:" + b"9" * 400, r"5: value '9+… is beyond"),
        "value-underscore": (b"1 3:1_0", r"5: value '1_0'"),
        "value-hex": (b"1 3:0x10", r"5: value 0x10"),
        "value-comma": (b"1 3:1,5", r"5: value '1,5'"),
        "value-arabic": ("1 3:٣".encode(), r"5: value '٣'"),
        "value-missing": (b"1 3:", r"5: value ''"),
        "value-missing-before-next": (b"1 3: 4:1", r"5: value ''"),
        "value-word": (b"1 3:x", r"5: value x"),
        "value-trailing-junk": (b"1 3:1x", r"5: value 1x"),
        "value-two-points": (b"1 3:1.2.3", r"5: value '1\.2\.3'"),
        "value-exponent": (b"1 3:1e+", r"5: value '1e\+'"),
        "value-exponent-point": (b"1 3:1e1.5", r"5: value '1e1\.5'"),
        "value-two-colons": (b"1 3:1:2", r"5: value '1:2'"),
        "value-percent": (b"1 3:5%", r"5: value '5%'"),
        "value-currency": ("1 3:5€".encode(), r"5: value '5€'"),
        "value-fraction": (b"1 3:1/2", r"5: value '1/2'"),
        "value-quoted": (b'1 3:"1"', r"5: value '\"1\"'"),
        "value-none": (b"1 3:None", r"5: value None"),
        "value-float-suffix": (b"1 3:1.0f", r"5: value '1\.0f'"),
        "value-nbsp": ("1 3:1\u00a04:1".encode(), r"5: value"),
    }
    indices = {
        "index-2-31": (b"1 2147483648:1", r"3: index 2147483648; expected at most 2147483647"),
        "index-2-32": (b"1 4294967297:1", r"3: index 4294967297"),
        "index-2-63": (b"1 9223372036854775808:1", r"3: index 9223372036854775808"),
        "index-2-64": (b"1 18446744073709551617:1", r"3: index 18446744073709551617"),
        "index-many-digits": (b"1 " + b"1" * 100 + b":1", r"3: index '?1+"),
        "index-negative": (b"1 -3:1", r"3: '-3:1'; expected index:value"),
        "index-plus": (b"1 +3:1", r"3: '\+3:1'"),
        "index-float": (b"1 3.0:1", r"3: '3\.0:1'"),
        "index-word": (b"1 age:1", r"3: 'age:1'"),
        "index-hex": (b"1 0x3:1", r"3: '0x3:1'"),
        "index-missing": (b"1 :1", r"3: ':1'"),
        "index-twice": (b"1 3:1 3:2", r"7: index 3 does not come after"),
        "index-unsorted": (b"1 3:1 2:2", r"7: index 2 does not come after"),
        "index-arabic": ("1 ٣:1".encode(), r"3: '٣:1'"),
        "colon-missing": (b"1 3 4:1", r"3: 3; expected index:value"),
        "colon-equals": (b"1 3=1", r"3: '3=1'"),
        "colon-blank": (b"1 3 :1", r"3: 3; expected"),
        "commas": (b"1,0.5,0.3", r"1: label '1,0\.5,0\.3'"),
        "comma-behind-item": (b"1 3:1, 4:1", r"5: value '1,'"),
        "qid-word": (b"1 qid:x 3:1", r"3: 'qid:x'"),
        "qid-empty": (b"1 qid: 3:1", r"3: 'qid:'"),
        "qid-negative": (b"1 qid:-1 3:1", r"3: 'qid:-1'"),
        "qid-upper": (b"1 QID:1 3:1", r"3: 'QID:1'"),
        "junk-behind": (b"1 3:1 junk", r"7: junk; expected index:value"),
        "sid": (b"1 sid:1 3:1", r"3: 'sid:1'"),
    }
    characters = {
        "nul": (b"1 3:1\x00", r"6: a control character, '\\x00'"),
        "nul-line": (b"\x00\x00\x00", r"1: a control character"),
        "escape": (b"1 \x1b[31m3:1", r"3: a control character, '\\x1b'"),
        "carriage-return": (b"1 3:1\r2 3:1", r"6: a control character, '\\r'"),
        "form-feed": (b"1 3:1\x0c", r"6: a control character"),
        "vertical-tab": (b"1\x0b3:1", r"2: a control character"),
        "delete": (b"1 3:1\x7f", r"6: a control character"),
        "backspace": (b"1 \x083:1", r"3: a control character"),
        "utf-16": ("1 3:1".encode("utf-16-le"), r"2: a control character"),
        "bom-inside": (b"\xef\xbb\xbf1 3:1", r"1: label"),
        "binary": (bytes(range(1, 9)) + b"\xff\xfe", r"1: a control character"),
        "semicolon": (b"1;3:1", r"1: label '1;3:1'"),
        "slashes": (b"// comment", r"1: label '//'"),
        "json": (b'{"y": 1}', r"1: label"),
        "xml": (b"<row/>", r"1: label '<row/>'"),
    }
    for group in (labels, values, indices, characters):
        for name, (line, said) in group.items():
            yield name, line, said


def vw() -> Iterator[tuple[str, bytes, str]]:
    lines = {
        "no-bar": (b"1 a b", r"3: a; expected label"),
        "label-alone": (b"1", r"2: no '\|'"),
        "label-word": (b"yes no | a", r"1: label yes"),
        "label-nan": (b"nan | a", r"1: label nan"),
        "label-cost": (b"1:0.5 2:1 | a", r"1: label '1:0\.5'"),
        "importance-negative": (b"1 -2 | a", r"3: importance '-2'; expected a finite number that is 0 or more"),
        "importance-overflow": (b"1 1e400 | a", r"3: importance 1e400; expected a finite number"),
        "importance-word": (b"1 x | a", r"3: x; expected"),
        "base": (b"1 1 5 | a", r"5: 5; expected"),
        "many-words": (b"1 1 0 0 | a", r"7: 0; expected"),
        "value-missing": (b"1 | a:", r"7: value ''"),
        "value-word": (b"1 | a:b", r"7: value b"),
        "value-nan": (b"1 | a:nan", r"7: value nan"),
        "value-overflow": (b"1 | a:1e999", r"7: value 1e999"),
        "value-comma": (b"1 | a:1,5", r"7: value '1,5'"),
        "value-hex": (b"1 | a:0x1", r"7: value 0x1"),
        "value-twice": (b"1 | a:1:2", r"7: value '1:2'"),
        "name-missing": (b"1 | :3", r"5: a feature without a name"),
        "scale-word": (b"1 |n:x a", r"4: namespace 'n:x'"),
        "scale-missing": (b"1 |n: a", r"4: namespace 'n:'"),
        "product-overflow": (b"1 |n:1e200 a:1e200", r"12: value .* beyond the range"),
        "nul": (b"1 | a\x00b", r"6: a control character"),
        "latin": (b"1 | caf\xe9", r"5: feature .* is not UTF-8"),
        "surrogate": (b"1 | a\xed\xa0\x80", r"5: feature .* is not UTF-8"),
        "overlong": (b"1 | \xc0\xaf", r"5: feature .* is not UTF-8"),
        "unlabelled": (b"| a b", r"1: no label"),
        "tag-only": (b"'x | a b", r"1: no label"),
    }
    for name, (line, said) in lines.items():
        yield name, line, said


def tables() -> Iterator[Bad]:
    """CSV, TSV: rows 3 and on of a table that is fine else."""
    head = TABLE + b"35,1,no\n44,2,yes\n58,3,yes\n47,1,no\n33,2,no\n51,1,yes\n62,2,yes\n28,1,no\n" * 4

    def row(name: str, line: bytes, said: str, *options: str) -> Bad:
        return Bad(f"{name}.csv", head + line + b"\n" + b"70,1,yes\n", said, options)

    yield row("few-fields", b"70,1", r":38(:\d+)?: 2 .*3")
    yield row("many-fields", b"70,1,yes,9", r":38(:\d+)?: 4 .*3")
    yield row("open-quote", b'70,"1,yes', r":38:\d+: .*quote")
    yield row("quote-inside", b'7"0,1,yes', r":38:2: a quote within a field")
    yield row("behind-quote", b'"70"x,1,yes', r":38:\d+: ")
    yield row("nul-character", b"70,\x001,yes", r":38:\d+: .*(NUL|control)")
    yield row("latin", b"70,1,caf\xe9", r":38:\d+: .*UTF-8")
    yield row("missing", b",1,yes", r":38:1: .*missing")
    yield row("missing-na", b"NA,1,yes", r":38:1: .*missing")
    yield row("missing-question", b"?,1,yes", r":38:1: .*missing")
    yield row("missing-nan", b"nan,1,yes", r":38:1: .*missing")
    yield row("missing-label", b"70,1,", r":38:6: .*(missing|label)")
    yield row("missing-label-zero", b"70,1,", r":38:6: .*(missing|label)", "--missing", "zero")
    yield row("number-comma", b'"70,5",1,yes', r":38:1: .*'70,5' is not a number")
    yield row("number-underscore", b"7_0,1,yes", r":38:1: .*'7_0' is not a number")
    yield row("number-hex", b"0x10,1,yes", r":38:1: .*'0x10' is not a number")
    yield row("number-arabic", "٧٠,1,yes".encode(), r":38:1: .*'٧٠' is not a number")
    yield row("number-inf", b"inf,1,yes", r":38:1: .*'inf' is not a number")
    yield row("number-infinity", b"-Infinity,1,yes", r":38:1: .*'-Infinity' is not a number")
    yield row("number-overflow", b"1e400,1,yes", r":38:1: .*1e400")
    yield row("number-word", b"seventy,1,yes", r":38:1: .*seventy")
    yield row("number-typo", b"l70,1,yes", r":38:1: .*l70")
    yield row("number-unit", b"70kg,1,yes", r":38:1: .*70kg")
    yield row("number-two-points", b"7.0.0,1,yes", r":38:1: .*7\.0\.0")
    yield Bad("header-only.csv", b"age,dose,class\n", r".*: no rows")
    yield Bad("empty.csv", b"", r": ")
    yield Bad("blank.csv", b"\n\n\n", r": ")
    yield Bad("only-bom.csv", b"\xef\xbb\xbf", r": ")
    yield Bad("twice.csv", b"a,a,class\n1,2,x\n3,4,y\n", r":1:\d+: .*'?a'?")
    yield Bad("no-name.csv", b"a,,class\n1,2,x\n3,4,y\n", r":1:\d+: ")
    yield Bad("no-label.csv", b"a,b,c\n1,2,x\n3,4,y\n", r".*: .*--label")
    yield Bad("two-labels.csv", b"label,class,a\n1,2,3\n2,3,4\n", r".*: .*label")
    yield Bad("label-unknown.csv", TABLE, r".*: .*'nope'", ("--label", "nope"))
    yield Bad("label-far.csv", TABLE, r".*: .*9", ("--label", "9"))
    yield Bad("one-class.csv", b"a,class\n1,x\n2,x\n", r": one class only")
    yield Bad("three-classes.csv", b"a,class\n1,x\n2,y\n3,z\n", r": 3 classes")
    yield Bad("dates.csv", b"a,when,class\n1,2024-01-01,x\n2,2024-01-02,y\n", r".*'when'.*dates?")
    yield Bad("timestamps.csv", b"when,class\n2024-01-01 10:00:00,x\n2024-01-02 11:00:00,y\n", r".*'when'.*dates?")
    yield Bad("utf-16.csv", "a,class\n1,x\n2,y\n".encode("utf-16"), r": ")
    yield Bad("only-label.csv", b"class\nx\ny\n", r".*: .*feature")
    yield Bad("text-option.csv", TABLE, r".*'nope'", ("--text", "nope"))
    yield Bad("lone-cr.csv", b"a,class\r1,x\r2,y\r", r":1:\d+: |: ")
    yield Bad(
        "free-text.tsv",
        b"text\tclass\n" + b"".join(b"see you at %d\t%s\n" % (i, b"ab"[i % 2 : i % 2 + 1]) for i in range(300)),
        r".*'text'",
    )
    yield from headers()
    yield Bad("ragged.tsv", b"a\tclass\n1\tx\n2\ty\t3\n", r":3(:\d+)?: ")
    yield Bad("huge-integer.csv", b"a,class\n9007199254740993,x\n1,y\n", r":2:1: .*9007199254740993")


ARMS = b"arm,age,n,m,class\nA,30,1,2,no\nB,41,2,0,yes\nA,52,3,1,no\nC,60,0,4,yes\n"


def coded() -> Iterator[Bad]:
    """Tables that are fine, but for how their text is to be coded and their rows counted."""
    pair = ("--counts", "n,m", "--leave-out", "class")
    two = (b"arm,n,m\n", b"A,1,2\nB,2,1\n")
    for name, options, said in (
        ("reference-level", ("--reference", "arm=X"), r": column 'arm': no value 'X' .*'A', 'B', 'C'"),
        ("reference-column", ("--reference", "leg=A"), r": no feature column 'leg' .*'arm'"),
        ("reference-label", ("--reference", "class=no"), r": no feature column 'class' .*'arm'"),
        (
            "reference-left-out",
            ("--reference", "arm=A", "--leave-out", "arm"),
            r": no feature column 'arm' .*no column",
        ),
        ("reference-numbers", ("--reference", "age=30"), r": column 'age': numbers .*--text age"),
        ("reference-second", ("--reference", "arm=A", "--reference", "n=1"), r": column 'n': numbers"),
        ("counts-unknown", ("--counts", "often"), r": no column 'often' that counts rows; .*'arm', 'age', 'n', 'm'"),
        ("counts-text", ("--counts", "arm"), r":2:1: column 'arm': count 'A'; expected a whole number"),
        ("counts-label", ("--counts", "class"), r": column 'class' is the label; expected counts in another"),
        ("counts-left-out", ("--counts", "n", "--leave-out", "n"), r": no column 'n' that counts rows"),
        ("counts-pair-label", ("--counts", "n,m", "--label", "class"), r": two columns of counts are the labels"),
        ("counts-pair-unknown", ("--counts", "n,often", "--leave-out", "class"), r": no column 'often'"),
        ("counts-pair-text", ("--counts", "arm,n"), r":2:1: column 'arm': count 'A'"),
    ):
        yield Bad(f"{name}.csv", ARMS, said, options)
    yield Bad("counts-negative.csv", ARMS + b"B,1,-1,2,no\n", r":6:5: column 'n': count -1", ("--counts", "n"))
    yield Bad("counts-broken.csv", ARMS + b"B,1,1.5,2,no\n", r":6:5: column 'n': count 1.5", ("--counts", "n"))
    yield Bad("counts-huge.csv", ARMS + b"B,1,1e13,2,no\n", r":6:5: column 'n': count 1e\+13", ("--counts", "n"))
    yield Bad("counts-missing.csv", ARMS + b"B,1,,2,no\n", r":6:5: .*missing", ("--counts", "n"))
    zero = ("--counts", "n", "--missing", "zero")
    yield Bad("counts-missing-zero.csv", ARMS + b"B,1,,2,no\n", r":6:5: .*missing count", zero)
    yield Bad("counts-pair-negative.csv", ARMS + b"B,1,1,-2,no\n", r":6:7: column 'm': count -2", pair)
    yield Bad("counts-none.csv", b"arm,n,class\nA,0,no\nB,0,yes\n", r": every count is 0", ("--counts", "n"))
    yield Bad("counts-one-class.csv", b"a,n,class\n1,0,no\n2,3,yes\n", r": one class only", ("--counts", "n"))
    yield Bad("counts-alone.csv", b"n,class\n1,no\n2,yes\n", r": no features", ("--counts", "n"))
    yield Bad("counts-pair-alone.csv", b"n,m\n1,2\n2,1\n", r": no features", ("--counts", "n,m"))
    yield Bad("reference-one-value.csv", two[0] + b"A,1,2\nA,2,1\n", r": no features; .*one value", ("--counts", "n,m"))
    yield Bad("reference.svm", GOOD, r": svmlight has no coding", ("--reference", "a=b"))
    yield Bad("counts.svm", GOOD, r": svmlight has no counts", ("--counts", "n"))


def headers() -> Iterator[Bad]:
    """Line 1 that may be names or a row, and columns that are not there, or not clear."""
    asked = r":1: names or a row\? .*--header .*--no-header"
    last = ("--label", "-1")
    years = b"2019,2020,2021\n5,6.5,0\n3,2,1\n"
    yield Bad("years.csv", years, asked, last)
    yield Bad("years-blank.csv", b"\n\n" + years, asked.replace("1", "3", 1), last)
    yield Bad("countries.csv", b"country,2019,2020\nFR,5,1\nDE,3,0\n", asked, last)
    yield Bad("counting.csv", b"0,1,2,3\n4,5,6,7\n", asked, last)
    yield Bad("two-texts.csv", b"name,city\nanna,rome\nbert,oslo\n", asked, last)
    yield Bad("words.csv", b"alpha\nbeta\ngamma\n", asked, ("--label", "0"))
    yield Bad("junk-in-front.csv", b"5.1,-,1\n4.9,3.0,0\n4.8,2.0,1\n", asked, last)
    yield Bad("number-name.csv", b"age,7,class\n30,1,x\n40,9,y\n", asked)
    yield Bad("header-twice.csv", b"a,b\n1,2\na,b\n3,4\n", asked, last)
    yield Bad("asked-names-twice.csv", b"5,5,1\n4,3,0\n2,2,1\n", r":1:3: .*both named '5'", ("--header", *last))
    yield Bad("asked-no-names.csv", b"5,,1\n4,3,0\n2,2,1\n", r":1:3: column 1 has no name", ("--header", *last))
    yield Bad("asked-no-rows.csv", b"5.1,3.5,1\n", r": no rows; .*--no-header", ("--header", *last))
    yield Bad("asked-row.csv", TABLE, r":1:5: .*'dose', where other rows hold numbers", ("--no-header", *last))
    yield Bad("asked.svm", GOOD, r": svmlight has no header", ("--header",))
    yield Bad("asked-not.arff", b"@relation r\n", r": ARFF has no header", ("--no-header",))
    which = r": column 2 is named '1', and column 1 '0'; say which: --label name:1 or --label position:1"
    yield Bad("which.csv", b"a,0,1\nu,0,2\nu,1,4\n", which, ("--header", "--label", "1"))
    yield Bad("name-far.csv", TABLE, r": no column 'name:nope'", ("--label", "name:nope"))
    yield Bad("position-far.csv", TABLE, r": no column -4, .* 0 to 2, or -1", ("--label", "position:-4"))
    yield Bad("no-label-at-all.csv", b"a,b,c\n1,2,x\n3,4,y\n", r": no column is named label.*--label -1 for the last")
    yield Bad("table.xlsx", b"PK\x03\x04" + b"\0" * 40, r": a spreadsheet; save it as CSV")
    yield Bad("table.sav", b"$FL2", r": a file of SPSS, Stata or SAS; save it as CSV")
    yield Bad("table.pkl", b"\x80\x04", r": a pickle.*save it as CSV")
    yield Bad("table.jsonl", b'{"a": 1}\n', r": JSON; save it as CSV")
    yield Bad("zip", b"PK\x03\x04" + b"\0" * 22 + b"\5\0\0\0t.csv", r": a zip that begins with 't\.csv'")


def arff() -> Iterator[Bad]:
    head = b"@relation r\n@attribute age numeric\n@attribute kind {a,b}\n@attribute class {x,y}\n@data\n1,a,x\n"

    def row(name: str, line: bytes, said: str) -> Bad:
        return Bad(f"{name}.arff", head + line + b"\n2,b,y\n", said)

    yield row("arff-few", b"1,a", r":7(:\d+)?: ")
    yield row("arff-many", b"1,a,x,4", r":7(:\d+)?: ")
    yield row("arff-nominal", b"1,c,x", r":7(:\d+)?: .*'?c'?")
    yield row("arff-number", b"one,a,x", r":7(:\d+)?: .*one")
    yield row("arff-nan", b"nan,a,x", r":7(:\d+)?: .*nan")
    yield row("arff-overflow", b"1e400,a,x", r":7(:\d+)?: .*1e400")
    yield row("arff-missing", b"?,a,x", r":7(:\d+)?: .*missing")
    yield row("arff-weight", b"1,a,x,{2}", r":7(:\d+)?: ")
    yield Bad("arff-no-data.arff", b"@relation r\n@attribute a numeric\n", r".*: .*@data")
    yield Bad("arff-no-rows.arff", head.rpartition(b"1,a,x")[0], r".*: no rows")
    yield Bad("arff-date.arff", b"@relation r\n@attribute d date\n@attribute class {x,y}\n@data\n", r".*: .*date")
    yield Bad(
        "arff-string.arff",
        b"@relation r\n@attribute s string\n@attribute class {x,y}\n@data\na,x\nb,y\n",
        r": column 's': holds text",
    )
    yield Bad("arff-type.arff", b"@relation r\n@attribute s numbers\n@data\n1\n", r":2(:\d+)?: .*numbers")
    yield Bad(
        "arff-twice.arff",
        b"@relation r\n@attribute s numeric\n@attribute s numeric\n@data\n1,2\n",
        r": columns 0 and 1 are both named 's'",
    )
    yield Bad("arff-open.arff", b"@relation r\n@attribute s {a,b\n@data\na\n", r":2(:\d+)?: ")
    yield Bad("arff-word.arff", b"@relation r\n@attribut s numeric\n@data\n1\n", r":2(:\d+)?: .*@attribut")


def npy(array: object, **options: object) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=True)
    return file.getvalue()


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def arrays() -> Iterator[Bad]:
    X, y = np.arange(12.0).reshape(4, 3), np.array([0, 1, 0, 1])
    whole = npy(np.c_[X, y])
    yield Bad("cut.npy", whole[:-8], r": .*(cut|bytes|ends|short)")
    yield Bad("longer.npy", whole + b"x", r": ")
    yield Bad("header-cut.npy", whole[:20], r": ")
    yield Bad("magic-only.npy", b"\x93NUMPY", r": ")
    yield Bad("claims.npy", whole.replace(b"(4, 4)", b"(4000000000, 400000)"[:6].ljust(6)), r": ")
    yield Bad("pickled.npy", npy(np.array([[{}, 1]], dtype=object)), r": .*object")
    yield Bad("text.npy", npy(np.array([["a", "b"]])), r": .*(U1|text|number)")
    yield Bad("complex.npy", npy(np.ones((2, 2)) * 1j), r": .*complex")
    yield Bad("one-dimension.npy", npy(np.ones(3)), r": shape .*; expected a table")
    yield Bad("three-dimensions.npy", npy(np.ones((2, 2, 2))), r": shape .*; expected a table")
    yield Bad("no-rows.npy", npy(np.ones((0, 3))), r": shape")
    yield Bad("nan.npy", npy([[1, np.nan, 0], [2, 3, 1]]), r": row 0, column 1: ")
    yield Bad("inf.npy", npy([[1, 2, 0], [np.inf, 3, 1]]), r": row 1, column 0: ")
    yield Bad("nan-label.npy", npy([[1, 2, 0], [2, 3, np.nan]]), r": row 1.*")
    yield Bad("junk.npy", b"junk", r": ")
    yield Bad("no-y.npz", zipped(X=npy(X)), r": .*(y|label)")
    yield Bad("no-X.npz", zipped(a=npy(X), b=npy(y)), r": .*a.*b")
    yield Bad("lengths.npz", zipped(X=npy(X), y=npy(y[:3])), r": .*4.*3|.*3.*4")
    yield Bad("pickled-y.npz", zipped(X=npy(X), y=npy(np.array([{}, 1, 2, 3], dtype=object))), r": .*object")
    yield Bad("cut.npz", zipped(X=npy(X), y=npy(y))[:-30], r": ")
    yield Bad("empty.npz", zipped(), r": ")
    yield Bad("not-npy.npz", zipped(X=b"junk", y=npy(y)), r": ")
    sparse = {
        "format": npy(np.array(b"csr")), "shape": npy([4, 3]), "data": npy(np.ones(4)), "y": npy(y),
        "indices": npy(np.array([0, 1, 2, 0], np.int32)), "indptr": npy(np.array([0, 1, 2, 3, 4], np.int32)),
    }  # fmt: skip
    yield Bad(
        "column-far.npz",
        zipped(**{**sparse, "indices": npy(np.array([0, 1, 7, 0], np.int32))}),
        r": sparse matrix: a column is not within 0 to 2",
    )
    yield Bad(
        "column-negative.npz",
        zipped(**{**sparse, "indices": npy(np.array([0, -1, 2, 0], np.int32))}),
        r": sparse matrix: a column is not within 0 to 2",
    )
    yield Bad("starts-fall.npz", zipped(**{**sparse, "indptr": npy(np.array([0, 3, 2, 3, 4], np.int32))}), r": ")
    yield Bad("starts-far.npz", zipped(**{**sparse, "indptr": npy(np.array([0, 1, 2, 3, 99], np.int32))}), r": ")
    yield Bad("rows-claimed.npz", zipped(**{**sparse, "shape": npy([2**40, 3])}), r": ")
    yield Bad("columns-claimed.npz", zipped(**{**sparse, "shape": npy([4, 2**50])}), r": ")
    yield Bad("format-bsr.npz", zipped(**{**sparse, "format": npy(np.array(b"bsr"))}), r": .*bsr")
    yield Bad("format-junk.npz", zipped(**{**sparse, "format": npy(np.array(b"xyz"))}), r": .*xyz")


def packed() -> Iterator[Bad]:
    for name, pack in {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": Z}.items():
        whole = pack(GOOD * 500)
        yield Bad(f"cut.svm.{name}", whole[: len(whole) // 2], r": .*(cut off|damaged)")
        yield Bad(f"cut-last.svm.{name}", whole[:-1], r": .*(cut off|damaged)")
        yield Bad(f"junk-behind.svm.{name}", whole + b"junk", r": .*(cut off|damaged)")
        yield Bad(f"nothing.svm.{name}", pack(b""), r": no rows")
        yield Bad(f"line.svm.{name}", pack(GOOD + b"x\n"), r":4:1: label x")
        yield Bad(f"table.csv.{name}", pack(TABLE + b"1\n"), r":6(:\d+)?: ")
    flipped = bytearray(gzip.compress(GOOD * 500))
    flipped[-6] ^= 1
    yield Bad("checksum.svm.gz", bytes(flipped), r": damaged gzip")
    yield Bad("header.svm.gz", b"\x1f\x8b\x08" + b"\xff" * 30, r": ")
    yield Bad(
        "deflate.svm.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\0" + zlib.compress(GOOD)[2:-4] + struct.pack("<II", 0, 0), r": "
    )


def binary() -> Iterator[Bad]:
    yield Bad("junk.parquet", b"PAR1junkPAR1", r": ")
    yield Bad("cut.parquet", b"PAR1", r": ")
    yield Bad("text.parquet", b"a,b\n1,2\n", r": ")
    yield Bad("junk.arrow", b"ARROW1\0\0junk", r": ")
    yield Bad("empty.arrow", b"", r": ")
    yield Bad("claims.arrow", b"\xff\xff\xff\xff\xff\xff\xff\x7f" + b"\0" * 64, r": ")
    yield Bad("empty.parquet", b"", r": ")
    yield Bad("empty.svm", b"", r": no rows")
    yield Bad("comments.svm", b"# nothing\n#\n", r": no rows")
    yield Bad("labels.svm", b"1\n-1\n", r": no features")
    yield Bad("zero-in-one-based.svm", b"1 1:1\n-1 0:1\n", r":2:4: index 0", ("--base", "1"))
    yield Bad("one-class.svm", b"1 1:1\n1 1:2\n", r": one class only")
    yield Bad("three-classes.svm", b"1 1:1\n2 1:2\n3 1:3\n", r": 3 classes")
    yield Bad("unknown", b"hello world\n", r": no format is known")
    yield Bad("unknown-empty", b"", r": empty")
    yield Bad("label.svm", GOOD, r": svmlight has no label", ("--label", "y"))
    yield Bad("positive.svm", GOOD, r": no row has the label 7", ("--positive", "7"))


def words_and_weights() -> Iterator[Bad]:
    """What may be wrong with columns of words and of weights, and with names."""
    sms = b"text,n,class\nfree call now,1,spam\nsee you,2,ham\ncall me,0,ham\n"
    heavy = b"w,dose,class\n1,1.5,no\n%b,2.5,yes\n2,0.5,no\n"
    words, weight = ("--words", "text"), ("--weight", "w")
    yield Bad("words-absent.csv", sms, r": no column 'body'; columns are", ("--words", "body"))
    yield Bad("words-beyond.csv", sms, r": no column 3, where the words are said to be", ("--words", "3"))
    yield Bad("words-label.csv", sms, r": column 'class' is the label", ("--words", "class"))
    yield Bad("words-text.csv", sms, r": column 'text' becomes words", (*words, "--text", "text"))
    yield Bad("words-left-out.csv", sms, r": column 'text' becomes words", (*words, "--leave-out", "text"))
    yield Bad("words-missing.csv", sms + b",1,ham\n", r":5:1: column 'text': missing value", words)
    yield Bad("words-none.csv", b"text,class\n!,a\n?!,b\n", r": no features", words)
    yield Bad("words-names.csv", b"text,text:a,class\na b,1,x\nb,2,y\n", r": two features are named 'text:a'", words)
    yield Bad("words.svm", GOOD, r": svmlight has no words", words)
    counted = ("--words", "text", "--counts", "text")
    yield Bad("words-counts.csv", sms, r": column 'text' becomes words; expected no --counts", counted)
    said = r": column 'text': words have no reference level"
    yield Bad("words-reference.csv", sms, said, (*words, "--reference", "text=free"))
    yield Bad("all-labels-missing.csv", b"a,b,y\n1,2,\n2,2,?\n", r": column 'y': all 2 rows", ("--missing", "drop"))
    arff = b"@relation r\n@attribute text %b\n@attribute class {a,b}\n@data\n1,a\n2,b\n"
    yield Bad("words-numbers.arff", arff % b"numeric", r": column 'text': holds numbers, not sentences", words)
    yield Bad("words-asked.arff", arff % b"string", r": column 'text': holds text; expected .*--words text")
    bad = {
        "negative": (b"-1", r"weight -1"),
        "text": (b"heavy", r"weight 'heavy'"),
        "missing": (b"", r"missing weight"),
        "inf": (b"inf", r"weight 'inf'"),
        "nan": (b"nan", r"missing weight"),
        "huge": (b"1e400", r"'1e400' is beyond"),
        "comma": (b'"1,5"', r"weight '1,5'"),
    }
    for name, (cell, said) in bad.items():
        yield Bad(f"weight-{name}.csv", heavy % cell, rf":3:1: column 'w': {said}", weight)
    yield Bad("weight-zero.csv", b"w,a,y\n0,1,0\n0,2,1\n", r": column 'w': all weights are 0", weight)
    yield Bad("weight-absent.csv", TABLE, r": no column 'w'", weight)
    yield Bad("weight-label.csv", TABLE, r": column 'class' is the label", ("--weight", "class"))
    yield Bad("weight-alone.csv", b"w,y\n1,0\n2,1\n", r": no features", weight)
    yield Bad("weight.svm", GOOD, r": svmlight has no weight", weight)
    yield Bad("importance-none.vw", b"1 0 | a\n-1 0 | b\n", r": all rows have importance 0")


def bad_files() -> list[Bad]:
    """All of them."""
    found = [Bad(f"{name}.svm", GOOD + line + b"\n" + GOOD, rf":4:{said}") for name, line, said in svmlight()]
    found += [Bad(f"{name}.vw", b"1 | fine\n" + line + b"\n-1 | good\n", rf":2:{said}") for name, line, said in vw()]
    return [*found, *words_and_weights(), *tables(), *coded(), *arff(), *arrays(), *packed(), *binary()]

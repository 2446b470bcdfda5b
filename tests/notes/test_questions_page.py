"""docs/questions.md: the questions of the notes and their answers, made from the tests of this folder.

The name of a test asks, its docstring answers. `python tests/notes/test_questions_page.py` writes the page again, after
a change that is meant.
"""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "questions.md"
NOTES = {
    "S000": ("Linear Classification with a Perceptron", "s000-linear-classification-with-a-perceptron.md"),
    "S001": ("The Perceptron", "s001-the-perceptron.md"),
    "S002": ("Linear Classification", "s002-linear-classification.md"),
    "S003": ("Linear Perceptrons", "s003-linear-perceptrons.md"),
    "S004": ("The convergence theorem and the geometric margin", "s004-convergence-and-margin.md"),
}
# What a name cannot spell.
SPELT = {
    "minus eta times": "−η times", "eta": "η", "beta": "β", "gamma": "γ", "vc": "VC", "one over k": "1/k",
    "two three or four": "two, three or four",
}  # fmt: skip

INTRODUCTION = """\
# Questions

Five lecture notes on the perceptron ask questions: in their exercises, in their margins, and in what they leave open or
say in passing. Here they are, note by note, each with its answer and, where the answer is "usually", an example and a
counterexample. Every answer is a test: the link behind it leads to the lines that check it, most of them in exact
fractions. (Labels are + and −; a *mistake* is a margin m = y·(w·x + b) ≤ 0; "the line 1, 2, 3, 4" has + + − −.)

This page is made from those tests by `python tests/notes/test_questions_page.py`.

"""
END = """\
## Where to go on

[The notes themselves](notes/README.md), a page each; [the margins](margins.md) side by side; [the laws](theory.md)
behind the answers.
"""


class Question(NamedTuple):
    """What is asked, what is answered, and the line of the test."""

    text: str
    answer: str
    line: int


def asked(name: str) -> str:
    """A test's name as a question.

    >>> asked("test_which_beta_may_one_ask_for")
    'Which β may one ask for?'
    """
    words = name.removeprefix("test_").replace("_", " ")
    for plain, spelt in SPELT.items():
        words = re.sub(rf"\b{plain}\b", spelt, words)
    return words[0].upper() + words[1:] + "?"


def file_of(note: str) -> Path:
    return ROOT / "tests" / "notes" / f"test_questions_{note.lower()}.py"


def questions(note: str) -> list[Question]:
    tree = ast.parse(file_of(note).read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [Question(asked(t.name), " ".join((ast.get_docstring(t) or "").split()), t.lineno) for t in tests]


def anchor(title: str) -> str:
    """What GitHub calls a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def written(note: str, one: Question) -> str:
    """An answer in Markdown: the other notes are links, and a star is a star."""
    text = one.answer.replace("*", r"\*")
    for other, (_, page) in NOTES.items():
        if other != note:
            text = text.replace(other, f"[{other}](notes/{page})")
    source = file_of(note).relative_to(ROOT).as_posix()
    return f"### {one.text}\n\n{text} ([checked](../{source}#L{one.line}))\n\n"


def page() -> str:
    contents, body = "", ""
    for note, (title, file) in NOTES.items():
        heading = f"{note}: {title}"
        contents += f"- [{heading}](#{anchor(heading)})\n"
        contents += "".join(f"  - [{one.text}](#{anchor(one.text)})\n" for one in questions(note))
        body += f"## {heading}\n\nThe note has [a page of its own](notes/{file}).\n\n"
        body += "".join(written(note, one) for one in questions(note))
    return INTRODUCTION + contents + "\n" + body + END


def test_the_page_is_made_from_the_tests() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python tests/notes/test_questions_page.py writes it anew"


@pytest.mark.parametrize("note", NOTES)
def test_every_answer_reads_by_itself(note: str) -> None:
    """It starts with the answer, not with the name of the note that asks, and ends like a sentence."""
    found = questions(note)
    assert len(found) >= 10
    for one in found:
        assert 40 < len(one.answer) < 500, one
        assert re.match(r"[A-Zη‖⟨]", one.answer), one
        assert one.answer.endswith((".", ".)")), one
        assert not one.answer.startswith(f"{note}:"), one


def test_no_question_is_asked_twice() -> None:
    every = [anchor(one.text) for note in NOTES for one in questions(note)]
    assert len(set(every)) == len(every) >= 90


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

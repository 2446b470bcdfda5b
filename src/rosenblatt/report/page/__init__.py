"""The report of a study as a page: one HTML document by itself, with its figures, to read, to print and to keep.

It needs no network and runs no script. All numbers come from the dictionary of the study (report.json), all words that
are also said elsewhere from the same functions.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..html import escaped
from . import best, ending, evidence, learning, top
from .elements import Report, Section, capital
from .figures import colours, figure
from .style import style

_PARTS: tuple[tuple[str, str, Callable[[Report], Section | None]], ...] = (
    ("choice", "The best linear model", best.choice),
    ("classes", "Each class against the rest", top.classes),
    ("data", "The data", evidence.data),
    ("verdict", "The verdict and its proof", evidence.verdict),
    ("margin", "The largest margin", evidence.margin),
    ("mistakes", "The fewest mistakes", evidence.mistakes),
    ("training", "The run", learning.training),
    ("theorem", "The theorem, live", learning.theorem),
    ("margins", "The margins, before and after", learning.margins),
    ("weights", "The weights", learning.weights),
    ("clinic", "Logistic regression", ending.clinic),
    ("how", "How to repeat it", ending.how),
)


def page(report: Mapping[str, Any], figures: Mapping[str, str]) -> str:
    """The whole document, from the dictionary of a study and its figures: of each name, its SVG as text."""
    pictures: dict[str, list[str]] = {}
    for entry in report["figures"]:
        if entry["name"] in figures:
            pictures.setdefault(entry["section"], []).append(figure(entry, figures[entry["name"]]))
    sections = list(_sections(report, pictures))
    known = {section.key for section in sections}
    left = "".join(picture for key, some in pictures.items() if key not in known for picture in some)
    if left:
        sections.insert(-1, Section("figures", "Other figures", left))
    body = "".join(_section(section, "".join(pictures.get(section.key, []))) for section in sections)
    title = escaped(report["title"]).strip() or "Data"
    return "".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="color-scheme" content="light dark">\n',
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';"
            ' img-src data:">\n',
            f"<title>{title}: a study in linear separation</title>\n",
            f"<style>{style(*colours([*(p for some in pictures.values() for p in some)]))}</style>\n</head>\n<body>\n",
            '<a class="skip" href="#main">Skip to the report</a>\n',
            f'<header><p class="kind">A study in linear separation</p><h1>{title}</h1></header>\n',
            f'<main id="main">{top.short(report)}{_contents(sections)}{body}</main>\n',
            f"<footer>Made by rosenblatt {escaped(report['rosenblatt'])}. All numbers are in report.json.</footer>\n",
            "</body>\n</html>\n",
        ]
    )


def _sections(report: Report, pictures: Mapping[str, list[str]]) -> Iterator[Section]:
    """The parts that have something to say; of one that is missing, the reason, if there is one."""
    notes: dict[str, list[str]] = {}
    for note in report["notes"]:
        notes.setdefault(note["part"], []).append(note["text"])
    keys = [key for key, _, _ in _PARTS]
    for key, title, part in _PARTS:
        found, why = part(report), _notes(notes.get(key, []))
        if key == "how":
            why += "".join(_notes(some, part) for part, some in notes.items() if part not in keys)
        if found is not None:
            yield found._replace(rest=found.rest + why)
        elif why or key in pictures:
            yield Section(key, title, why)


def _notes(texts: list[str], part: str = "") -> str:
    named = f"{part}: " if part else ""
    return "".join(f'<p class="note">{escaped(capital(named + text))}</p>' for text in texts)


def _section(section: Section, pictures: str) -> str:
    head = f'<h2 id="{section.key}--head">{escaped(section.title)}</h2>'
    body = f"{head}{section.lead}{pictures}{section.rest}"
    return f'\n<section id="{section.key}" aria-labelledby="{section.key}--head">{body}</section>'


def _contents(sections: list[Section]) -> str:
    entries = "".join(f'<li><a href="#{one.key}">{escaped(one.title)}</a></li>' for one in sections)
    return f'<nav aria-labelledby="contents--head"><h2 id="contents--head">Contents</h2><ol>{entries}</ol></nav>'

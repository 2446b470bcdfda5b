"""The page of a study: whole, its numbers those of the dictionary, users' text as text; in a real browser."""

import copy
import io
import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import datasets
from rosenblatt.data.examples import Examples
from rosenblatt.data.rows import rows_of
from rosenblatt.errors import InputError
from rosenblatt.report.clinic import clinic_text
from rosenblatt.report.margin import margin_text
from rosenblatt.report.mistakes import mistakes_text
from rosenblatt.report.page import page
from rosenblatt.report.page.figures import colours, inlined
from rosenblatt.report.plain import spread
from rosenblatt.report.text import number
from rosenblatt.report.verdict import verdict_text
from rosenblatt.studies.study import study

TIME_BUDGET = 60  # a browser opens some twenty pages
HOSTILE = "<script>alert('1')</script>\x07 \u202e<img src=x onerror=alert(1)>"
VOID = {"meta", "img", "br", "hr", "link"}
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-quic",
]  # fmt: skip


class Document(HTMLParser):
    """The elements of a page, each with its attributes and all text in it; every element is closed in its place."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[dict[str, Any]] = []
        self.elements: list[dict[str, Any]] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = {"tag": tag, "attributes": dict(attrs), "text": "", "within": [one["tag"] for one in self.open]}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()["tag"] == tag

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data

    def all(self, *tags: str) -> list[dict[str, Any]]:
        return [element for element in self.elements if element["tag"] in tags]

    def texts(self, *tags: str) -> list[str]:
        return [element["text"] for element in self.all(*tags)]


@cache
def svg_of(words: str = "class $a$") -> str:
    """A figure with clips, marks, a raster, a legend, and the colours that change with the page."""
    pytest.importorskip("matplotlib")
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "same"}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        ax = figure.subplots()
        ax.plot([0, 1, 2], [3, 1, 0], color="#0072B2", marker="x", label=words.replace("$", r"\$"))
        ax.scatter([0, 1], [1, 2], facecolor="white", edgecolor="#D55E00")
        ax.fill_between([0, 1], [0, 1], color="#999999", hatch="//")
        ax.imshow(np.arange(4.0).reshape(2, 2), extent=(0, 1, 0, 1))
        ax.set_xlabel("epoch", color="#333333")
        ax.legend()
        written = io.StringIO()
        figure.savefig(written, format="svg")
    return written.getvalue()


def with_figures(report: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    entries, pictures = [], {}
    for at, section in enumerate(("data", "training", "theorem", "elsewhere")):
        name = f"figure-{at}"
        entries.append({
            "name": name, "section": section, "title": f"Figure of {section}", "caption": "What is seen.",
            "alt": "Points and a line.", "png": "", "svg": "",
        })  # fmt: skip
        pictures[name] = svg_of()
    return {**report, "figures": entries}, pictures


def report_of(X: Any, y: Any = None, **choices: Any) -> dict[str, Any]:
    made = study(X, y, time_limit=2.0, **choices)
    report = made.to_dict()
    if made.verdict.separable is not None:
        check = made.verdict.check()
        report["proof"] = {
            "file": "proof.json", "kind": made.verdict.proof.kind, "holds": check.holds, "reason": check.reason,
            "verify": ["rosenblatt", "verify", "proof.json", "my data.csv"],
        }  # fmt: skip
    report["how"] |= {"command": ["rosenblatt", "study", "my data.csv"], "model": "study.model"}
    report["next"] = [{"why": "Look again", "command": ["rosenblatt", "check", "my data.csv"]}]
    made_plain: dict[str, Any] = json.loads(json.dumps(report, allow_nan=False))
    return made_plain


def three_classes() -> dict[str, Any]:
    X = np.array([[0, 0], [1, 0], [0, 1], [4, 4], [5, 4], [4, 5], [2, 2], [2.5, 2], [9, 9]], dtype=float)
    return report_of(X, ["a", "a", "a", "b", "b", "b", "c", "c", "c"], name="three")


@cache
def hostile_report(columns: int = 3) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, columns))
    signs = np.array([1, -1] * 6, dtype=np.int8)
    names = tuple(f"{HOSTILE} {j}" for j in range(columns))
    examples = Examples(rows_of(X), signs, np.array(["", HOSTILE], dtype=object), names)
    return report_of(examples, name=HOSTILE)


@pytest.fixture(scope="module")
def reports() -> dict[str, dict[str, Any]]:
    return {
        "separable": report_of(*datasets.get("four-on-a-line"), name="four-on-a-line"),
        "overlapping": report_of(*datasets.get("xor"), name="xor", order="cyclic", offset=0),
        "three": three_classes(),
        "chosen": report_of(*datasets.noisy(80, 3, noise=0.1, seed=1), name="chosen"),
        "hostile": hostile_report(),
    }


KINDS = ("separable", "overlapping", "three", "chosen", "hostile")


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_and_in_order(kind: str, reports: dict[str, Any]) -> None:
    html = page(*with_figures(reports[kind]))
    found = Document(html)
    assert html.startswith("<!DOCTYPE html>")
    assert found.all("html")[0]["attributes"]["lang"] == "en"
    assert len(found.all("title")) - len(found.all("svg")) == 1
    assert len(found.all("h1")) == 1
    assert len(found.all("main")) == 1
    ids = [one["attributes"]["id"] for one in found.elements if "id" in one["attributes"]]
    assert len(ids) == len(set(ids))
    links = [one["attributes"]["href"] for one in found.all("a")]
    assert {link[1:] for link in links} <= set(ids)
    assert {one["attributes"]["id"] for one in found.all("section")} <= {link[1:] for link in links}
    assert not found.all("script", "iframe", "object", "embed", "link", "img", "foreignobject")
    assert not [name for one in found.elements for name in one["attributes"] if name.startswith("on")]
    assert len(found.all("caption")) == len(found.all("table")) > 3
    assert all("scope" in one["attributes"] for one in found.all("th"))
    assert len(found.all("figure")) == len(found.all("svg")) == 4
    assert "Other figures" in found.texts("h2")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_fetched_from_elsewhere(kind: str, reports: dict[str, Any]) -> None:
    html = page(*with_figures(reports[kind]))
    assert re.findall(r'(?:src|href)="(?!#|data:image/png;base64,)[^"]*', html) == []
    assert re.findall(r"url\((?!#)", html) == []
    assert "@import" not in html
    assert "<?xml" not in html
    assert "<metadata" not in html
    assert set(re.findall(r"https?://[^\"' <]+", html)) <= {"http://www.w3.org/2000/svg"}


def test_the_numbers_are_those_of_the_dictionary(reports: dict[str, Any]) -> None:
    report = reports["separable"]
    found = Document(page(report, {}))
    cells, said = found.texts("td"), " ".join(found.texts("p", "dd"))
    assert number(report["margin"]["margin"]) == "0.5"  # between 2 and 3
    assert number(report["augmented"]["difficulty2"]) == "493"
    assert {"0.5", "493", number(report["augmented"]["difficulty"])} <= set(cells)
    assert report["sentence"] in said
    assert f"at most (R′/γ′)² = {report['augmented']['most_updates']} updates" in said
    for law in report["theorem"]["laws"]:
        assert number(law["value"]) in cells
    for key, value in report["margins"]["after"]["quantiles"].items():
        assert number(value) in cells, key
    assert number(report["weights"]["offset"]) in cells
    assert "rosenblatt verify proof.json 'my data.csv'" in found.texts("code")
    titles = found.texts("h2")
    order = ["The data", "The verdict and its proof", "The largest margin", "The theorem, live", "The weights"]
    assert [title for title in titles if title in order] == order
    assert "The fewest mistakes, and rows to doubt" not in titles


def test_rows_that_conflict_are_shown_as_rows(reports: dict[str, Any]) -> None:
    report = reports["overlapping"]
    found = Document(page(report, {}))
    tables = [one for one in found.texts("table") if one.startswith("Rows that no hyperplane gets right")]
    assert len(tables) == 1
    assert tables[0].count("1/4") == 4
    titles = found.texts("h2")
    assert "The largest margin" not in titles
    assert "The fewest mistakes, and rows to doubt" in titles
    assert "Fewest mistakes of any hyperplane: 1, exactly." in " ".join(found.texts("p"))
    assert "It is a cycle of 1 epoch" in " ".join(found.texts("p"))
    readouts = next(one for one in found.texts("table") if one.startswith("What each readout gets wrong"))
    assert all(f"{one['readout']}{one['wrong']}" in readouts for one in report["training"]["readouts"])
    for note in report["notes"]:
        assert any(note["text"][1:] in text for text in found.texts("p"))


def test_the_page_says_what_the_terminal_says(reports: dict[str, Any]) -> None:
    for kind in KINDS:
        report = reports[kind]
        said = " ".join(" ".join(Document(page(report, {})).texts("p")).split())
        for words in (verdict_text, clinic_text, mistakes_text, margin_text):
            part = words.__name__.removesuffix("_text")
            if report[part] is None:
                continue
            shown = {**report, "verdict": report["verdict"] if part == "verdict" else None, "next": [], "proof": None}
            assert words(shown)[0] in said, (kind, part)


def test_without_a_clinic_the_verdict_speaks_of_the_estimate(reports: dict[str, Any]) -> None:
    found = Document(page(reports["separable"] | {"clinic": None, "notes": []}, {}))
    assert "Maximum likelihood has no finite estimate." in found.texts("p")
    table = next(one for one in found.texts("table") if one.startswith("Coefficients that diverge"))
    assert "x0-inf" in table  # of the positive class, whose rows are 1 and 2
    assert "(Intercept)+inf" in table


def test_more_classes_come_first_each_against_the_rest(reports: dict[str, Any]) -> None:
    report = reports["three"]
    found = Document(page(report, {}))
    assert found.texts("h2")[1:3] == ["The best linear model", "Each class against the rest"]
    first = found.texts("table")[0]
    for one in report["classes"]:
        assert one["kind"] in first
    many = copy.deepcopy(report)
    many["classes"] = [{**report["classes"][0], "class": f"class {k}"} for k in range(45)]
    outputs = [{**report["weights"], "class": f"class {k}"} for k in range(45)]
    html = page({**many, "weights": {"outputs": outputs}}, {})
    assert "and 5 more" in html
    assert "and 25 more classes." in html
    assert len(html) < 200_000


def test_the_best_linear_model_is_told_of_first(reports: dict[str, Any]) -> None:
    report = reports["chosen"]
    found = Document(page(report, {}))
    choice, best = report["choice"], report["best"]
    assert found.texts("h2")[1] == "The best linear model"
    (table,) = (one for one in found.texts("table") if one.startswith("Candidates"))
    chosen = next(one for one in choice["candidates"] if one["chosen"])
    assert table.startswith(f"Candidates, judged by rows held outcandidateaccuracyepochsended{chosen['name']}")
    for one in choice["candidates"]:
        assert f"{one['name']}{one['accuracy']:.2%}{one['epochs']}" in table
    assert table.count("chosen") == 1
    facts = dict(zip(found.texts("dt"), found.texts("dd"), strict=True))
    assert facts["best linear model"] == f"{chosen['accuracy']:.2%} of the rows held out right"
    assert facts["a guess at the most common class"] == f"{choice['most_common']:.2%}"
    known = report["evaluation"]
    assert facts["baseline"].startswith(f"{choice['most_common']:.2%}, the most common class")
    assert facts["accuracy"].startswith(f"{chosen['accuracy']:.2%}, {known['right']} of 80; ")
    assert facts["ROC AUC"] == f"{known['auc']:.4f}"
    each, confusion = found.texts("table")[:2]
    for one in known["classes"]:
        assert f"{one['label']}{one['precision']:.2%}{one['recall']:.2%}{one['f1']:.2%}{one['rows']}" in each
    counts = {(one["label"], one["predicted"]): one["rows"] for one in known["confusion"]}
    labels = [one["label"] for one in known["classes"]]
    for a in labels:
        assert "".join(map(str, [a, *(counts.get((a, b), 0) for b in labels)])) in confusion
    said = " ".join(found.texts("p"))
    assert "Each row was held out once, in one of 5 folds" in said
    assert f"Learnt again on all rows it gets {best['wrong']} rows wrong ({best['wrong'] / 80:.2%})." in said
    few = " ".join(Document(page(reports["three"], {})).texts("p"))
    assert "9 rows are too few to choose by" in few


def test_what_a_user_named_is_text(reports: dict[str, Any]) -> None:
    report, pictures = with_figures(reports["hostile"])
    pictures["figure-0"] = svg_of(words="<script>alert(1)</script> & $x$")
    html = page(report, pictures)
    assert "<script" not in html
    assert "<img" not in html
    assert "\u202e" not in html
    assert "\x07" not in html
    found = Document(html)
    assert found.texts("h1")[0].startswith("<script>alert('1')</script>\\x07")
    assert any("''" in text for text in found.texts("td", "th"))  # an empty label
    assert any(text.startswith("<script>") for text in found.texts("text"))


@pytest.mark.slow
def test_ten_thousand_columns_make_no_large_page() -> None:
    report = hostile_report(10_000)
    html = page(report, {})
    assert len(html.encode()) < 5_000_000
    Document(html)
    assert "and 9980 more" in html


def test_a_part_that_is_missing_says_why_or_is_left_out(reports: dict[str, Any]) -> None:
    report = reports["separable"] | {
        "margin": None, "augmented": None, "theorem": None, "margins": None, "weights": None, "clinic": None,
        "training": None, "proof": None, "classes": None, "mistakes": None, "choice": None, "best": None,
        "notes": [{"part": "clinic", "text": "too many columns"}, {"part": "figures", "text": "no matplotlib"}],
    }  # fmt: skip
    report["how"] = {"command": None, "versions": {}, "seed": None, "seconds": {}, "model": None}
    report["data"] = report["data"] | {"names": None, "radius": None, "classes": None, "name": None}
    found = Document(page(report, {}))
    assert found.texts("h2") == [
        "Contents", "The data", "The verdict and its proof", "Logistic regression", "How to repeat it",
    ]  # fmt: skip
    assert "Too many columns." in found.texts("p")
    assert "Figures: no matplotlib." in found.texts("p")


@pytest.mark.parametrize(
    "change", [{"separable": None, "kind": "undecided"}, {"kind": "quasi-separable", "separable": False}]
)
def test_other_verdicts_have_pages_too(change: dict[str, Any], reports: dict[str, Any]) -> None:
    report = copy.deepcopy(reports["separable"])
    report["verdict"] |= {**change, "boundary": 2}
    report["margin"] = report["augmented"] = None
    text = " ".join(Document(page(report, {})).texts("p"))
    assert ("The search ended early" in text) == (change["kind"] == "undecided")
    assert ("the other 2 lie on the boundary" in text) == (change["kind"] != "undecided")


def nulls(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a number stands that may be unknown."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from nulls(entry, (*path, key))
    elif isinstance(value, list):
        for key, entry in enumerate(value[:1]):
            yield from nulls(entry, (*path, key))
    elif isinstance(value, float):
        yield path


@pytest.mark.parametrize("kind", ["separable", "overlapping", "chosen"])
def test_numbers_that_are_null_are_shown_as_unknown(kind: str, reports: dict[str, Any]) -> None:
    report = copy.deepcopy(reports[kind])
    always = {"share", "seconds", "cost"}
    for path in nulls(report):
        if not always & set(path) and "edges" not in path:
            place = report
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = None
    for entry in (report["weights"] or {"largest": []})["largest"]:
        entry["weight"] = entry["weight"] or 0.0
    html = page(report, {})
    Document(html)
    assert "None" not in html


# --- Figures. ---


def test_an_svg_becomes_part_of_the_page() -> None:
    svg = svg_of(words="a < b & $c$")
    one, two = inlined(svg, "one", "Title", "Alt < text"), inlined(svg, "two", "Title", "Alt")
    found = Document(one + two)
    ids = [element["attributes"]["id"] for element in found.elements if "id" in element["attributes"]]
    assert len(ids) == len(set(ids))
    used = re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", one)
    assert used
    assert {a or b for a, b in used} <= set(ids)
    assert "a < b & $c$" in found.texts("text")
    assert found.texts("desc") == ["Alt < text", "Alt"]
    assert "#333333" not in one
    assert "var(--c333333)" in one
    assert "var(--c0072b2)" in one
    assert "data:image/png;base64," in one


def test_what_is_no_part_of_a_drawing_is_left_out() -> None:
    svg = """<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="alert(1)">
    <script>alert(1)</script><style>*{color:red}</style><metadata><a/></metadata><foreignObject><p/></foreignObject>
    <a href="javascript:alert(1)"><text>link</text></a><g onclick="alert(1)" fill="#000000">
    <image href="https://example.org/x.png"/><use href="#x"/><rect style="fill: url(https://example.org)" width="3"/>
    <text x="1">a<tspan>b</tspan>c</text></g></svg>"""
    kept = inlined(svg, "f", "t", "d")
    assert "alert" not in kept
    assert "example.org" not in kept
    assert "<style" not in kept
    assert '<use href="#f--x">' in kept
    assert '<rect width="3">' in kept
    assert '<g fill="var(--c000000)">' in kept
    assert '<text x="1">a<tspan>b</tspan>c</text>' in kept


def test_greys_are_turned_round_where_the_page_is_dark() -> None:
    light, dark = colours(['fill="var(--c000000)"', "stroke:var(--cffffff)", "stroke:var(--c0072b2)"])
    assert light == "--c000000:#000000;--c0072b2:#0072b2;--cffffff:#ffffff;"
    assert dark == "--c000000:#e6e6e6;--c0072b2:#4fa8e0;--cffffff:#181818;"


@pytest.mark.parametrize("svg", ["no svg", "<svg/>", "<svg viewBox='0 0 x'/>"])
def test_what_is_no_svg_is_refused(svg: str) -> None:
    with pytest.raises(InputError, match="expected SVG"):
        inlined(svg, "f", "t", "d")


def test_of_many_entries_the_first_and_the_last_are_shown() -> None:
    for n in range(1, 60):
        shown = spread(n, 12)
        assert shown[0] == 0
        assert shown[-1] == n - 1
        assert len(shown) == min(n, 12)


# --- In a browser. ---


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        yield opened
        opened.close()


class Visit:
    """A page in a browser, with all it said and asked for."""

    def __init__(self, browser: Any, file: Path, **choices: Any) -> None:
        self.context = browser.new_context(**choices)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        assert self.said == []
        assert [url for url in self.asked if not url.startswith("data:image/png")] == [file.as_uri()]

    def violations(self) -> list[str]:
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [f"{one['id']}: {[node['html'][:200] for node in one['nodes'][:3]]}" for one in found]

    def overflow(self) -> int:
        return int(self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def written(folder: Path, report: dict[str, Any]) -> Path:
    file = folder / "report.html"
    file.write_text(page(*with_figures(report)), encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_browser_and_axe_have_no_complaint(
    kind: str, scheme: str, browser: Any, reports: dict[str, Any], tmp_path: Path
) -> None:
    file = written(tmp_path, reports[kind])
    visit = Visit(browser, file, viewport={"width": 1200, "height": 900}, color_scheme=scheme)
    assert visit.violations() == []
    assert visit.overflow() <= 0
    for figure in visit.page.query_selector_all("figure svg"):
        assert figure.bounding_box()["width"] > 400
    ground, ink = (
        visit.page.evaluate(f"getComputedStyle(document.body).{one}") for one in ("backgroundColor", "color")
    )
    lighter = sum(map(int, re.findall(r"\d+", ground)[:3])) > sum(map(int, re.findall(r"\d+", ink)[:3]))
    assert lighter == (scheme == "light")
    label = "getComputedStyle(document.querySelector('figure svg text')).fill"
    assert (sum(map(int, re.findall(r"\d+", visit.page.evaluate(label))[:3])) < 384) == (scheme == "light")
    visit.page.screenshot(path=tmp_path / f"{kind}-{scheme}.png", full_page=True)
    visit.context.close()


@pytest.mark.slow
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("kind", KINDS)
def test_on_a_telephone_only_boxes_scroll(kind: str, browser: Any, reports: dict[str, Any], tmp_path: Path) -> None:
    visit = Visit(browser, written(tmp_path, reports[kind]), viewport={"width": 360, "height": 740})
    assert visit.overflow() <= 0
    wide = "[...document.querySelectorAll('.box')].some(box => box.scrollWidth > box.clientWidth)"
    assert visit.page.evaluate(wide)
    assert visit.violations() == []
    visit.page.screenshot(path=tmp_path / f"{kind}-narrow.png", full_page=True)
    visit.context.close()


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_printed_it_is_light_and_complete(browser: Any, reports: dict[str, Any], tmp_path: Path) -> None:
    visit = Visit(browser, written(tmp_path, reports["separable"]), color_scheme="dark")
    pdf = visit.page.pdf(format="A4")
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 3
    visit.page.emulate_media(media="print")
    visit.page.set_viewport_size({"width": 673, "height": 900})  # 178 mm, an A4 page without its margins
    assert visit.overflow() <= 0
    wide = "[...document.querySelectorAll('table, svg, pre')].some(one => one.getBoundingClientRect().right > 673)"
    assert not visit.page.evaluate(wide)
    assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    visit.context.close()


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_the_keyboard_reaches_the_report_first(browser: Any, reports: dict[str, Any], tmp_path: Path) -> None:
    visit = Visit(browser, written(tmp_path, reports["three"]))
    visit.page.keyboard.press("Tab")
    assert visit.page.evaluate("document.activeElement.textContent") == "Skip to the report"
    assert visit.page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    visit.context.close()


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_a_hostile_page_of_ten_thousand_columns_opens(browser: Any, tmp_path: Path) -> None:
    visit = Visit(browser, written(tmp_path, hostile_report(10_000)), viewport={"width": 360, "height": 740})
    assert visit.overflow() <= 0
    visit.context.close()

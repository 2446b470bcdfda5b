"""The end of the page: the logistic clinic, what to do next, and how to repeat it all."""

from .. import clinic as clinic_words
from ..html import Listing
from ..html_tables import coefficients_table
from ..text import number
from .elements import Report, Section, capital, command, facts, paragraphs, table
from .evidence import diverging

_COEFFICIENTS = 40


def clinic(report: Report) -> Section | None:
    """What a logistic regression of these rows would come to."""
    known = report["clinic"]
    if known is None:
        from_verdict = diverging(report)
        return Section("clinic", "Logistic regression", from_verdict) if from_verdict else None
    said = [clinic_words.headline(known), capital(f"fit: {known['fit']['status']}")]
    if known["log_likelihood"] is not None:
        limit = "" if known["kind"] == "overlapping" else ", in the limit"
        said.append(f"Log-likelihood{limit}: {number(known['log_likelihood'])}.")
    rows = [] if known["kind"] == "undecided" else clinic_words.rows_sentences(known, report["data"])
    lead = paragraphs(" ".join(said), " ".join(rows))
    return Section("clinic", "Logistic regression", lead, table(coefficients_table(known, _COEFFICIENTS)))


def how(report: Report) -> Section:
    """How it was run, to repeat it."""
    known = report["how"]
    lead = ""
    if known["command"]:
        lead += paragraphs("The command:") + command(known["command"])
    best = report["best"]
    pairs = [("seed", known["seed"]), ("best model", best and best["file"]), ("the run's model", known.get("model"))]
    if report["proof"]:
        pairs.append(("proof", report["proof"]["file"]))
    lead += facts([(name, value) for name, value in pairs if value is not None])
    seconds = [[part, f"{took:.3g}"] for part, took in known["seconds"].items()]
    versions = [[name, value] for name, value in known["versions"].items()]
    tables = [Listing("Seconds that each part took", ["part", "seconds"], seconds)]
    tables.append(Listing("Versions", ["what", "version"], versions))
    rest = f'<div class="pair">{"".join(map(table, tables))}</div>'
    if report["next"]:
        rest += "<h3>Next</h3>"
        for step in report["next"]:
            rest += paragraphs(capital(step["why"])) + command(step["command"])
    return Section("how", "How to repeat it", lead, rest)

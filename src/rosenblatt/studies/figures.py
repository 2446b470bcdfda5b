"""The figures of a study: which ones its data give rise to, what each shows in words, and how it is drawn."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..data.hyperplane import Hyperplane
from ..errors import plural
from ..report.text import number
from ..runs.audit import Audit
from .result import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_VOTING = 20_000  # weight vectors that vote at each point of a figure
_MOST_SUMMED = 20_000  # rows whose losses are summed at each point of a figure


@dataclass(frozen=True)
class StudyFigure:
    """One figure: where it belongs in the report, what it says, and how it is drawn."""

    name: str
    section: str
    title: str
    caption: str
    alt: str
    """What a reader who does not see it should know."""
    draw: Callable[[], Any]
    """Draws it, and gives the display."""

    def to_dict(self) -> dict[str, Any]:
        """In plain values, with the files it is written to."""
        return {
            "name": self.name,
            "section": self.section,
            "title": self.title,
            "caption": self.caption,
            "alt": self.alt,
            "png": f"figures/{self.name}.png",
            "svg": f"figures/{self.name}.svg",
        }


def figures_of(study: Study) -> Iterator[StudyFigure]:
    """The figures, in the order of the report."""
    yield _separation(study)
    yield _mistakes(study)
    if isinstance(study.theorem, Audit):
        yield _theorem(study.theorem)
    if study.distribution is not None:
        yield _margins(study)
    if not study.run.rule.additive:
        return  # no sum of rows, so no path to draw
    if study.examples.n_columns == 2 and 0 < study.run.updates <= _MOST_VOTING:
        yield _readouts(study)
    two_weights = study.examples.n_columns + (study.run.state.rho2 > 0) == 2
    if two_weights and study.run.updates and study.examples.n_rows <= _MOST_SUMMED:
        yield _loss(study)


def _separation(study: Study) -> StudyFigure:
    from ..plots import SeparationDisplay

    seen = "" if study.examples.n_columns <= 2 else " The plane is spanned by the normal and one direction across it."
    if study.margin is not None and study.margin.separable:
        best = study.margin
        far, held = number(best.margin, 4), plural(best.support_rows.size, "row")
        return StudyFigure(
            "separation",
            "margin",
            "The hyperplane with the largest margin",
            f"The band is {far} wide on either side, and {held} hold it, ringed.{seen}",
            f"The rows of both classes on either side of the hyperplane, the nearest {far} away.",
            lambda: SeparationDisplay.from_margin(best, ax=_axes()),
        )
    rows = 0 if study.verdict.witness_rows is None else study.verdict.witness_rows.size
    return StudyFigure(
        "separation",
        "verdict",
        "The rows that no hyperplane separates" if rows else "The rows",
        f"The hulls of the {plural(int(rows), 'row')} that conflict share a point.{seen}" if rows else seen.strip(),
        f"The rows of both classes; {plural(int(rows), 'row')} of them cannot be separated." if rows else "The rows.",
        lambda: SeparationDisplay.from_verdict(study.verdict, hyperplane=study.mistakes, ax=_axes()),
    )


def _mistakes(study: Study) -> StudyFigure:
    from ..plots import MistakesDisplay

    run, epochs = study.run, plural(study.run.epochs, "epoch")
    last = int(run.history.mistakes[-1]) if len(run.history) else 0
    return StudyFigure(
        "mistakes",
        "training",
        "Mistakes in each epoch",
        f"{run.status.name.capitalize()} after {epochs}: {plural(last, 'mistake')} in the last.",
        f"Mistakes in each of {epochs}; {last} in the last.",
        lambda: MistakesDisplay.from_run(run, ax=_axes(height=3.6)),
    )


def _theorem(audit: Audit) -> StudyFigure:
    from ..plots import TheoremDisplay

    return StudyFigure(
        "theorem",
        "theorem",
        "The convergence theorem along the run",
        "Each curve stays on its side of the law's bound, at every update.",
        "Four panels: updates under their bound, progress above its floor, length under its ceiling, cosine above its"
        " floor.",
        lambda: TheoremDisplay.from_audit(audit, ax=_figure(8.0, 6.0).subplots(2, 2)),
    )


def _margins(study: Study) -> StudyFigure:
    from ..plots import MarginDistributionDisplay

    before, after = study.first, study.hyperplane
    planes = {"after the first epoch": before} if before is not None else {}
    planes["at the end"] = Hyperplane(after.w, after.b)
    return StudyFigure(
        "margins",
        "margins",
        "How far the rows are from the hyperplane",
        "Distances to the hyperplane, negative on the wrong side.",
        f"The distribution of the distances of all rows; at the end {_wrong(study)} are on the wrong side.",
        lambda: MarginDistributionDisplay.from_hyperplanes(
            planes, study.question.rows, study.question.labels, ax=_axes(height=3.6)
        ),
    )


def _wrong(study: Study) -> str:
    known = study.distribution
    return plural(0 if known is None else known["after"]["wrong"], "row")


def _readouts(study: Study) -> StudyFigure:
    from ..plots import ReadoutsDisplay

    return StudyFigure(
        "readouts",
        "training",
        "What each readout of the run predicts",
        "The last weights, their average, the pocket and the vote, whose regions need not be bounded by a line.",
        "Four panels with the same rows, and the regions that each readout predicts.",
        lambda: ReadoutsDisplay.from_run(study.run, ax=_figure(8.0, 7.2).subplots(2, 2)),
    )


def _loss(study: Study) -> StudyFigure:
    from ..plots import LossDisplay

    return StudyFigure(
        "loss",
        "training",
        "The perceptron criterion over the weights, and the way of the run",
        "The run goes down where a mistake lets it; the loss is 0 at every separator.",
        f"Contours of the loss over the two weights, with the path of {plural(study.run.updates, 'update')}.",
        lambda: LossDisplay.from_run(study.run, loss="perceptron", ax=_axes()),
    )


def _figure(width: float, height: float) -> "Figure":
    from ..plots.canvas import new_figure

    return new_figure(width, height)


def _axes(width: float = 6.4, height: float = 4.8) -> Any:
    return _figure(width, height).subplots()


def drawn(figure: StudyFigure) -> tuple[bytes, bytes]:
    """The figure as PNG and as SVG; the same bytes each time."""
    from ..plots.files import figure_bytes

    shown = figure.draw().figure_
    png = figure_bytes(shown, "png")
    shown.set_layout_engine("none")  # what has found its place stays there: looking for it again is half the time
    return png, figure_bytes(shown, "svg")

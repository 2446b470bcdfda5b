"""The data that a proof is checked on: rows in memory, or what opens them block after block."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from .proofs import positive_among, positive_of
from .settings import Settings
from .sides import Sides, sides, two_sided

if TYPE_CHECKING:
    from ..proof.proof import Proof


class ProofData(NamedTuple):
    """As they were read, and as the checker takes them."""

    sheet: Any
    sides: Sides
    asked: str | None
    """The class that is positive, if somebody says so."""
    rows: tuple[Any, ...]
    """Arguments of the checker: rows and labels, or a function that opens both."""
    shape: tuple[int, int]
    sparse: bool
    streamed: bool

    @classmethod
    def of(cls, data: str, settings: Settings, proof: "Proof", slow_reader: bool) -> "ProofData":
        """Read them as the settings say."""
        if slow_reader:
            return cls._slow(_slow(data, settings), settings, proof)
        sheet = settings.sheet(data, replayed=True)
        if settings.stream and hasattr(sheet, "source"):
            asked = settings.positive or positive_among(proof, sheet.class_counts())
            source, found = two_sided(sheet, asked)
            return cls(sheet, found, asked, (source,), (source.n_rows, source.n_columns), source.is_sparse, True)
        from ..data.rows import matrix_of

        return cls._in_memory(sheet, matrix_of(sheet.rows), settings, proof)

    @classmethod
    def _slow(cls, sheet: Any, settings: Settings, proof: "Proof") -> "ProofData":
        if not hasattr(sheet, "blocks"):
            return cls._in_memory(sheet, sheet.matrix(), settings, proof)
        asked = settings.positive or positive_of(proof, sheet.labels)
        found = sides(sheet.labels, asked, sheet.name)
        found = replace(found, classes=dict(zip(found.classes, sheet.counts.values(), strict=True)))
        return cls(sheet, found, asked, (partial(sheet.blocks, found.positive),), (sheet.n, sheet.d), True, True)

    @classmethod
    def _in_memory(cls, sheet: Any, matrix: Any, settings: Settings, proof: "Proof") -> "ProofData":
        asked = settings.positive or positive_of(proof, sheet.labels)
        found = sides(sheet.labels, asked, sheet.name)
        return cls(sheet, found, asked, (matrix, found.signs), matrix.shape, hasattr(matrix, "indptr"), False)

    def report(self, settings: Settings) -> dict[str, Any]:
        """What the data are; of the slow reader's sheet, which does not say so itself, too."""
        from ..report.data import data_report

        sheet = self.sheet
        return data_report(
            int(self.shape[0]),
            int(self.shape[1]),
            self.sparse,
            self.sides.classes,
            self.sides.positive,
            name=sheet.name,
            format=sheet.format,
            reading=getattr(sheet, "reading", settings.reading).to_dict(),
            notes=getattr(sheet, "notes", ()),
        )


def _slow(data: str, settings: Settings) -> Any:
    """What the slow reader makes of a file: svmlight text in blocks, if it can be opened again, else a sheet."""
    from ..files.formats import format_of
    from ..files.opening import InputFile
    from ..files.options import Options
    from ..files.slow.blocks import SlowBlocks
    from ..files.slow.text import slow_sheet

    with settings.reading_bar() as progress, InputFile(data, progress) as opened:
        reading = replace(settings.reading, format=settings.reading.format or format_of(opened))
        options = Options(reading, replayed=True)
        if reading.format != "svmlight" or opened.size is None or opened.path is None:
            return slow_sheet(opened, options)
    with settings.reading_bar() as progress:
        return replace(SlowBlocks.of(lambda: InputFile(data, progress), options), opened=lambda: InputFile(data))

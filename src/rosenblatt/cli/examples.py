"""`rosenblatt examples`."""

from typing import Any

from .framework import Answer, Settings, command


@command
def examples(settings: Settings) -> Answer:
    """The data that come with the program: example:NAME.

    Wherever a command takes DATA, example:NAME is one of these; train then learns as the example is meant, unless
    options say otherwise. (A file that is called so is read as ./example:NAME.)
    """
    from ..datasets.catalogue import CATALOGUE
    from ..report.examples import examples_text

    listed: list[dict[str, Any]] = []
    for name, entry in CATALOGUE.items():
        sample = entry.make()
        listed.append(
            {
                "name": name,
                "data": f"example:{name}",
                "rows": int(sample.X.shape[0]),
                "columns": int(sample.X.shape[1]),
                "classes": len(set(sample.y.tolist())),
                "note": entry.note,
                "shows": entry.shows,
            }
        )
    return Answer({"examples": listed}, examples_text, headline=False)

"""`example:NAME`: the examples that come with the program, wherever a command reads DATA.

The name is looked at before any file is: a file that is called so is read as ./example:NAME.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ..errors import InputError, shown

if TYPE_CHECKING:
    from ..data.examples import Examples
    from ..datasets.sample import Sample
    from ..files.options import Options
    from ..files.sheet import Sheet

PREFIX = "example:"
_AS_LEARNT = {"order": "cyclic", "readout": "last", "tol": "never"}  # what `learn` does where a plan says nothing


def is_example(data: str) -> bool:
    """Whether DATA names an example, known or not."""
    return data.startswith(PREFIX)


def sample_of(data: str) -> "Sample":
    """The example that DATA names. Raises `InputError` with a guess, or with all the names."""
    from .. import datasets

    name = data.removeprefix(PREFIX).replace("_", "-")
    if name in datasets.names():
        return datasets.get(name)
    near = get_close_matches(name.lower(), datasets.names(), cutoff=0.5)
    if near:
        meant = f"did you mean {' or '.join(PREFIX + one for one in near)}? rosenblatt examples lists all"
    else:
        meant = f"expected one of {', '.join(datasets.names())}"
    raise InputError(f"{data}: no example is called {shown(name)}; {meant}")


def example_sheet(data: str, options: "Options") -> "Sheet":
    """What a file of the example would hold: its numbers, its labels, and the names of its columns."""
    from ..data.rows import rows_of
    from ..files.sheet import Sheet

    options.refuse(data, "an example", None)
    sample = sample_of(data)
    return Sheet(data, "example", rows_of(sample.X), sample.labels, sample.feature_names)


def examples_in(sheet: "Sheet") -> "Examples":
    """Rows and labels to learn from; those of an example may all be of one class."""
    return sample_of(sheet.name).examples() if sheet.format == "example" else sheet.examples()


def plan_of_example(data: str) -> dict[str, Any]:
    """What to give `learn` to see what an example shows; nothing of those that are only data."""
    from ..datasets.catalogue import CATALOGUE

    sample = sample_of(data)
    return {"order": "cyclic", **sample.plan} if CATALOGUE[sample.name].worked else {}


def planned(data: str, asked: dict[str, Any], given: set[str]) -> tuple[dict[str, Any], Any, str | None]:
    """How `train` is to learn an example: the options that are not `given` as its plan has them.

    With them the weights to start from, if the plan has some, and a line that says what was taken from it.
    """
    from ..datasets.catalogue import CATALOGUE

    sample = sample_of(data)
    if not CATALOGUE[sample.name].worked:
        return asked, None, None
    words = {"max_epochs": "epochs"}
    plan = {**_AS_LEARNT, **{words.get(name, name): value for name, value in sample.plan.items()}}
    taken = {name: value for name, value in plan.items() if name not in given}
    note, start = as_meant(taken), taken.pop("start", None)
    if start is not None:
        taken["start"] = "example"
    return {**asked, **taken}, start, note


def as_meant(taken: Mapping[str, Any]) -> str | None:
    """What was taken from the plan of an example, in the words of the command line."""
    from ..report.text import number

    start = taken.get("start")
    said = [f"--{name.replace('_', '-')} {value}" for name, value in taken.items() if name != "start"]
    if start is not None:
        said.append(f"from w = ({', '.join(map(number, start.w.tolist()))}), b = {number(start.b)}")
    return f"as the example is meant: {', '.join(said)}" if said else None

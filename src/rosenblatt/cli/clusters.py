"""`--dask`: the cluster that a command works on, and what files hold there."""

from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from .named import is_example
from .progress import working_line
from .shared_options import typed

if TYPE_CHECKING:
    from ..cluster.dask_engine import DaskEngine
    from ..files.options import Options
    from ..models.model import Model
    from ..runs.run import Run
    from .settings import Settings

USUAL = {"scale": "standard", "rule": "perceptron"}
"""What a run on a cluster does where nobody says otherwise."""


def engine_at(address: str) -> "DaskEngine":
    """The cluster, which is left when the command ends."""
    import logging

    from ..cluster.learning import dask_engine

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said here, in one line
    try:
        engine = dask_engine().at(address)
    except ModuleNotFoundError as error:
        raise InputError(f"--dask: {error}") from None
    click.get_current_context().call_on_close(engine.close)
    return engine


def sharded_sheet(settings: "Settings", source: str, options: "Options", dealt: bool) -> Any:
    """What files hold, whose rows are in shards."""
    from ..cluster.files import check_files, of_files
    from ..files.parts.door import input_of
    from ..files.streamed_sheet import StreamedSheet

    if source == "-":
        raise InputError("standard input can be read once alone, and workers read DATA by themselves; expected a file")
    check_files(source)
    input_of(source, options)  # what is not there, or of no format, is said before anybody waits for a cluster
    with working_line(settings.shows_progress) as tell:
        tell(
            "starting workers on this machine" if settings.dask == "local" else f"asking {settings.dask} for a cluster"
        )
        engine = engine_at(str(settings.dask))
        tell(f"opening {source} on the cluster")
        found = of_files(engine, source, options, shards=settings.shards, memory=settings.memory, dealt=dealt)
    settings.detail(f"{len(found.shards)} shards on {settings.dask}")
    return StreamedSheet.of(found)


def on_cluster(
    settings: "Settings", data: str, asked: dict[str, Any], mixing: str, earlier: "Model | None"
) -> tuple[dict[str, Any], str]:
    """What `train` is asked, and how shards are mixed. Raises `InputError` for what a cluster cannot do."""
    given = typed(click.get_current_context().params)
    conditions: Any = {} if earlier is None or earlier.state is None else earlier.state.conditions
    if settings.dask is None:
        if "mixing" in given:
            raise InputError("--mixing says how shards are mixed, and there are none; expected --dask with it")
        if "mixing" in conditions:
            raise InputError("--resume: the run was on a cluster; go on with it there, --dask tcp://… or --dask local")
        return asked, mixing
    if is_example(data):
        raise InputError(f"{data}: examples are small, and in this program; expected a file, or no --dask")
    if "rule" in given and asked["rule"] == "auto":
        raise InputError("--rule auto holds rows out to choose by, and is not offered with --dask: name a rule")
    if asked["readout"] in ("voted", "pocket"):
        raise InputError(
            f"--readout {asked['readout']} is of one run over rows in one order, and is not offered with --dask: use"
            " --readout averaged"
        )
    if earlier is not None:
        return asked, mixing if "mixing" in given else conditions.get("mixing", mixing)
    usual = {name: value for name, value in USUAL.items() if name not in given}
    if asked["batch_size"] == "all" and "order" not in given:
        usual["order"] = "cyclic"  # which gives the bits of one machine
    if "rule" in usual:
        settings.detail("on a cluster: an averaged perceptron on standardised columns, unless options say otherwise")
    return {**asked, **usual}, mixing


def learnt_on_cluster(source: Any, mixing: str, choices: dict[str, Any], start: Any, watch: Any) -> "Run":
    """A run over shards."""
    from ..cluster.learning import learn_sharded

    choices = {**choices, "threads": choices["threads"] or 1, "log": choices["log"] or False}
    choices.pop("log_limit")
    return learn_sharded(source, mixing=mixing, **choices, start=start, callback=watch)

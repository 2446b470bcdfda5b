"""`rosenblatt train`: learn a model from a file, and save it."""

import os
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..choices import MIXINGS, MULTICLASS, ORDERS, READOUTS, SCALES, SCHEDULES
from ..errors import ClusterError, InputError
from ..report.words import in_words_of
from . import class_weights
from .arriving import CHOOSING, RESUMING, STARTING, WEIGHING, Arrivals
from .choosing import AUTO, alone, chosen_run, rule_for
from .class_weights import class_weight_option
from .clusters import learnt_on_cluster, on_cluster
from .framework import Answer, Settings, cluster_options, command, data_argument, reading_options, stream_options
from .hashed_names import write_names
from .input_facts import InputFacts, check_same_input, most_common
from .interrupts import interruptible
from .judging import Judging, advised, by_the_choice, judging_options, teacher
from .named import PREFIX, examples_in, is_example, planned
from .next_steps import next_steps, resumption
from .outputs import OutputOption, check_outputs
from .progress import ProgressTable, doubling
from .resuming import (
    NEWEST,
    checkpoint_files,
    checkpoint_of,
    checkpoint_options,
    checkpoints_report,
    file_to_resume,
    left_out_row_numbers,
    log_option,
    resumed,
)
from .shared_options import number_or, typed
from .starts import start_of, started_from
from .tracing import Tracing, trace_options
from .trained import model_of as model_made_of
from .trained import report_of

if TYPE_CHECKING:
    from ..learning.progress import Progress
    from ..models.model import Model
    from ..runs.choice import Choice
    from ..runs.run import Run
    from ..runs.status import Status

STREAMED_LOG = 64
"""Megabytes that a log may take with --stream, unless --log-limit says otherwise."""
MEANWHILE = ("learning.learn", "learning.choose", "models.build", "report.training")
"""What is imported while the data are read."""


@command
@data_argument
@click.option("-m", "--model", cls=OutputOption, metavar="MODEL", help="To write. Default: DATA's name and .model.")
@click.option("--rule", metavar="NAME", default=AUTO, show_default=True, help="auto, or one of rosenblatt rules.")
@click.option(
    "--readout", type=click.Choice(READOUTS), default="averaged", show_default=True, help="What it predicts by."
)
@click.option("--epochs", metavar="N", type=int, default=1000, show_default=True, help="At most so many.")
@click.option("--order", type=click.Choice(ORDERS), default="shuffled", show_default=True, help="Of rows in an epoch.")
@click.option(
    "--tol", metavar="T|never", callback=number_or("never"), default="1e-3", show_default=True,
    help="End when the loss has not fallen by more for --patience epochs.",
)  # fmt: skip
@click.option("--patience", metavar="N", type=int, default=5, show_default=True, help="Epochs to wait: see --tol.")
@click.option(
    "--offset", metavar="RHO|radius", callback=number_or("radius"), default="1", show_default=True,
    help="The constant appended to every row; 0: through the origin.",
)  # fmt: skip
@click.option("--eta", metavar="STEP", type=float, default=1.0, show_default=True, help="The step.")
@click.option("--schedule", type=click.Choice(SCHEDULES), default="constant", show_default=True, help="Of the step.")
@click.option(
    "--batch-size", metavar="N|all", callback=number_or("all", whole=True), default="1", show_default=True,
    help="Rows for each change of the weights.",
)  # fmt: skip
@click.option(
    "--beta",
    metavar="MARGIN",
    type=float,
    help="The margin to reach, of rules that aim at one: a distance (margin), a functional margin (fixed-margin), the"
    " same in median squared lengths of the rows (relative-margin), or a share of the best, below 1 (dynamic-margin).",
)
@click.option("--C", "C", metavar="C", type=float, help="Aggressiveness, of rules that have one.")
@click.option(
    "--multiclass",
    type=click.Choice(MULTICLASS),
    default="ovr",
    show_default=True,
    help="How more than two are told apart.",
)
@click.option(
    "--scale", type=click.Choice(SCALES), default="none", show_default=True,
    help="Of the columns, to learn; the weights are those of the data as they are.",
)  # fmt: skip
@click.option(
    "--step-tol", metavar="T", type=float, help="End when an epoch moves the weights (with the offset) by less."
)
@click.option(
    "--start", metavar="zero|random|MODEL", default="zero", show_default=True,
    help="Weights to start from: 0; random ones that make a mistake; or those a model of the same columns predicts by.",
)  # fmt: skip
@click.option(
    "--seed", metavar="N", type=int, default=0, show_default=True, help="Of the shuffled order and a random start."
)
@checkpoint_options
@log_option
@click.option("--require-clean", is_flag=True, help="Exit with 3 unless the last epoch made no update.")
@class_weight_option
@click.option(
    "--classes", metavar="LABEL,…", help="All labels there are: for --stream from a pipe whose first rows lack some."
)
@click.option("--hash-names", cls=OutputOption, help="With --hash-bits: write the names there, by column.")
@judging_options
@trace_options
@click.option(
    "--mixing", type=click.Choice(MIXINGS), default="uniform", show_default=True,
    help="With --dask: how what shards have learnt in an epoch is mixed.",
)  # fmt: skip
@stream_options
@cluster_options
@reading_options
def train(
    settings: Settings,
    data: str,
    model: str | None,
    resume: str | None,
    checkpoint_every: float | None,
    log_limit: int,
    require_clean: bool,
    classes: str | None,
    mixing: str,
    hash_names: str | None,
    trace: bool,
    trace_file: str | None,
    trace_rounds: int,
    trace_class: str | None,
    test: str | None,
    holdout: float | None,
    folds: int | None,
    class_weight: tuple[str, ...],
    **asked: Any,
) -> Answer:
    """Learn a linear classifier and save it.

    By default it chooses by itself, as rosenblatt.LinearClassifier() does: a few rules, with scaled columns and
    without, learn side by side and are judged by rows held out; the best is learnt again on all rows. It needs no
    option. One that says how a rule learns, such as --eta, means the perceptron, or the rule that --rule names.

    On a terminal, or with --progress, it shows where it is, and the loss of each row predicted before it is learnt, in
    the manner of Vowpal Wabbit.

    --test, --holdout and --folds say how good it is on rows that it has not seen: with the last two all is learnt once
    more, without the rows held out; the model that is written learns from all rows.

    With --stream the file may be larger than memory: it is read once into a cache on the disk (rosenblatt cache), and
    learnt from there, to the same bits. DATA may then be a pattern ('part-*.svm') or a folder of Parquet files, too.

    With --dask it learns on a cluster: each file is a shard; of one file, blocks of rows are dealt to eight. Shards
    learn side by side, and are mixed after every epoch (McDonald, Hall and Mann 2010): an averaged perceptron on
    standardised columns, unless options say otherwise. --batch-size all gives the bits of one machine.

    With --trace it keeps a log, of 40 bytes an update, and tells the run round by round; in a file all of them, in an
    answer the first and the last.

    Ctrl-C and SIGTERM end it with what was learnt so far in MODEL.checkpoint, from which --resume goes on; while it
    still chooses, with nothing. A run that takes longer than ten minutes, or than ten seconds and an epoch, keeps that
    there as it goes, and the one before in MODEL.checkpoint.1: killed at any moment, the same command with --resume
    auto goes on to the same model, bit for bit. They are removed when the model is written.

    Exit code: 0 the model is written, 2 numbers left the range of float64 (a row too large, or --eta) and nothing is
    written, 3 --require-clean is not met, 130 or 143 interrupted.
    """
    target = _target(data, model)
    tracing, judging = Tracing(trace, trace_file, trace_rounds, trace_class), Judging(test, holdout, folds)
    check_outputs(checkpoint_files(target), [data, *(path for path in (hash_names, trace_file) if path)])
    if hash_names is not None and settings.reading.hash_bits is None:
        raise InputError("--hash-names keeps the names of hashed features: it needs --hash-bits")
    by_class: Any = class_weights.checked(class_weight)
    repeatable, resume = resume == NEWEST, file_to_resume(resume, target, settings)
    earlier, asked = (None, asked) if resume is None else resumed(resume, asked, repeatable)
    asked, mixing = on_cluster(settings, data, asked, mixing, earlier)
    alone_by = None
    if settings.dask is None:
        asked["rule"], alone_by = rule_for(data, asked, typed(click.get_current_context().params), earlier is not None)
    by_class = class_weights.kept_in(earlier) if earlier is not None and not class_weight else by_class
    choosing, choice = asked["rule"] == AUTO, None if earlier is None else earlier.choice
    given = None if asked["start"] in ("zero", "random") or earlier is not None else started_from(asked["start"])
    judging.check(earlier is not None, given is not None, repeatable, settings.streaming_option)
    how: dict[str, Any] = {"meanwhile": MEANWHILE, "keep_names": bool(hash_names)}
    how["replayed"] = earlier is not None and not left_out_row_numbers(earlier)
    table = ProgressTable(settings.shows_progress, 0, settings.progress is True)
    arrivals = None
    if settings.dask is not None:
        how["dealt"] = asked["batch_size"] != "all"
    elif settings.stream:
        if test is not None and not is_example(test) and not os.path.exists(test):  # it is read when all is learnt
            raise InputError(f"{test}: no such file; expected one to judge by")
        plan = {**_choices(asked, settings.threads), "log": tracing.wanted}
        plan["start"] = None if asked["start"] == "zero" else asked["start"]
        reasons = {CHOOSING: choosing, WEIGHING: by_class is not None, RESUMING: earlier is not None, STARTING: given}
        reason = next((reason for reason, holds in reasons.items() if holds), "")
        arrivals = Arrivals(settings, plan, reason, classes, table)
        how |= {"arrivals": arrivals, "epochs": asked["epochs"]}
    sheet = settings.sheet(data, **how) if given is None else settings.sheet_for(given, data, **how)
    begin_at, note = None, alone_by
    if is_example(data) and earlier is None and not choosing:
        asked, begin_at, note = planned(data, asked, typed(asked))
    if note is not None:
        settings.note(f"note: {note}")
        sheet = replace(sheet, notes=(*sheet.notes, note))
    from ..data.examples import check_room
    from ..learning.choose import ended_as_chosen
    from ..learning.learn import learn
    from ..models.checkpoint import Checkpoints
    from ..report.training import training_text
    from ..runs.status import ended

    if hash_names is not None and not sheet.hashed:
        raise InputError(f"{sheet.name}: features without names; expected no --hash-names")
    examples = examples_in(sheet)
    check_room(examples.n_columns, examples.n_outputs, sheet.name)
    if earlier is not None and resume is not None:
        check_same_input(earlier, resume, examples, sheet.name, data)
    by_class, examples, weights, each, sheet = class_weights.weighed(by_class, examples, sheet, settings)
    tracing.check(earlier is not None, examples, asked["multiclass"], asked["rule"])
    if settings.stream and "log_limit" not in typed(["log_limit"]):
        log_limit = STREAMED_LOG  # in memory, like all else
    choices = {**_choices(asked, settings.threads), "log_limit": log_limit * 10**6, "log": tracing.wanted}
    if earlier is not None and earlier.log is not None:
        choices["log"] = earlier.log
    start = earlier.state if earlier is not None else begin_at or start_of(asked["start"], given, examples)
    by_test = judging.read(settings, sheet, examples)
    table.rows = examples.n_rows
    if examples.gone:
        asked["tol"], choices["tol"] = "never", None  # one epoch has no plateau
    if arrivals is not None and (so_far := arrivals.state(examples)) is not None:
        start = so_far
    facts, common = InputFacts(examples, data), most_common(sheet)

    stopped_by: list[int] = []
    lost = False

    def model_of(run: "Run", end: "Status", *, margin: bool = True, checkpoint: bool = False) -> "Model":
        votes = checkpoint and "voted" in run.plan.kept
        run = run.read("last") if votes else run  # a vote takes long to count
        made = model_made_of(run, end, sheet, asked, earlier, choice, common, margin and not examples.gone)
        origin = {**made.provenance, **((facts.so_far if stopped_by or lost else facts.known) if checkpoint else {})}
        made = replace(made, provenance=origin, log=run.log if votes else None)
        return replace(made, parameters={**made.parameters, "class_weight": by_class})

    def model_so_far(progress: "Progress") -> "Model":
        end = ended("stopped.checkpoint", "resume", epoch=progress.epoch)
        return model_of(progress.run(), end, margin=False, checkpoint=True)

    def with_what_was_learnt(error: ClusterError) -> InputError:
        """The error, once what was learnt by then is in the checkpoint."""
        nonlocal lost
        if error.run is None or not error.run.epochs:
            return error
        lost = True  # nobody is left whom the facts of the input could be asked of
        end = ended("stopped.checkpoint", "resume", epoch=error.run.epochs + 1)
        checkpoints.write(model_of(error.run, end, margin=False, checkpoint=True))
        kept = f"what was learnt is in {checkpoint_of(target)}: the same command with --resume auto goes on"
        return InputError(f"{error}; {kept}")

    def chosen(what: "Choice") -> None:
        nonlocal choice
        choice = what

    checkpoints = Checkpoints(
        checkpoint_of(target), model_so_far, every=checkpoint_every, resumed=resume,
        failed=lambda error: settings.note(f"note: no checkpoint: {error}"),
    )  # fmt: skip
    begin = time.monotonic()
    with interruptible() as stopped, table:
        stopped_by = stopped

        def watch(progress: "Progress") -> bool:
            table.tell(progress if arrivals is None else arrivals.told(progress))
            if not stopped and not examples.gone:
                checkpoints(progress)
            return bool(stopped)

        marks = doubling() if settings.shows_progress else ()
        try:
            teach = teacher(asked, {**choices, "start": start, "class_weight": by_class}, settings, stopped)
            evaluation = judging.by_rows_held_out(examples, teach, settings, asked["seed"], sheet.weights)
            if settings.dask is not None:
                run = learnt_on_cluster(examples, mixing, choices, start, watch)
            elif choosing:
                run, choice = chosen_run(examples, asked, settings, stopped, watch, marks, weights, chosen)
            else:
                run = learn(examples, **choices, start=start, sample_weight=weights, callback=watch, marks=marks)
                run = run if choice is None else ended_as_chosen(run, choice)
        except ClusterError as error:
            raise with_what_was_learnt(error) from None
        except InputError as error:
            raise in_words_of("command", error) from None
    seconds = time.monotonic() - begin
    if run.status.name == "non-finite":
        # Like a value that is not finite: a fault of the data or the plan, and no result to keep.
        end = run.status.facing("command")
        place = sheet.place_of(end.values["row"]) if "row" in end.values else sheet.name
        raise InputError(f"{place}: {end.reason}; {end.advice}; no model is written")
    if examples.gone:  # nothing goes on
        run = replace(run, status=run.status.without("more-epochs"))
    end, interrupted = run.status, bool(stopped) and run.status.name == "stopped"
    if interrupted:
        end = ended("stopped.interrupted", "resume", epoch=run.epochs + 1)
        target = checkpoint_of(target)
        run = run.read("last") if asked["readout"] == "voted" else run
    try:
        made = model_of(run, end, margin=not interrupted, checkpoint=interrupted)  # whoever interrupts does not wait
    except ClusterError as error:
        error.run = run
        raise with_what_was_learnt(error) from None
    if interrupted:
        checkpoints.write(made)
    else:
        made.save(target)
        checkpoints.remove()
    if hash_names is not None:
        write_names(sheet, hash_names)
    fresh = earlier is None and given is None  # so that no row was seen before
    report = report_of(run, made, sheet, target, table.first_wrong if fresh else None)
    if by_test is not None:
        evaluation = None if interrupted else by_test(made)
    report |= {"seconds": seconds, "trace": tracing.report(run), "class_weight": each}
    report["weighted"] = weights is not None or examples.has_weights or getattr(examples, "weighted", False)
    report["checkpoints"] = checkpoints_report(checkpoints, settings)
    report["evaluation"] = evaluation or by_the_choice(choice)
    worded = partial(training_text, verbose=settings.verbose)
    if interrupted:
        own = {"resume": target, "require_clean": require_clean, "hash_names": hash_names}
        report["next"] = [resumption(settings, data, model=target.removesuffix(".checkpoint"), **own)]
        return Answer(report, worded, 128 + stopped[0])
    report["next"] = next_steps(settings, data, target, made, run, asked, report, by_class is not None, test)
    if choosing and choice is not None:
        if report["evaluation"] is not None and evaluation is None and not settings.stream:
            report["next"].append(advised(settings, data, target, asked, by_class))
        report["next"].append(alone(settings, data, target, choice, asked["offset"], examples.classes.size, by_class))
    return Answer(report, worded, 3 if require_clean and run.status.name != "clean" else 0)


def _target(data: str, model: str | None) -> str:
    """Where the model goes."""
    if model is not None:
        return model
    if data == "-":
        raise InputError("standard input has no name for the model: say -m MODEL")
    target = os.path.basename(data.removeprefix(PREFIX).rstrip("/")) + ".model"
    check_outputs([target], [data])
    return target


def _choices(asked: dict[str, Any], threads: int | None) -> dict[str, Any]:
    """What was asked, in the words of `learn`."""
    words = {"epochs": "max_epochs"}
    choices = {words.get(name, name): value for name, value in asked.items() if name != "start"}
    choices["tol"] = None if choices["tol"] == "never" else choices["tol"]
    return {**choices, "threads": threads}

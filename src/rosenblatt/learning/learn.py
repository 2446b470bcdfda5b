"""Learning: Examples + Rule + Plan → Run. This is the door: it checks what it is given, and has the driver run it."""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from .. import rules
from ..choices import count
from ..data.examples import weighted
from ..data.scaling import Scaling
from ..data.source import Source
from ..data.two_classes import aligned, labelled
from ..errors import InputError, ParameterError, shown
from ..files.door import framed
from ..runs.log import LIMIT, Log
from ..runs.plan import parameters_of, plan_of
from ..runs.run import Run
from ..runs.state import State
from ..runs.visits import orders_of
from .driver import Driver
from .progress import Progress
from .scale import scaled
from .setup import Setup


def learn(
    X: Any,
    y: Any = None,
    *,
    rule: str = "perceptron",
    order: Any = "cyclic",
    batch_size: int | str = 1,
    eta: float = 1.0,
    schedule: str | Callable[[int], float] = "constant",
    offset: float | str = 1.0,
    max_epochs: int = 1000,
    tol: float | None = None,
    patience: int = 5,
    step_tol: float | None = None,
    start: Any = None,
    seed: int = 0,
    readout: str | Sequence[str] = "last",
    beta: float | None = None,
    C: float | None = None,
    multiclass: str = "ovr",
    scale: str | Scaling = "none",
    sample_weight: Any = None,
    threads: int | None = None,
    log: bool | Log = False,
    log_limit: int = LIMIT,
    callback: Callable[[Progress], Any] | None = None,
    marks: Iterable[int] = (),
) -> Run:
    """Learn a linear classifier, and say how it went.

    X, y
        Rows and their labels: an array, a sparse matrix or a data frame, and any two values or more; ±1 are the classes
        −1 and +1, and may all be equal; one class of any other kind is refused. Or `Examples`, or any other `Source`,
        and no y.
    rule
        One of `rules.names()`; beta and C are parameters of some.
    beta
        The margin to reach: of "margin" a distance, of "fixed-margin" a functional margin, of "relative-margin" that in
        units of the median ‖x′‖² of the rows it begins with, of "dynamic-margin" a share below 1 of the best margin.
    order
        "cyclic"; "shuffled" (a new permutation every epoch, a pure function of the seed); or your own: a permutation of
        the rows, or a list of them, one for each epoch, which begins again when it is through.
    batch_size
        Rows per weight change: 1, B, or "all".
    eta, schedule
        The step η_k of the k-th weight change: "constant", "1/k", "1/sqrt(k)", or a function of k that multiplies eta
        (such a run cannot be resumed).
    offset
        ρ, the constant appended to every row: 0 for a hyperplane through the origin; "radius" for max ‖x‖.
    max_epochs, tol, patience, step_tol
        When to stop short of a clean epoch: the budget; `patience` epochs in a row in which the mean loss (of the
        mistakes; squared for delta) is not below the best by more than tol, or with readout="averaged" the share of
        the rows that the average gets wrong; an epoch that moves w′ by less than step_tol. None: never.
    start
        None (zero), (w, b), a `Hyperplane`, "random" (seeded, uniform, drawn until it makes a mistake); or a `Run` to
        go on with, its history and log too, or its `State` (max_epochs counts from the beginning of the whole run).
    readout
        What the run predicts by: "last"; "averaged" over all moments; "voted", every weight vector by how long it
        lived; "pocket", the weights with the fewest mistakes on all rows, counted whenever some left more rows in a row
        alone than any before (each row as often as its sample weight says). Or several of them, to `run.read` later.
    multiclass
        For more than two: "ovr" (each against the rest) or "direct" (the true class against its strongest rival).
    scale
        Of the columns: "none"; "standard" learns from (x − mean)/standard deviation, of sparse rows and with offset=0
        without the mean; "max" from x/max |x|; "power-of-two" from x over the power of two above that. The hyperplane
        is one of the rows as given; bounds, margins on the way and the trajectory speak of the scaled rows. A run that
        goes on keeps its scale. Or the `Scaling` of an earlier run: `run.state.scaling`.
    sample_weight
        Scales the step τ of each row; with a rule that aims at a margin (delta, passive-aggressive) not beyond it.
        Bounds on mistakes speak of weights 1.
    threads
        Never changes a bit of the result. None: ROSENBLATT_NUM_THREADS, or all the CPUs this process may use.
    log
        Keep the log of updates: row, step, visit. With a `State` to start from: its log so far, to go on behind.
    log_limit
        The bytes of a log, 40 an update, at which the run ends: with the chunk of rows that reaches them.
    callback
        Called with a `Progress` about ten times a second and after every epoch; returning something true stops the run.
    marks
        Rising numbers c: the callback is called before the c-th row is met, too, counted from the beginning of the run.

    The run ends at the first epoch without an update, or for one of the other reasons of `run.status`.

    >>> run = learn([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> run.hyperplane.w.tolist(), run.hyperplane.b, run.updates, run.epochs
    ([-3.0], 7.0, 25, 11)
    >>> print(run.status)
    clean: epoch 11 made no update; nothing can change any more
    >>> learn([[1], [2], [3], [4]], ["no", "no", "yes", "yes"]).predict([[0], [5]]).tolist()
    ['no', 'yes']
    """
    chosen = rules.get(rule)
    parameters = parameters_of(chosen, beta, C)
    plan = plan_of(
        chosen, order=order, batch_size=batch_size, eta=eta, schedule=schedule, offset=offset, max_epochs=max_epochs,
        tol=tol, patience=patience, step_tol=step_tol, seed=seed, readout=readout,
        multiclass=multiclass, threads=threads, scale=scale.kind if isinstance(scale, Scaling) else scale,
    )  # fmt: skip
    source: Source
    if isinstance(X, Source):
        if y is not None:
            raise InputError("Examples have their labels with them: leave out y")
        source = X
        if not source.unchanged():
            raise InputError("the sparse matrix was changed since its Examples were made: make them anew")
    elif y is None:
        raise InputError("labels are missing: learn(X, y), or learn(Examples.of(X, y))")
    else:
        aligned(X, sample_weight, "sample_weight")
        source = labelled(framed(X, y), y)
    if plan.order == "given":
        plan = replace(plan, orders=orders_of(order, source.n_rows))
    if source.n_outputs > 1 and plan.multiclass == "direct" and not chosen.direct:
        which = repr(chosen.name)
        raise ParameterError("rule {which} has no direct multiclass form: use {multiclass:ovr}", which=which)
    if callback is not None and not callable(callback):
        raise InputError(f"callback must be a function of one argument, not {shown(callback)}")
    source = weighted(source, sample_weight)
    if chosen.from_zero and start is not None and not isinstance(start, (Run, State)):
        raise ParameterError("rule {which} must begin at zero: leave out {start}", which=repr(chosen.name))
    if isinstance(start, Run):
        log = log or (start.log is not None and start.log.first == 0)
        if "voted" in plan.kept and (start.log is None or start.log.first):
            raise InputError("a vote needs the log from the start, and the run to go on with kept none: learn it anew")
    if isinstance(log, Log) and (not isinstance(start, State) or start.visited != log.last):
        raise InputError("the log is not that of the state to start from: give both of one run")
    log_limit = count("log_limit", log_limit)
    try:
        numbered = map(operator.index, marks)
    except TypeError:
        raise InputError(f"marks must be rising whole numbers, not {shown(marks)}") from None
    driver = source.driver or Driver
    if source.driver is not None:
        source = source.driver.door(source, chosen, plan, log)
        plan = replace(plan, threads=1 if threads is None else plan.threads)  # of a task; a worker has several
    source, start = scaled(source, scale, plan, start)
    run: Run = driver(Setup(source, chosen, parameters, plan), start, log, callback, numbered, log_limit).run()
    return run

"""Words: why something ended and what to do next, from keys and values; and what each parameter is called where.

A `Status` and its `Advice` are keys and values (runs/status.py). They become sentences here, at the edge, in the words
of whoever is spoken to: a caller of `learn` and the other functions, of an estimator, or of the command line. The same
holds for a `ParameterError`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..errors import InputError, ParameterError, phrase, plain_name
from .text import by_weight, percent

FACES = ("learn", "estimator", "command")

Values = Mapping[str, Any]
Template = str | Callable[[Values], str]

PARAMETERS = {
    # `learn` and its like: an estimator's parameter, an option of the command line
    "rule": ("rule", "rule"),
    "order": ("order", "order"),
    "batch_size": ("batch_size", "batch-size"),
    "eta": ("eta0", "eta"),
    "schedule": ("schedule", "schedule"),
    "offset": ("offset", "offset"),
    "max_epochs": ("max_iter", "epochs"),
    "tol": ("tol", "tol"),
    "patience": ("n_iter_no_change", "patience"),
    "step_tol": ("step_tol", "step-tol"),
    "start": ("coef_init", "start"),
    "seed": ("random_state", "seed"),
    "readout": ("readout", "readout"),
    "beta": ("beta", "beta"),
    "C": ("C", "C"),
    "multiclass": ("multiclass", "multiclass"),
    "scale": ("scale", "scale"),
    "mixing": ("mixing", "mixing"),
    "sample_weight": ("sample_weight", "weight"),
    "threads": ("n_jobs", "threads"),
    "through_origin": ("fit_intercept", "origin"),
    "rel_gap": ("rel_gap", "rel-gap"),
    "time_limit": ("time_limit", "time-limit"),
}
"""What a parameter is called in the estimators, and on the command line."""

_CALLS = {
    "separability": ("separability(X, y)", "separability(X, y)", "rosenblatt check"),
    "least_mistakes": ("least_mistakes(X, y)", "least_mistakes(X, y)", "rosenblatt suspects"),
    "go_on": ("learn(..., start=run) goes on", "partial_fit goes on", "training goes on from the model"),
    "more_epochs": ("a larger max_epochs with start=run goes on", "a larger max_iter goes on", "more --epochs go on"),
    "more_time": ("raise time_limit", "raise time_limit", "give a longer --time-limit"),
    "longer_limit": ("a larger time_limit", "a larger time_limit", "a longer --time-limit"),
    "end_small_steps": ("step_tol or tol ends", "tol ends", "--step-tol or --tol ends"),
    "end_rounding": ("step_tol ends", "tol ends", "--step-tol ends"),
    "average_or_pocket": (
        "readout='averaged' or 'pocket'", "readout='averaged' or 'pocket'", "--readout averaged or pocket",
    ),
}  # fmt: skip
"""What one does in one face is a call, in another a parameter, in the third a command."""


def name_of(face: str, parameter: str, value: Any = None) -> str:
    """What a parameter is called there, perhaps with a value as one would write it.

    >>> [name_of(face, "eta") for face in FACES], [name_of(face, "readout", "last") for face in FACES]
    (['eta', 'eta0', '--eta'], ["readout='last'", "readout='last'", '--readout last'])
    """
    if parameter in _CALLS:
        return _CALLS[parameter][FACES.index(face)]
    estimators, option = PARAMETERS.get(parameter, (parameter, parameter.replace("_", "-")))
    if face == "command":
        return f"--{option}" if value is None else f"--{option} {value}"
    return plain_name(estimators if face == "estimator" else parameter, value)


def _where(v: Values) -> str:
    return "at the start" if v["since"] == 0 else "after epoch {since}"


def _came_back(v: Values) -> str:
    if v["since"] == v["epoch"] - 1:
        return "epoch {epoch} ended with the weights it began with: its steps cancel, or are lost to rounding"
    back = "the weights after epoch {epoch} are those after epoch {since}"
    return f"{back}, and the next epoch moves none by more than {{moves:.1g}} of its size: rounding"


def _smaller_eta(v: Values) -> str:
    """Of the delta rule, whose step multiplies the error of its own row by 1 − η‖x′‖²."""
    if v["batches"]:
        where = "above 2/λ, λ the largest eigenvalue of a batch's Σx'x'^T,"
        return f"take a smaller {{eta}}: {where} a batch's step overshoots, and the weights may diverge"
    known = "" if v["safe"] is None else " = {safe:.3g}"
    return f"take a smaller {{eta}}: below 2/R'^2{known} no step overshoots its row; above, the weights may diverge"


def _about(factor: float) -> str:
    """Two digits of it are enough: 350, 140,000, 2.3e+07."""
    return f"{float(f'{factor:.2g}'):,.0f}" if factor < 1e6 else f"{factor:.2g}"


FAULTS = {
    "score overflow": "its score overflows float64",
    "norm overflow": "its squared length overflows float64",
    "norm underflow": "its squared length underflows float64",
    "step overflow": "its update would leave the range of float64",
}

REASONS: dict[str, Template] = {
    "clean": "epoch {epoch} made no update",
    "clean.idle": "epoch {epoch} made no update ({mistakes:mistake}, on rows whose step is zero)",
    "loop": lambda v: f"the weights after epoch {{epoch}} are those {_where(v)}, so the run repeats for ever",
    "rest": _came_back,
    "step": "epoch {epoch} moved the weights by {moved:.3g}, less than {step_tol}",
    "chosen": lambda v: (
        f"{{name}}, {{epoch:epoch}}: right on {percent(v['accuracy'])} of {{rows:row}}{by_weight(v)}, "
        + (f"held out in {v['folds']} folds" if v.get("folds", 1) > 1 else "held out")
        + ", the best of all"
    ),
    "chosen.few": "{name}, {epoch:epoch}: there are too few rows to choose by",
    "plateau": "the mean loss has not fallen by more than {tol} for {stale:epoch}, up to epoch {epoch}",
    "plateau.average": (
        "what the average gets wrong has not fallen by more than {tol} for {stale:epoch}, up to epoch {epoch}"
    ),
    "plateau.overshooting": (
        "no gain up to epoch {epoch}, with a mean squared loss of {loss:.3g} in the last; w = 0 has 1"
    ),
    "budget": "{epoch:epoch} spent",
    "budget.overshooting": "{epoch:epoch} spent, with a mean squared loss of {loss:.3g} in the last; w = 0 has 1",
    "budget.before": "{epoch:epoch} spent already, and {max_epochs:asked} counts from the beginning",
    "non-finite": lambda v: f"row {{row}} in epoch {{epoch}}: {FAULTS[v['fault']]}",
    "non-finite.mixed": "epoch {epoch}: the mixed weights leave float64",
    "stopped": "the callback ended the run in epoch {epoch}",
    "stopped.interrupted": "interrupted in epoch {epoch}",
    "stopped.checkpoint": "kept in epoch {epoch}, while the run went on",
    "log": "its log of {updates:update} has reached its limit, {size:.4g} MB, in epoch {epoch}",
    "running": "epoch {epoch} has ended",
    "pass": "epoch {epoch}, over {rows:row}, made {mistakes:mistake}",
    "validation": (
        "no better validation score than {score:.4g}, of epoch {best}, for {stale:epoch}, up to epoch {epoch}"
    ),
    "stream": "{examples} examples, {updates} updates",
    "read": "a model of LIBLINEAR, {file}",
    "old": lambda v: ("{epoch:epoch}; " if v.get("epoch") else "") + "its model file, of version 1, does not say why",
    # Of the largest margin.
    "exact": "{rows:row} hold the hyperplane, proven exactly",
    "gap": "the bounds are {gap:.2g} apart, relatively",
    "time": "the limit ran out at a gap of {gap:.2g}",
    "stalled": "floats brought the bounds no closer than a gap of {gap:.2g}",
    "stopped.margin": "it was stopped at a gap of {gap:.2g}",
    "undecided": "the time limit ran out after {seconds:.3g} s",
    "undecided.stopped": "it was stopped after {seconds:.3g} s",
    "inseparable": lambda v: "no hyperplane separates the rows" + (" ({kind})" if v["kind"] else ""),
    # Of the fewest mistakes.
    "exact.mistakes": "no hyperplane makes fewer mistakes",
    "exact.none": "a hyperplane makes no mistake",
    "columns": "{columns:column} are too many to look for witnesses",
    "stalled.mistakes": "nothing more was found between {lower} and {upper}",
    "time.mistakes": "the limit of {seconds:g} s ran out between {lower} and {upper}",
    "stopped.mistakes": "it was stopped between {lower} and {upper}",
    "stalled.scans": "{scans:scan} of all rows found nothing more between {lower} and {upper}",
    "time.uncounted": (
        "the limit of {seconds:g} s ran out before the mistakes of a hyperplane were counted; there are {lower} or more"
    ),
}
"""Why it ended: of a status by its key. What stands before a point is its name. `old` is what follows the
point where a model file of version 1 keeps the name alone."""

ADVICE: dict[str, Template] = {
    "settled": "nothing can change any more",
    "mistakes-left": "{mistakes:mistake} in the last epoch",
    "margin-not-reached": "no mistakes are left, but the margin the rule asks for is never reached",
    "repeats": "more epochs change nothing",
    "another-readout": "{average_or_pocket} may do better",
    "near-least-squares": (
        "with a small {eta} that is near the least-squares fit, which need not separate what can be separated"
    ),
    "smaller-step-tol": "a smaller {step_tol} goes on",
    "larger-patience": "a larger {patience} goes on",
    "average": "{readout:averaged} often predicts better",
    "no-better-than-guess": lambda v: (
        f"that is no better than a guess at the most common class, {percent(v['share'])}{by_weight(v)}:"
        " these columns tell a line little"
    ),
    "go-on": "{go_on}",
    "more-epochs": "{more_epochs}",
    "still-gaining": "the last epoch gained more than {tol}: {more_epochs}",
    "one-epoch": "one epoch is seldom enough: {more_epochs}",
    "epochs-above": "give {max_epochs} above {epoch} to go on",
    "margin-upper": lambda v: (
        "if the data are separable, "
        + ("the augmented margin of the scaled rows" if v.get("scaled") else "their augmented margin")
        + " is at most {upper:.3g}"
    ),
    "smaller-beta": ("beta = {asked:g} asks for more than that, so no epoch will ever be clean: take a smaller {beta}"),
    "never-clean": "the rule steps on every row that does not fit exactly: {end_small_steps} it",
    "below-threshold": (
        "what is left are margins below the rule's threshold, perhaps by rounding only: {end_rounding} that"
    ),
    "constant-schedule": "steps of 1/k can take astronomically long: try {schedule:constant}",
    "smaller-eta": _smaller_eta,
    "weights-kept": "the weights are those before this row",
    "epoch-kept": "the weights are those before this epoch",
    "nothing-learnt": "nothing was learnt before this row",
    "rescale": "rescale the data",
    "rescale-weighted": "rescale the data or the sample weights",
    "random-start-idle": "the random start makes no mistake, nor did {draws:draw} before it",
    "predicted-wrong": "{wrong} of {rows:training row} are predicted wrong",
    "far-apart": lambda v: f"the columns' sizes differ by a factor of {_about(v['ratio'])}",
    "off-centre": lambda v: f"the rows lie {_about(v['times'])} times as far from 0 as from their mean",
    "scale": "{scale:standard} may do much better",
    "scale-first": "columns scaled beforehand may do much better",
    "check": "whether any need be wrong, {separability} tells",
    "last-is-clean": "the {kept} weights make {mistakes:mistake} on the rows; {readout:last} none",
    "best-kept": "the weights of epoch {epoch}, the best on the rows kept apart, are kept",
    "partial-fit": "partial_fit goes on",
    "resume": "--resume goes on, to the same bits",
    "running": "the run goes on",
    "no-log": "{readout:averaged} keeps none",
    "learn-one": "learn_one goes on",
    "from-weights": "in Python, partial_fit goes on from its weights",
    "nothing-to-do": "nothing is left to do",
    "no-gap": "{rel_gap:0} asks for none at all",
    "try-no-gap": "try {rel_gap:0}",
    "bounds-hold": "both bounds hold",
    "more-time": "{more_time}",
    "run-again": "run it again, and let it go on for longer",
    "ask-separability": "{separability} may settle sooner whether there is a margin at all",
    "see-verdict": "its verdict has the proof, and {least_mistakes} the rows to look at",
    "nothing-to-find": "nothing is left to find",
    "fewer-columns": "select or combine columns first",
    "bracket-stands": "another seed may find more",
    "narrow-down": "{longer_limit} may narrow that down",
    "farthest-listed": "of the rows on the wrong side only the farthest {listed} are listed",
    "more-may-narrow": "more time may narrow that down",
    "give-more-time": "give it more time: {longer_limit}",
    # Of a logistic regression.
    "unsettled-coefficients": "time ran out before all coefficients were settled: {longer_limit} says more",
    "wide-regression": (
        "with more columns than rows no regression has a unique estimate, however long the search: select or combine"
        " columns first"
    ),
    "many-columns": "which columns depend on others is too much to settle: select or combine columns first",
    "infinite-coefficients": (
        "do not report the huge estimates and errors that software prints for infinite coefficients. Firth's penalised"
        " likelihood with profile intervals (Heinze and Schemper 2002) or exact logistic regression give finite"
        " answers; merging rare categories may remove the cause. A likelihood-ratio test against a smaller model can"
        " use the log-likelihood in the limit"
    ),
    "fit-it": "fit the model in any program: its estimate exists, and no few rows decide that",
    "fragile-estimate": (
        "the estimate hangs on few rows: look at them, and prefer profile likelihood intervals to Wald's"
    ),
}
"""What to do about it: of each piece of advice by its key."""


def reason(key: str, values: Values, face: str = "learn") -> str:
    """Why something ended, in one sentence.

    >>> reason("clean", {"epoch": 11})
    'epoch 11 made no update'
    """
    return _said(REASONS["old" if key.endswith(".old") else key], values, face)


def advice(steps: Sequence[tuple[str, Values]], face: str = "learn") -> str:
    """What to do about it, in one sentence."""
    return "; ".join(_said(ADVICE[key], values, face) for key, values in steps)


def next_steps(keys: Sequence[str], face: str = "learn") -> list[dict[str, Any]]:
    """Advice for which there is no command, in the form of a report's "next"."""
    said = [advice([(key, {})], face) for key in keys]
    return [{"why": f"{text[:1].upper()}{text[1:]}", "command": None} for text in said]


def _said(template: Template, values: Values, face: str) -> str:
    """Raises `KeyError` for a field that is neither a value nor a parameter: a file may claim any key."""

    def name(parameter: str, value: Any = None) -> str:
        if parameter not in PARAMETERS and parameter not in _CALLS:
            raise KeyError(parameter)
        return name_of(face, parameter, value)

    return phrase(template if isinstance(template, str) else template(values), values, name)


def in_words_of(face: str, error: InputError) -> InputError:
    """The same error, its parameters called what they are called there."""
    if not isinstance(error, ParameterError):
        return error
    return InputError(phrase(error.template, error.values, partial(name_of, face)))

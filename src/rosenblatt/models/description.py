"""What is known of a model, in plain values: what it is, how it was learnt and from what, its largest weights."""

from typing import TYPE_CHECKING, Any

from ..data.hyperplane import MOST_WEIGHTS, weights_listed
from ..report.plain import plain_values

if TYPE_CHECKING:
    from ..runs.vote import Vote
    from .model import Model

_MOST_OUTPUTS = 50  # whose weights are listed
_MOST_COLUMNS = 100  # of each weight vector of a vote


def description(model: "Model", most: int = MOST_WEIGHTS, first: int | None = None) -> dict[str, Any]:
    """With at most so many weights of each output; features without names are numbered from `first`.

    None: as in the file it was learnt from.
    """
    classes, state, history, end = model.classes.tolist(), model.state, model.history, model.status
    if first is None:
        first = (model.reading.base if model.reading is not None else None) or 0
    outputs = []
    for k in range(0 if model.vote is not None else min(model.offsets.size, _MOST_OUTPUTS)):
        weights = weights_listed(model.weights[:, k], model.offsets[k], model.feature_names, most, first)
        outputs.append({"class": classes[1] if model.offsets.size == 1 else classes[k], **weights})
    provenance = dict(model.provenance)
    version = provenance.pop("rosenblatt", None)
    if model.reading is not None:
        provenance["reading"] = model.reading.to_dict()
    if version is not None:
        provenance["rosenblatt"] = version
    return {
        "kind": model.kind,
        "columns": int(model.weights.shape[0]),
        "named": model.feature_names is not None,
        "classes": classes,
        "status": end.name,
        "reason": end.reason,
        "advice": end.advice,
        "epochs": None if state is None else state.epoch,
        "updates": None if state is None else state.updates,
        "last_mistakes": int(history.mistakes[-1]) if history is not None and len(history) else None,
        **_mixed(model),
        "goes_on": state is not None,
        "scale": "none" if state is None or state.scaling is None else state.scaling.kind,
        "votes": None if model.vote is None else True,
        "vote": None if model.vote is None else _vote(model.vote, classes, most),
        "choice": None if model.choice is None else model.choice.to_dict(),
        "outputs": outputs,
        "parameters": {
            name: "given" if name == "order" and getattr(value, "ndim", 0) != 0 else plain_values(value)
            for name, value in model.parameters.items()
        },
        "facts": {name: plain_values(value) for name, value in model.facts.items()},
        "provenance": {name: plain_values(value) for name, value in provenance.items()},
    }


def _mixed(model: "Model") -> dict[str, Any]:
    """Of a model learnt on a cluster: over how many shards, and how they were mixed."""
    conditions = {} if model.state is None else model.state.conditions
    shards, by = conditions.get("shards"), conditions.get("mixing")
    known = isinstance(shards, int) and isinstance(by, str)  # a file may say anything
    return {"mixed": {"shards": shards, "by": by}} if known else {}


def _vote(vote: "Vote", classes: list[Any], most: int) -> list[dict[str, Any]]:
    """The first weight vectors of each output, as many as asked for, with their first weights."""
    together = vote.direct or vote.start[1].size == 1
    found = []
    for output in [None] if together else range(min(vote.start[1].size, _MOST_OUTPUTS)):
        listed = [
            {"w": w.reshape(-1)[:_MOST_COLUMNS].tolist(), "b": b if isinstance(b, float) else b.tolist(), "c": c}
            for w, b, c in (vote.weights(most, output) if most else ())
        ]
        label = None if output is None else classes[output]
        found.append({"class": label, "total": vote.n_weights(output), "listed": listed})
    return found

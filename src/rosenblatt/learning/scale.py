"""The scale of a run: of the rows it begins with, or the one that it has from an earlier run."""

from typing import Any

from ..data.scaled import scaled_rows
from ..data.scaling import Scaling
from ..data.source import Source
from ..errors import InputError
from ..runs.plan import Plan
from ..runs.run import Run
from ..runs.state import State
from .resume import given_weights


def scaled(source: Source, scale: Any, plan: Plan, start: Any) -> tuple[Source, Any]:
    """The source and the start as the driver takes them: weights that are given are those of the rows themselves."""
    scaling = _scaling(source, scale, plan, start)
    if scaling is None:
        return source, start
    if scaling.centres and source.is_sparse:
        raise InputError("the scale centres columns, and these rows are sparse: give dense ones, as at first")
    if start is not None and not isinstance(start, (State, Run, str)):
        offset = 0.0 if plan.offset == 0 else 1.0
        start = scaling.unfold(*given_weights(start, source.n_columns, source.n_outputs, offset))
    return scaled_rows(source, scaling), start


def _scaling(source: Source, scale: Any, plan: Plan, start: Any) -> Scaling | None:
    state = start.state if isinstance(start, Run) else start
    if plan.scale == "none":
        return None
    if isinstance(state, State):
        own = state.scaling  # whether it fits is asked where the run is resumed
        return own if isinstance(own, Scaling) and own.factor.size == source.n_columns else None
    if not isinstance(scale, Scaling):
        return Scaling.of(source, plan.scale, centred=plan.offset != 0)
    if scale.factor.size != source.n_columns:
        raise InputError(f"the scale is one of {scale.factor.size} columns, and the rows have {source.n_columns}")
    if scale.centres and plan.offset == 0:
        raise InputError("the scale moves the origin, and offset=0 keeps the hyperplane there: give its name instead")
    return scale

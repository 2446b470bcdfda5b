"""A log in a file: a tensor for each column. It is in a checkpoint of a vote, which is made of all updates."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..runs.log import Log
from .claims import Claims

_COLUMNS = {"row": np.int64, "output": np.int64, "step": np.float64, "visit": np.int64, "change": np.int64}
_COUNTS = ("first", "last", "n_rows", "n_outputs", "batch_size", "rows_from")


def log_record(log: Log, tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The log's part of the header; its columns go to the tensors."""
    tensors |= {f"log.{name}": getattr(log, name) for name in _COLUMNS}
    return {name: int(getattr(log, name)) for name in _COUNTS}


def log_of(read: Claims, K: int) -> Log | None:
    """The log in a file, if there is one, of K outputs."""
    log = read.inside("log")
    if log is None:
        return None
    log.only(*_COUNTS)
    counts: dict[str, Any] = {name: log.count(name) for name in _COUNTS}
    columns: dict[str, Any] = {name: log.tensor(f"log.{name}", dtype, 1) for name, dtype in _COLUMNS.items()}
    if len({column.size for column in columns.values()}) != 1:
        raise InputError("log: its columns differ in length")
    if counts["n_outputs"] != K or counts["n_rows"] < 1 or counts["batch_size"] < 1:
        raise InputError(f"log: expected one of rows, of batches and of {K} outputs")
    for name, most in (("row", counts["n_rows"]), ("output", K)):
        if columns[name].size and not 0 <= columns[name].min() <= columns[name].max() < most:
            raise InputError(f"log: a number of {name} that is not one of {most}")
    moments = np.concatenate([[counts["first"] + 1], columns["visit"], [counts["last"]]])
    if columns["visit"].size and (np.diff(moments) < 0).any():
        raise InputError("log: expected visits in order, from its first to its last")
    return Log(**columns, **counts)

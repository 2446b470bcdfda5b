"""A vote in a file: the mistaken rows, dense or CSR, and one entry for each update."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.csr import Csr
from ..errors import InputError
from ..runs.vote import Vote
from .claims import Claims

_BALLOTS = {"which": np.int64, "output": np.int64, "step": np.float64, "count": np.float64, "first": np.float64}


def vote_record(vote: Vote, tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The vote's part of the header; its arrays go to the tensors."""
    tensors |= {f"vote.{name}": getattr(vote, name) for name in _BALLOTS}
    tensors |= {"vote.start.w": vote.start[0], "vote.start.b": vote.start[1]}
    sparse = hasattr(vote.rows, "indptr")
    if sparse:
        tensors |= {
            "vote.rows.values": vote.rows.data,
            "vote.rows.columns": vote.rows.indices.astype(np.int64),
            "vote.rows.starts": vote.rows.indptr.astype(np.int64),
        }
    else:
        tensors["vote.rows"] = vote.rows
    return {"rho2": vote.rho2, "moments": vote.moments, "direct": vote.direct, "sparse": sparse}


def vote_of(read: Claims, d: int, K: int) -> Vote | None:
    """The vote in a file, if there is one, of d features and K outputs."""
    vote = read.inside("vote")
    if vote is None:
        return None
    columns = {name: vote.tensor(f"vote.{name}", dtype, 1) for name, dtype in _BALLOTS.items()}
    start = vote.tensor("vote.start.w", np.float64, 2), vote.tensor("vote.start.b", np.float64, 1)
    if start[0].shape != (d, K) or start[1].shape != (K,) or columns["first"].size != K:
        raise InputError(f"vote: expected {d} × {K} weights to start from")
    found = Vote(
        rows=_rows_of(vote, d), start=start, rho2=vote.part("rho2", float), moments=vote.count("moments", 1),
        direct=vote.part("direct", bool), **columns,
    )  # fmt: skip
    try:
        found.check()
    except ValueError as error:
        raise InputError(f"vote: {error}") from None
    return found


def _rows_of(vote: Claims, d: int) -> Any:
    if not vote.part("sparse", bool):
        rows = vote.tensor("vote.rows", np.float64, 2)
        if rows.shape[1] != d:
            raise InputError(f"vote: rows of {rows.shape[1]} features; expected {d}")
        return rows
    values, columns, starts = (
        vote.tensor(f"vote.rows.{name}", dtype, 1)
        for name, dtype in (("values", np.float64), ("columns", np.int64), ("starts", np.int64))
    )
    if _core.Rows.sparse(values, columns, starts, starts.size - 1, d)[0] is None:
        raise InputError("vote: the mistaken rows are no sound sparse matrix")
    return Csr(values[: starts[-1]], columns[: starts[-1]], starts, (starts.size - 1, d))

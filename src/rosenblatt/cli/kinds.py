"""What kind of file it is, by its content: a model (in one of three forms), a proof, or else data."""

import os
import re
from typing import TYPE_CHECKING

from ..errors import InputError
from .named import is_example

if TYPE_CHECKING:
    from ..models.model import Model

MODELS = ("model", "json", "liblinear")
_HEAD = 2**16


def kind_of(path: str) -> str:
    """One of "model" (our own form), "json" and "liblinear" (models, too), "proof", and "data"."""
    if path == "-" or is_example(path) or not os.path.isfile(path):
        return "data"  # whose reader says what is wrong, if anything is
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    if head[8:].startswith(b'{"__metadata__":{'):
        return "model"
    if head.startswith(b"solver_type"):
        return "liblinear"
    if re.match(rb"\s*\{", head):
        if b'"rosenblatt-proof"' in head:
            return "proof"
        if re.search(rb'"rosenblatt model"', head):
            return "json"
        raise InputError(f"{path}: JSON, but neither a model nor a proof of rosenblatt; expected one of them, or data")
    return "data"


def existing_model(path: str) -> "Model":
    """The model in a file. Raises `InputError` if there is no file, or something else in it."""
    if not os.path.exists(path):
        raise InputError(f"{path}: No such file or directory; expected a model")
    kind = kind_of(path)
    if kind in ("data", "proof"):
        what = "a proof" if kind == "proof" else "not a model"
        raise InputError(f"{path}: {what}; expected a model: of rosenblatt train, its JSON form, or of LIBLINEAR")
    return model_in(path, kind)


def model_in(path: str, kind: str) -> "Model":
    """The model in a file of this kind."""
    from ..models.model import Model

    if kind == "model":
        return Model.load(path)
    if kind == "liblinear":
        return Model.from_liblinear(path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        return Model.from_json(data.decode())
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8; expected a model in JSON") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None

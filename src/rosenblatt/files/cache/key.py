"""The key of a cache: which files, as they are now, read how. A file that was changed has another.

A file is known by its path, size, time of change and number on the disk, and by a digest of samples of its bytes: all
of it would take as long as the pass that a cache saves.
"""

import hashlib
import json
import os
from dataclasses import asdict
from typing import Any

from ... import __version__
from ...errors import InputError
from ..options import Options
from ..parts.input import Input
from ..reading import meant_in
from .form import VERSION

_ENDS, _SAMPLE, _SAMPLES = 2**16, 2**12, 62


def file_facts(path: str) -> dict[str, Any]:
    """What a file is known by. Raises `InputError` for one that cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            return {
                "path": os.path.realpath(path),
                "size": status.st_size,
                "changed": status.st_mtime_ns,
                "number": [status.st_dev, status.st_ino],
                "sample": _sampled(file.fileno(), status.st_size),
            }
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; expected a file that can be read") from None


def _sampled(file: int, size: int) -> str:
    """A digest of its first and last bytes, and of some in between, evenly spread."""
    digest = hashlib.sha256()
    places = [(0, _ENDS), *((size * k // (_SAMPLES + 1), _SAMPLE) for k in range(1, _SAMPLES + 1))]
    for offset, length in [*places, (max(0, size - _ENDS), _ENDS)] if size > _ENDS else [(0, size)]:
        digest.update(os.pread(file, length, offset))
    return digest.hexdigest()


def key_of(given: Input, options: Options) -> str | None:
    """The key of what is read; None for what is no file, of which nobody can tell whether it has changed."""
    if not given.paths or not given.again:
        return None
    names, asked = options.names, asdict(options.reading)
    meant = {name: asked[name] for name in meant_in(given.format)}
    if "missing" in meant:
        meant["missing"] = options.missing
    if "coding" in meant:
        meant |= {"coding": options.coding, "origin": options.origin, "replayed": options.replayed}
    how = {
        "version": [VERSION, __version__],  # of the file's form, and of the reader
        "format": given.format,
        "reading": meant,
        "names": file_facts(os.fspath(names)) if isinstance(names, (str, os.PathLike)) else names and list(names),
        "keep_names": options.keep_names,
        "files": [file_facts(path) for path in given.paths],
    }
    if given.told:
        how["told"] = given.told
    return hashlib.sha256(json.dumps(how, sort_keys=True, default=str).encode()).hexdigest()[:40]

"""A Python that finds this on its path has none of the extras: importing one fails as if it were not installed."""

import sys
from typing import Any

EXTRAS = {
    "matplotlib", "PIL", "sklearn", "scipy", "pyarrow", "zstandard", "joblib", "pandas", "polars", "narwhals", "dask",
    "distributed",
}  # fmt: skip


class Blocked:
    """Comes first of those that are asked for a module."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Refuse the extras; leave the rest to others."""
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Blocked())  # type: ignore[arg-type]

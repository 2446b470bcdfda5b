"""LeftBehind: rows that lie on a cluster, as somebody knows them who has no way there. They cannot be asked."""

from typing import Any

from numpy.typing import NDArray

from ..data.gone import Gone
from ..errors import InputError


class LeftBehind(Gone):
    """What is known of the rows: a run that was copied, or sent to another process, has this for its source."""

    def __init__(
        self,
        name: str,
        shape: tuple[int, int],
        sparse: bool,
        classes: NDArray[Any],
        names: tuple[str, ...] | None,
        weighted: bool,
    ) -> None:
        self.name, self.shape, self.sparse = name, shape, sparse
        self.classes, self.feature_names, self.has_weights = classes, names, weighted

    def _refusal(self) -> InputError:
        return InputError(f"{self.name}: they were left on a cluster; open them again, cluster.sharded(client, …)")

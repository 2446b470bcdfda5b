"""A claim, compared with what the contestants cost: within each repetition, then the middle of all of them."""

import math
import statistics
from collections.abc import Mapping

from benchmarks.checks import updated
from benchmarks.contest import Claim, Data
from benchmarks.findings import Finding, Standing


def compare(claim: Claim, standings: Mapping[str, Standing], data: Data | None = None) -> Finding | None:
    """Median (of points and levels, the mean) and spread; None if somebody was absent or never came to an end."""
    present = {label: standing for label, standing in standings.items() if standing.finished}
    rivals = [label for label in claim.rivals if label in present]
    if claim.over not in present or not set(claim.rivals) <= set(standings) or bool(rivals) == (claim.how == "level"):
        return None
    over = present[claim.over]
    under = max(rivals, key=lambda label: statistics.fmean(present[label].finished), default="")
    values = paired(claim, over, present[under]) if under else list(over.finished)
    if not values:
        return None
    price = statistics.median(over.finished)
    middle = statistics.fmean if claim.how in ("points", "level") else statistics.median
    return Finding(
        claim,
        middle(values),
        min(values),
        max(values),
        under,
        at_most=claim.busy if claim.busy is not None and busy(data, over) else claim.at_most,
        asked=claim.above is None or price > claim.above,
        enough=claim.enough is not None and price <= claim.enough,
    )


def paired(claim: Claim, over: Standing, under: Standing) -> list[float]:
    """The ratio or the difference in each repetition that both brought to an end."""
    pairs = zip(over.costs, under.costs, strict=True)
    known = [pair for pair in pairs if not any(map(math.isnan, pair))]
    return [a / b if claim.how == "ratio" else a - b for a, b in known]


def busy(data: Data | None, standing: Standing) -> bool:
    """Whether this contestant updated at more than half of its visits."""
    share = None if standing.learned is None else updated(data, standing.learned)
    return share is not None and share > 0.5

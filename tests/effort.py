"""How hard the tests try: as hard as is written (ROSENBLATT_LONG=1), hardly (ROSENBLATT_QUICK=1), or in between."""

import os

LONG = os.environ.get("ROSENBLATT_LONG") == "1"
QUICK = os.environ.get("ROSENBLATT_QUICK") == "1"


def examples(count: int) -> int:
    """So many examples of hypothesis, or two in five of them, or a few."""
    return count if LONG else 5 if QUICK else max(10, count * 2 // 5)

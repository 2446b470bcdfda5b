"""How hard the tests try: with ROSENBLATT_LONG=1, as hard as is written; else they are quick."""

import os

LONG = bool(os.environ.get("ROSENBLATT_LONG"))


def examples(count: int) -> int:
    """So many examples of hypothesis, or two in five of them."""
    return count if LONG else max(10, count * 2 // 5)

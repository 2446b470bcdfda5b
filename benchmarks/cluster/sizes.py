"""How large each part is: as the page has it, and small, to see that it runs."""

from typing import Any

Sizes = dict[str, dict[str, Any]]

FULL: Sizes = {
    "held": {"rows": 20_000_000, "columns": 50, "shards": 16, "epochs": 6, "workers": [1, 2]},
    "overhead": {
        "columns": [10, 10**3, 10**4, 10**5, 10**6], "shards": [2, 8, 32], "workers": [1, 2, 4], "epochs": 20, "few": 5,
    },
    "per_row": {"dense": [10, 50, 200, 1000], "sparse": [10, 30, 100, 300], "entries": 2 * 10**7, "epochs": 5},
    "accuracy": {
        "sets": ["covtype", "mnist", "imdb", "kddcup99"], "epochs": [1, 5, 10], "shards": 8, "workers": 2,
    },
    "verdict": {"rows": 1_000_000, "columns": 20, "shards": 8, "workers": 2},
}  # fmt: skip

SMALL: Sizes = {
    "held": {"rows": 160_000, "columns": 50, "shards": 16, "epochs": 3, "workers": [1, 2]},
    "overhead": {"columns": [10, 10**3, 10**4], "shards": [2, 8], "workers": [1, 2], "epochs": 5, "few": 2},
    "per_row": {"dense": [10, 50], "sparse": [10, 100], "entries": 10**6, "epochs": 2},
    "accuracy": {"sets": ["mnist"], "epochs": [1, 2], "shards": 8, "workers": 2},
    "verdict": {"rows": 100_000, "columns": 20, "shards": 8, "workers": 2},
}

TITLES = {
    "held": "Eight gigabytes on the workers",
    "overhead": "What a round costs",
    "per_row": "What a row costs",
    "accuracy": "What mixing does to the accuracy",
    "verdict": "A verdict where the rows are",
}

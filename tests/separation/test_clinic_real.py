"""The clinic on data sets that R's detectseparation documents, if they are here (ROSENBLATT_DATA names their folder).

Heinze and Schemper 2002 (endometrial) and Schoener 1970 (lizards): detect_separation gives 0 for a finite coefficient
and Inf or -Inf for an infinite one, and the estimates are those of R's glm.
"""

import csv
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt.separation.clinic.logistic_clinic import logistic_clinic
from rosenblatt.separation.clinic.result import Clinic

pytestmark = pytest.mark.long
FOLDER = Path(os.environ.get("ROSENBLATT_DATA", "nowhere"))
WORDS = {"finite": 0.0, "+inf": np.inf, "-inf": -np.inf}


def table(name: str) -> tuple[list[str], list[list[str]]]:
    with open(FOLDER / name, newline="") as file:
        head, *rows = csv.reader(file)
    return head, rows


def reported(clinic: Clinic) -> list[float]:
    """As detect_separation has it, the offset first."""
    *rest, offset = [WORDS[one.status] for one in clinic.coefficients.values()]
    return [offset, *rest]


@pytest.mark.parametrize("name", [name for name in ("endometrial.csv",) if (FOLDER / name).exists()])
@pytest.mark.parametrize("sign", [1, -1])
def test_endometrial_cancer(name: str, sign: int) -> None:
    head, rows = table(name)
    data: Any = np.array(rows, dtype=float)
    columns = ["NV", "PI", "EH"]
    X = data[:, [head.index(column) for column in columns]]
    X[:, 0] *= sign  # detectseparation's own test asks of -NV
    clinic = logistic_clinic(X, data[:, head.index("HG")], names=columns)
    assert clinic.kind == "quasi-separable"
    assert reported(clinic) == [0, sign * np.inf, 0, 0]
    assert clinic.direction == {"NV": sign}
    assert clinic.responsible == tuple(np.flatnonzero(X[:, 0]).tolist())
    assert clinic.removal is not None
    assert clinic.removal.lower == clinic.removal.upper == len(clinic.responsible) == 13
    expected = {"(offset)": (4.30452, 1.63730), "PI": (-0.04218, 0.04433), "EH": (-2.90261, 0.84555)}
    for column, (estimate, error) in expected.items():
        found = clinic.coefficients[column]
        assert found.estimate == pytest.approx(estimate, abs=6e-6)
        assert found.error == pytest.approx(error, abs=6e-6)
    assert clinic.log_likelihood is not None
    assert -2 * clinic.log_likelihood == pytest.approx(55.393, abs=6e-4)
    assert clinic.check()


@pytest.mark.parametrize("name", [name for name in ("lizards.csv",) if (FOLDER / name).exists()])
def test_lizards(name: str) -> None:
    _, rows = table(name)
    X, y, counts = [], [], []
    for grahami, opalinus, height, diameter, light, hour in rows:
        x = [height == ">=5ft", diameter == ">2in", light == "shady", hour == "midday", hour == "late"]
        X += [x, x]
        y += [1, 0]
        counts += [float(grahami), float(opalinus)]
    names = ["height>=5ft", "diameter>2in", "lightshady", "timemidday", "timelate"]
    clinic = logistic_clinic(np.array(X, dtype=float), y, names=names, counts=counts)
    assert clinic.kind == "overlapping"
    assert reported(clinic) == [0] * 6
    assert clinic.responsible == ()
    expected = [1.1300, -0.7626, -0.8473, 0.2271, -0.7368, 1.9447]
    assert [one.estimate for one in clinic.coefficients.values()] == pytest.approx(expected, abs=6e-5)
    # All opalinus in the sun, and no fewer: then the light decides.
    sunny = [i for i in range(len(y)) if not X[i][2] and y[i] == 0 and counts[i]]
    assert clinic.removal is not None
    assert clinic.removal.lower == clinic.removal.upper == sum(counts[i] for i in sunny) == 15
    assert list(clinic.removal.rows) == sunny
    assert clinic.removal.infinite == {"lightshady": "-inf", "(offset)": "+inf"}
    assert clinic.check()

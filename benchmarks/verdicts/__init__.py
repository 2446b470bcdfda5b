"""Forty shapes of data, and what a verdict on each costs: `python -m benchmarks.verdicts`, which writes `VERDICTS.md`.

Beside each stands what SciPy's `linprog` and the detector of `firthmodels` take for the same question, by floats. Then
tables on whether a time limit holds, on how narrow brackets of mistakes get, and on real sets, from ROSENBLATT_DATA.
"""

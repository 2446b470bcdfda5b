"""Separation, settled: is there a separating hyperplane, and the exact proof either way.

The search (search.py and what it imports) may be wrong; the checker (verify.py) imports nothing of it, and judges.
"""

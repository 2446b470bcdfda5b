"""Is there a separating hyperplane? The search, and with it margins, mistakes and the clinic.

The search (search.py and what it imports) may be wrong; the checker (proof/verify.py) imports nothing of it, and
judges.
"""

"""The checker: what a proof claims, and whether it holds, in exact arithmetic.

It imports the standard library, NumPy, `errors` and `atomic`, and nothing else: neither the search nor the core.
"""

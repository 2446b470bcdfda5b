"""The verbs of a run: learn, go on, learn from other rows or classes."""

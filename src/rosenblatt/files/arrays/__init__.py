"""Arrays: in memory, and in NumPy's and SciPy's files."""

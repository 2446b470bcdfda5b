"""The report: a plain dictionary, as each result makes its own, put into words.

A dictionary holds what JSON can say, no infinity and no NaN. Whoever prints (a `summary()`, the command line, `--json`)
prints it, and nothing else: the words are made from the dictionary alone, and nothing here knows what made it.
"""

"""The report: what is known, as one plain dictionary for each noun, and that dictionary in words.

A dictionary holds what JSON can say, no infinity and no NaN. Whoever prints (the command line, `--json`) prints it, and
nothing else: the words are made from the dictionary alone.
"""

"""Inputs read in parts: no more of them is in memory than some rows at a time."""

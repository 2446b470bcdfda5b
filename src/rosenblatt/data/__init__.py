"""Rows, labels and hyperplanes: what is learnt from, measured and proved about."""

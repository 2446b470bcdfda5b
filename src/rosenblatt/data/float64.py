"""float64: how far one rounding can be off. (The checker, proof/, keeps its own.)"""

UNIT_ROUNDOFF = 2.0**-53
"""The largest relative error of one rounded operation that neither overflows nor underflows."""

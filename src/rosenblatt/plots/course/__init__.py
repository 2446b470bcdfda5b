"""The course of a run: mistakes, the theorem, losses over the weights, single updates, and all of it moving."""

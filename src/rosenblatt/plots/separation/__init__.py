"""Rows and hyperplanes in the plane: what separates them, what each readout predicts, or why nothing separates."""

"""Rows and labels: what everything is learnt from, measured on and proved about; and the hyperplane between them."""

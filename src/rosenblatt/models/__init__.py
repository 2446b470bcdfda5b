"""Models: what predicts, and the files it is kept in."""

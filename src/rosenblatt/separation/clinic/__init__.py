"""The clinic: what a statistician needs when a logistic regression diverges."""

"""The cache: rows of an input that was read once, kept on the disk for further passes over them."""

"""Studies: everything about a data set, from the verdict to the weights, in one dictionary and a folder of files."""

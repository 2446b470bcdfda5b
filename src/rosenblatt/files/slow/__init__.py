"""A second pair of eyes: text and tables read in plain Python, which shares nothing with the other readers."""

"""The nouns of a run, and what it can be asked: how it was set up, where it stands, why it ended, what it proves."""

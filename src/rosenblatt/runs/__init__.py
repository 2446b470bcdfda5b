"""The nouns of a run: how it was set up, where it stands, why it ended, what it proves."""

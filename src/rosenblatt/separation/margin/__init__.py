"""The largest margin: bracketed, and exact where few rows hold it."""

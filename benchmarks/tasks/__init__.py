"""One file a task: `tasks(quick)` gives what is raced, on which data, and what counts as the same work."""

"""The referee and its contests: `python -m benchmarks`.

One file a peer (`peers/`), one file a task (`tasks/`), one referee, one table. A new task is a new
file in `tasks/`, a new peer a new file in `peers/`: both are found by themselves.
Nothing is imported here, because `pins` must set the thread counts before NumPy is loaded.
"""

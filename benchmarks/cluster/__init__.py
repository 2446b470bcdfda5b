"""Beyond one machine: `python -m benchmarks.cluster`, which writes `CLUSTER.md` and the table of docs/scale.md.

Workers that are processes of their own hold eight gigabytes of rows: what a second worker saves, what a round of tasks
costs, what goes through the network, and what a model of these costs says of a thousand workers. Then what mixing does
to the accuracy on real sets, and a verdict beside the one in memory.
"""

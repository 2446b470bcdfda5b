"""Files larger than memory: `python -m benchmarks.streams`, which writes `STREAMS.md`.

A text file of 4 GB is made, learnt from as it is read, and again out of its cache, beside Vowpal Wabbit: how much
memory that takes, how the time grows, what the cache saves, what checkpoints cost, and what the disk has to do with it.
"""

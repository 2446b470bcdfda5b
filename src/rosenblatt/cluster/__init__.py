"""Beyond one machine: the same engine on a cluster, Dask first. Shards are sources; nobody gathers their rows."""

from .learning import learn as learn
from .learning import sharded as sharded

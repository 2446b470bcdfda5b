"""The framework: a command takes `Settings` and what it asked for, and gives an `Answer`.

    @command
    @data_argument
    @reading_options
    @click.option("--epochs", …)
    def train(settings: Settings, data: str, epochs: int) -> Answer:
        '''The first line is what `rosenblatt --help` shows.'''

This is the door for commands: each name is defined in one of the files imported below, which import from each other
and not from here.

Whatever is imported at the top of such a file is imported by `rosenblatt --help`: click and the standard library only.
"""

from .answers import Answer, say
from .command import command
from .settings import Settings
from .shared_options import (
    cluster_options,
    counts_option,
    data_argument,
    positive_option,
    proof_option,
    reading_options,
    stream_options,
    time_limit_option,
)

__all__ = [
    "Answer",
    "Settings",
    "cluster_options",
    "command",
    "counts_option",
    "data_argument",
    "positive_option",
    "proof_option",
    "reading_options",
    "say",
    "stream_options",
    "time_limit_option",
]

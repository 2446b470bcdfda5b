"""`rosenblatt cache`: what --stream keeps on the disk."""

import click

from .framework import Answer, Settings, command


@command
@click.argument("action", metavar="[list|clear]", type=click.Choice(["list", "clear"]), default="list")
def cache(settings: Settings, action: str) -> Answer:
    """List or clear what --stream keeps on the disk.

    The first command with --stream reads a file once and keeps its rows in the user's cache folder, so that every
    further pass, and every further command, is quick. It is known by the file's path, size, time of change and a sample
    of its bytes: of a file that was changed a new one is made, and one that is damaged is made again.

    All together take at most 64 GB (ROSENBLATT_CACHE_SIZE), and a tenth of the disk is left free: what has not been
    used for longest goes by itself. ROSENBLATT_CACHE_DIR says another folder.
    """
    from ..files.cache.folder import cache_folder, clear, entries
    from ..report.cache import cache_text

    found = entries()
    removed = clear() if action == "clear" else (0, 0)
    report = {
        "folder": str(cache_folder()),
        "action": action,
        "caches": [
            {
                "data": one.name,
                "rows": one.rows,
                "columns": one.columns,
                "bytes": one.size,
                "used": one.used,
                "file": one.path.name,
            }
            for one in found
        ],
        "removed": {"count": removed[0], "bytes": removed[1]},
    }
    return Answer(report, cache_text)

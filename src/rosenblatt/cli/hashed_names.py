"""`train --hash-names`: the names of hashed features, by the column they went to."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..files.sheet import Sheet


def write_names(sheet: "Sheet", path: str) -> None:
    """A line for each name: its column, a tab, the name."""
    from ..atomic import replace_file
    from ..files.text.hashing import columns_of_names

    columns = columns_of_names(sheet.hashed, int(sheet.reading.hash_bits or 0))
    lines = (f"{column}\t{name}\n" for column, name in sorted(zip(columns.tolist(), sheet.hashed, strict=True)))
    replace_file(path, "".join(lines).encode())

"""Files of tables whose columns have types: Parquet, and Arrow's own; through pyarrow."""

from ...errors import InputError
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .arrow import pyarrow_for, undamaged
from .typed import sheet_of_table


def read_parquet(opened: InputFile, options: Options) -> Sheet:
    """A Parquet file."""
    pa = pyarrow_for(opened.name)
    import pyarrow.parquet as pq

    options.refuse(opened.name, "Parquet", "parquet")
    if not opened.peek(4).startswith(b"PAR1"):
        raise InputError(f"{opened.name}: no Parquet file; expected one that begins with PAR1")
    with undamaged(opened.name, "Parquet"):
        table = pq.ParquetFile(pa.BufferReader(opened.all_bytes())).read(use_threads=options.threads > 1)
        table.validate(full=True)
    return sheet_of_table(opened.name, "parquet", table, options)


def read_arrow(opened: InputFile, options: Options) -> Sheet:
    """An Arrow IPC file or stream, which a Feather file (version 2) is too."""
    pa = pyarrow_for(opened.name)
    options.refuse(opened.name, "Arrow", "arrow")
    if opened.peek(8).startswith(b"\0\0\0\0"):
        raise InputError(f"{opened.name}: no Arrow data, zeros; expected an IPC file or stream")
    data = opened.all_bytes()
    if data.startswith(b"FEA1"):
        raise InputError(f"{opened.name}: Feather of version 1; expected version 2, which is Arrow IPC: write it again")
    with undamaged(opened.name, "Arrow"):
        reader = pa.ipc.open_file if data.startswith(b"ARROW1") else pa.ipc.open_stream
        table = reader(pa.BufferReader(data)).read_all()
        table.validate(full=True)  # what was read is not looked at before, and a wrong offset crashes
    return sheet_of_table(opened.name, "arrow", table, options)

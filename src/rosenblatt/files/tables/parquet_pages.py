"""The pages of a Parquet file: how much of it is in memory at once when its rows are read in order.

A column of a row group is a chain of pages, each behind a header that says how large it is, packed and unpacked; a page
is unpacked as a whole. What a header says is read here (a struct of Thrift's compact protocol; parquet.thrift,
PageHeader), so that a small file which unpacks into gigabytes is refused before any of it is unpacked.
"""

import os
from typing import Any

from ...errors import InputError

AT_ONCE = 2**27
"""Bytes that the pages which are read at the same time may unpack to."""

_HEADER = 2**13  # bytes of a header that are looked at: statistics are in it
_LONGEST_HEADER = 2**20
_DICTIONARY = 2


def check_pages(name: str, path: str, metadata: Any) -> None:
    """Raises `InputError` if the pages that are read together are too large: the largest one of each column."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        for i in range(metadata.num_row_groups):
            group, together = metadata.row_group(i), 0
            for j in range(group.num_columns):
                chunk = group.column(j)
                starts = [at for at in (chunk.dictionary_page_offset, chunk.data_page_offset) if at]
                if chunk.num_values and starts:
                    together += _largest(name, file, min(starts), chunk.total_compressed_size)
                if together > AT_ONCE:
                    raise InputError(
                        f"{name}: row group {i}: pages that unpack to more than {AT_ONCE >> 20} MB at once; expected"
                        " smaller ones: write it again, with fewer rows in a page (data_page_size)"
                    )
    finally:
        os.close(file)


def _largest(name: str, file: int, start: int, size: int) -> int:
    """The bytes of the largest page of a column, and of its dictionary."""
    end, largest, dictionary = start + size, 0, 0
    while start < end:
        kind, unpacked, packed, length = _page(name, file, start)
        if kind == _DICTIONARY:
            dictionary = max(dictionary, unpacked)
        largest = max(largest, unpacked)
        if min(packed, unpacked) < 0 or length <= 0:
            raise _damaged(name)
        start += length + packed
    return largest + dictionary


def _page(name: str, file: int, start: int) -> tuple[int, int, int, int]:
    """Its kind, its size unpacked and packed, and the length of its header."""
    size = _HEADER
    while True:
        data = os.pread(file, size, start)
        try:
            fields, length = _struct(data, 0)
            return fields.get(1, 0), fields.get(2, -1), fields.get(3, -1), length
        except (IndexError, RecursionError):
            if len(data) < size or size >= _LONGEST_HEADER:
                raise _damaged(name) from None
            size = _LONGEST_HEADER


def _damaged(name: str) -> InputError:
    return InputError(f"{name}: damaged, or no Parquet data (a page without a header); expected a sound file")


def _struct(data: bytes, at: int) -> tuple[dict[int, int], int]:
    """The whole numbers of a struct by their field, and where it ends. All else is passed over."""
    fields: dict[int, int] = {}
    field = 0
    while (byte := data[at]) & 15:
        at += 1
        if byte >> 4:
            field += byte >> 4
        else:
            field, at = _signed(data, at)
        if byte & 15 in (4, 5, 6):
            fields[field], at = _signed(data, at)
        else:
            at = _passed(data, at, byte & 15)
    return fields, at + 1


def _passed(data: bytes, at: int, kind: int) -> int:
    """Behind a value of this type."""
    if kind in (1, 2):  # true and false, of which the type says all
        return at
    if kind == 3:
        return at + 1
    if kind in (4, 5, 6):
        return _varint(data, at)[1]
    if kind == 7:
        return at + 8
    if kind == 8:
        length, at = _varint(data, at)
        if at + length > len(data):
            raise IndexError
        return at + length
    if kind == 12:
        return _struct(data, at)[1]
    if kind in (9, 10):
        count, inner, at = data[at] >> 4, data[at] & 15, at + 1
        if count == 15:
            count, at = _varint(data, at)
        for _ in range(count):
            at = at + 1 if inner in (1, 2) else _passed(data, at, inner)
            if at > len(data):
                raise IndexError
        return at
    raise IndexError  # a map: no header has one


def _signed(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    return (value >> 1) ^ -(value & 1), at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if not byte & 128:
            return value, at
        if shift > 70:
            raise IndexError

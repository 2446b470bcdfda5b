"""Files as bytes: plain or packed, whole or damaged, from a disk or a pipe."""

import bz2
import gzip
import lzma
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from rosenblatt.errors import InputError
from rosenblatt.files.compression import BLOCK
from rosenblatt.files.opening import InputFile

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.ZstdCompressor().compress,
}


def noise(size: int, seed: int = 0) -> bytes:
    """Text that packs about as well as numbers do."""
    return bytes(random.Random(seed).choices(b"0123456789 .:\n", k=size))


def all_of(path: Path | str) -> bytes:
    with InputFile(path) as opened:
        return opened.all_bytes()


@pytest.mark.parametrize("how", ["plain", *PACK])
@pytest.mark.parametrize("size", [0, 1, 5, 70_000, 2**18 + 1])
def test_what_was_packed_comes_out_and_the_name_does_not_matter(tmp_path: Path, how: str, size: int) -> None:
    text = noise(size)
    path = tmp_path / "data.txt"
    path.write_bytes(text if how == "plain" else PACK[how](text))
    with InputFile(path) as opened:
        assert opened.compression == (None if how == "plain" else how)
        assert (opened.plain_path is None) == (how != "plain")
        assert opened.peek(3)[:3] == text[:3]
        assert opened.all_bytes() == text


@pytest.mark.parametrize("how", ["plain", *PACK])
def test_a_file_that_shrinks_while_it_is_read_is_no_shorter_file(tmp_path: Path, how: str) -> None:
    path = tmp_path / "data.txt"
    whole = noise(2**19) if how == "plain" else PACK[how](noise(2**19))
    path.write_bytes(whole)
    with InputFile(path) as opened:
        os.truncate(path, 2**17)
        with pytest.raises(InputError, match=f"131072 bytes, but {len(whole)} when it was opened; expected a file"):
            opened.all_bytes()
    path.write_bytes(whole)
    with InputFile(path) as opened:
        blocks = opened.blocks(2**16)
        next(blocks)
        with path.open("ab") as more:
            more.write(noise(10) if how == "plain" else PACK[how](noise(10)))
        assert 2**16 + len(b"".join(map(bytes, blocks))) == 2**19 + 10  # one that grows is read to its end


@pytest.mark.parametrize("how", PACK)
def test_streams_one_behind_the_other_are_one_file(tmp_path: Path, how: str) -> None:
    parts = [noise(size, size) for size in (100_000, 1, 0, 70_000)]
    (tmp_path / "x").write_bytes(b"".join(map(PACK[how], parts)))
    assert all_of(tmp_path / "x") == b"".join(parts)


def test_padding_behind_a_stream_is_no_damage(tmp_path: Path) -> None:
    for how in ("gzip", "xz"):
        (tmp_path / "x").write_bytes(PACK[how](b"1 1:1\n") + b"\0" * 512)
        assert all_of(tmp_path / "x") == b"1 1:1\n"


@pytest.mark.parametrize("how", PACK)
def test_a_stream_that_is_cut_anywhere_is_never_taken_for_a_whole_one(tmp_path: Path, how: str) -> None:
    packed = PACK[how](noise(3000))
    for length in [*range(6, 40), *range(40, len(packed), 53), len(packed) - 1]:
        (tmp_path / "x").write_bytes(packed[:length])
        with pytest.raises(InputError, match=rf"x: (the {how} stream is cut off|damaged {how} data)"):
            all_of(tmp_path / "x")


@pytest.mark.parametrize("how", PACK)
def test_damage_is_named_or_harmless(tmp_path: Path, how: str) -> None:
    text = noise(3000)
    packed = PACK[how](text)
    found = []
    for at in range(8, len(packed), 37):
        (tmp_path / "x").write_bytes(packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :])
        try:
            assert all_of(tmp_path / "x") == text or how == "zstd"  # which here has no checksum of its own
        except InputError as error:
            found.append(str(error))
    assert len(found) > 5
    assert all(line.startswith(f"{tmp_path / 'x'}: ") and "\n" not in line for line in found)


def test_junk_behind_a_stream_is_an_error(tmp_path: Path) -> None:
    for how in PACK:
        (tmp_path / "x").write_bytes(PACK[how](b"1 1:1\n") + b"junk")
        with pytest.raises(InputError, match=f"x: .*{how}"):
            all_of(tmp_path / "x")


@pytest.mark.serial
@pytest.mark.parametrize("how", PACK)
def test_a_bomb_is_unpacked_a_block_at_a_time(tmp_path: Path, how: str) -> None:
    (tmp_path / "x").write_bytes(PACK[how](b"\n" * 2**26))
    code = (
        "import re\n"
        "from rosenblatt.files.opening import InputFile\n"
        # Not by getrusage: what that says of a child begins with the peak of the process that started it.
        "def peak(): return int(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])\n"
        f"with InputFile({str(tmp_path / 'x')!r}) as opened:\n"
        "    before = peak()\n"
        "    total = sum(len(block) for block in opened.blocks())\n"
        "    print(total, peak() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    total, grown = map(int, done.stdout.split())
    assert total == 2**26
    assert grown < 50_000  # kilobytes


def test_what_cannot_be_opened_is_named_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none: No such file or directory; expected the name of a file"):
        InputFile(tmp_path / "none")
    with pytest.raises(InputError, match=r": a folder; expected a file"):
        InputFile(tmp_path)
    with pytest.raises(InputError, match="null"):
        InputFile("a\0b")


@pytest.mark.parametrize("size", [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_blocks_are_full_but_for_the_last(tmp_path: Path, size: int) -> None:
    text = noise(70_001) * (size // 70_001 + 1)
    (tmp_path / "x").write_bytes(text[:size])
    with InputFile(tmp_path / "x") as opened:
        blocks = [bytes(block) for block in opened.blocks()]
    assert b"".join(blocks) == text[:size]
    assert all(len(block) == BLOCK for block in blocks[:-1])


@pytest.mark.slow
def test_progress_is_of_the_bytes_as_they_are_stored(tmp_path: Path) -> None:
    for how in ("plain", "gzip"):
        told: list[tuple[int, int | None]] = []
        text = noise(70_001) * (3 * BLOCK // 70_001)
        (tmp_path / "x").write_bytes(text if how == "plain" else PACK[how](text))
        size = (tmp_path / "x").stat().st_size
        with InputFile(tmp_path / "x", lambda done, size, told=told: told.append((done, size))) as opened:  # type: ignore[misc]
            assert opened.all_bytes() == text
        assert [done for done, _ in told] == sorted(done for done, _ in told)
        assert told[-1] == (size, size)


@pytest.mark.serial
def test_a_reader_that_has_seen_enough_leaves_no_thread_behind(tmp_path: Path) -> None:
    import threading

    (tmp_path / "x").write_bytes(bytes(3 * BLOCK))
    before = threading.active_count()
    with InputFile(tmp_path / "x") as opened:
        blocks = opened.blocks()
        next(blocks)
        blocks.close()
    assert threading.active_count() == before


@pytest.mark.serial
def test_a_failed_read_does_not_disturb_the_next(tmp_path: Path) -> None:
    """The descriptor's number is used again at once: nobody may still be reading from it."""
    good, bad = b"1 1:1\n" * 400_000, b"x\n" + b"1 1:1\n" * 2_000_000
    (tmp_path / "bad").write_bytes(gzip.compress(bad, 1))
    (tmp_path / "good").write_bytes(gzip.compress(good, 1))
    for _ in range(5):
        with InputFile(tmp_path / "bad") as opened:
            next(opened.blocks())
        assert all_of(tmp_path / "good") == good


@pytest.mark.parametrize("how", ["plain", "gzip"])
def test_standard_input_is_read_once_from_a_pipe(how: str) -> None:
    text = noise(200_000)
    code = (
        "import hashlib\nfrom rosenblatt.files.opening import InputFile\n"
        "with InputFile('-') as opened:\n"
        "    opened.peek(100)\n"
        "    print(opened.name, opened.size, hashlib.sha256(opened.all_bytes()).hexdigest())\n"
    )
    given = text if how == "plain" else gzip.compress(text)
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=True, timeout=60)
    import hashlib

    assert done.stdout.decode().split() == ["standard", "input", "None", hashlib.sha256(text).hexdigest()]


def test_a_pipe_in_the_file_system_will_do(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = subprocess.Popen(["sh", "-c", f"printf '1 1:1\\n' > {tmp_path / 'pipe'}"])
    assert all_of(tmp_path / "pipe") == b"1 1:1\n"
    assert writer.wait(10) == 0

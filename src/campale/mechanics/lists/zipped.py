"""A roster in a zip: one file, without a path, and no larger than a roster can be."""

from __future__ import annotations

import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from campale.mechanics.lists.record import MOST_BYTES, ListError, say

MAGIC = b"PK\x03\x04"
MOST_RATIO, HARMLESS = 200, 2_000_000
"""The highest compression ratio of a zip that unpacks to more than this many bytes."""

ENCRYPTED = 0x1
PATHS = ("/", "\\", ":", "..", "\0")


def unzipped(data: bytes) -> bytes:
    """The only file of a zip. Raises ListError."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            entry = only(archive.infolist())
            with archive.open(entry) as stream:
                content = stream.read(MOST_BYTES + 1)
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        if isinstance(error, ListError):
            raise
        raise ListError(say("bad-zip")) from None
    is_bomb = len(content) > HARMLESS and len(content) > MOST_RATIO * len(data)
    if len(content) > MOST_BYTES or is_bomb:
        raise ListError(say("large", most=MOST_BYTES // 1_000_000))
    return content


def only(entries: list[ZipInfo]) -> ZipInfo:
    if len(entries) != 1:
        raise ListError(say("zip-entries", count=len(entries)))
    entry = entries[0]
    if any(sign in entry.orig_filename for sign in PATHS) or entry.is_dir():
        raise ListError(say("zip-path", name=repr(entry.filename[:60])))
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ListError(say("bad-zip"))
    if entry.file_size > MOST_BYTES:
        raise ListError(say("large", most=MOST_BYTES // 1_000_000))
    return entry

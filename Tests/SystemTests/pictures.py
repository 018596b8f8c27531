# SPDX-License-Identifier: Apache-2.0
"""Pictures to be uploaded, and what is seen of those that are shown."""

import struct
import zlib

# What a telephone writes into its pictures, and nobody else may read.
SECRET = b"taken at 37.5665 N 126.9780 E"


def picture(width, height, colour):
    """A PNG of one colour, with a text that is nobody's business."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + bytes(colour) * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"tEXt", b"Comment\0" + SECRET)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def size(jpeg):
    """Width and height, by the segment that begins the frame (ITU-T T.81, B.2.2)."""
    assert jpeg[:2] == b"\xff\xd8", jpeg[:16]
    at = 2
    while True:
        mark, length = struct.unpack_from(">HH", jpeg, at)
        if mark in (0xFFC0, 0xFFC1, 0xFFC2):
            height, width = struct.unpack_from(">HH", jpeg, at + 5)
            return width, height
        at += 2 + length

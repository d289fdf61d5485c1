"""WebM of one VP9 track, after Matroska's element ids (RFC 9559): header, clusters that begin with key frames, cues."""

import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

EBML: Final = 0x1A45DFA3
SEGMENT, INFO, TRACKS, CLUSTER, CUES = 0x18538067, 0x1549A966, 0x1654AE6B, 0x1F43B675, 0x1C53BB6B
UNIT_NS: Final = 1_000_000  # times are in milliseconds
BLOCK_MOST_MS: Final = 32_767  # after the beginning of its cluster


class Frame(NamedTuple):
    """An encoded picture, from when it is seen. ``is_key``: it can be drawn without those before it."""

    ms: int
    is_key: bool
    data: bytes


def element(name: int, content: bytes | int | str | float) -> bytes:
    """An element of EBML: its id, its length in eight bytes, its content."""
    if isinstance(content, int):
        content = content.to_bytes(8, "big")
    elif isinstance(content, str):
        content = content.encode()
    elif isinstance(content, float):
        content = struct.pack(">d", content)
    return name.to_bytes(-(-name.bit_length() // 8), "big") + (1 << 56 | len(content)).to_bytes(8, "big") + content


def webm(frames: Sequence[Frame], width: int, height: int) -> bytes:
    """Return the file. The first frame is a key frame; the last one is not shown, it says how long the one before is.

    Raises:
        ValueError: no frames, or none of them a key frame where a cluster has to begin.
    """
    if len(frames) < 2 or not frames[0].is_key:
        raise ValueError("a video begins with a key frame and has a last one that ends it")
    head = element(
        EBML,
        element(0x4286, 1) + element(0x42F7, 1) + element(0x42F2, 4) + element(0x42F3, 8)
        + element(0x4282, "webm") + element(0x4287, 4) + element(0x4285, 2),
    )  # fmt: skip
    name = "pecking-order"
    info = element(
        INFO,
        element(0x2AD7B1, UNIT_NS)
        + element(0x4489, float(frames[-1].ms))
        + element(0x4D80, name)
        + element(0x5741, name),
    )
    video = element(0xE0, element(0xB0, width) + element(0xBA, height))
    track = element(0xD7, 1) + element(0x73C5, 1) + element(0x83, 1) + element(0x9C, 0) + element(0x86, "V_VP9") + video
    body, cues = info + element(TRACKS, element(0xAE, track)), b""
    for group in _clusters(frames):
        start = group[0].ms
        cues += element(0xBB, element(0xB3, start) + element(0xB7, element(0xF7, 1) + element(0xF1, len(body))))
        body += element(CLUSTER, element(0xE7, start) + b"".join(_block(one, start) for one in group))
    return head + element(SEGMENT, body + element(CUES, cues))


def _clusters(frames: Sequence[Frame]) -> list[list[Frame]]:
    groups: list[list[Frame]] = []
    for frame in frames:
        if frame.is_key:
            groups.append([])
        elif frame.ms - groups[-1][0].ms > BLOCK_MOST_MS:
            raise ValueError(f"no key frame within {BLOCK_MOST_MS} ms before {frame.ms}")
        groups[-1].append(frame)
    return groups


def _block(frame: Frame, start: int) -> bytes:
    return element(
        0xA3, b"\x81" + (frame.ms - start).to_bytes(2, "big") + (0x80 if frame.is_key else 0).to_bytes() + frame.data
    )

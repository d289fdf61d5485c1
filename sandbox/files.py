"""Check the file names of an upload and split its files into messages for the box."""

from collections.abc import Iterator, Mapping
from typing import Final

from games.protocol import BotFault, Verdict

from .inside import wire

# Larger than any upload that the site accepts; these limits only keep the box's small file system from overflowing.
_MOST_FILES: Final = 500
_MOST_BYTES: Final = 32 * 1024 * 1024
_LONGEST_NAME: Final = 200
_DEEPEST: Final = 16


def upload_paths_check(files: Mapping[str, bytes]) -> None:
    """Check that every file can be written below /bot under its own name, and nowhere else.

    Raises:
        BotFault: import_error, naming the file.
    """
    if "bot.py" not in files:
        raise _unusable("there is no bot.py")
    if len(files) > _MOST_FILES:
        raise _unusable(f"{len(files)} files; at most {_MOST_FILES} are allowed")
    if sum(map(len, files.values())) > _MOST_BYTES:
        raise _unusable(f"the files have more than {_MOST_BYTES} bytes")
    for name in files:
        parts = name.split("/")
        bad = (
            len(name.encode("utf-8", "replace")) > _LONGEST_NAME
            or len(parts) > _DEEPEST
            or not name.isprintable()  # also refuses invalid Unicode
            or any(part in ("", ".", "..") for part in parts)
            or any("/".join(parts[:depth]) in files for depth in range(1, len(parts)))
        )
        if bad:
            raise _unusable(f"the file name {name[:_LONGEST_NAME]!r} is not possible")


def upload_pieces(files: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield the contents of the files, in order, in pieces that fit into a message."""
    for data in files.values():
        for start in range(0, len(data), wire.CHUNK):
            yield data[start : start + wire.CHUNK]


def _unusable(reason: str) -> BotFault:
    return BotFault(Verdict.IMPORT_ERROR, f"the upload cannot be unpacked: {reason}")

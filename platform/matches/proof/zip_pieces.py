"""A zip archive that is sent as it is written: of its parts no more than a piece is in memory."""

from collections.abc import Iterable, Iterator
from typing import IO, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PIECE: Final = 2**16  # bytes sent at once, about


def zip_pieces(parts: Iterable[tuple[str, Iterable[bytes]]], *, is_large: bool = False) -> Iterator[bytes]:
    """Return the pieces of a zip of these ``parts``, each a name and its content; each is read once, in order. It tells
    no time. ``is_large``: a part may have more than 2 GiB."""
    sent = _Sent()
    with ZipFile(cast("IO[bytes]", sent), "w", ZIP_DEFLATED) as archive:
        for name, content in parts:
            with archive.open(_info(name), "w", force_zip64=is_large) as file:
                for data in content:
                    file.write(data)
                    if sent.waiting > PIECE:
                        yield sent.taken()
            if sent.waiting > PIECE:
                yield sent.taken()
    yield sent.taken()


class _Sent:
    """Where the archive is written: what was written since it was last taken. It cannot be sought in."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing is kept back."""

    def taken(self) -> bytes:
        pieces, self._pieces, self.waiting = self._pieces, [], 0
        return b"".join(pieces)


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name)  # an info of its own carries no time
    info.compress_type = ZIP_DEFLATED
    return info

"""A proof's archive, written piece by piece while it is sent."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Final, cast
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from matches.proof.archive import CHAIN, INDEX, NAMES, RECORDS, index_text, line_of
from matches.proof.chain import Link, canonical

PIECE: Final = 2**16  # bytes sent at once, about


def packed(
    *,
    name: str,
    head: Link,
    secrets: list[bytes],
    names: Mapping[str, object],
    links: Iterable[Link],
    records: Iterable[bytes],
) -> Iterator[bytes]:
    """Return the pieces of the zip; see ``proof.archive``."""
    sent = _Sent()
    with ZipFile(cast("IO[bytes]", sent), "w", ZIP_DEFLATED) as archive:
        archive.writestr(_info(INDEX), index_text(name, head, secrets))
        archive.writestr(_info(NAMES), canonical(names))
        for part, lines in ((CHAIN, _lines(links)), (RECORDS, map(b64encode, records))):
            with archive.open(_info(part), "w") as file:
                for line in lines:
                    file.write(line + b"\n")
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


def _lines(links: Iterable[Link]) -> Iterator[bytes]:
    for link in links:
        yield line_of(link).encode("ascii")

"""The file of a backup: a zip of members, and of a manifest that says how long each is and what its digest.

The manifest is written last and the file gets its name when all is on the disk, so what has the name is whole. Digests
find what was damaged, or changed without its manifest. A change of both is found only by the digest of the
whole file, which ``backup`` prints.
"""

import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import msgspec

FORMAT: Final = 1  # frozen: backup
MANIFEST: Final = "manifest.json"
MANIFEST_BYTES_MOST: Final = 64 * 1024 * 1024
PIECE: Final = 1024 * 1024  # bytes that are held in memory at a time


class BackupError(Exception):
    """A backup cannot be made, or this file not be restored here; the message says why and what to do."""


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in the archive: its length in bytes, and its digest in hexadecimal digits."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the archive is: ``migrations`` are those of the release which the ``database``,
    sqlite or postgresql, had taken, as ``app.name``."""

    format: int
    made_at: str
    database: str
    migrations: list[str]
    members: dict[str, Member]


class ArchiveWriter:
    """Takes the members of an archive, one after the other."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._zip = file
        self.members: dict[str, Member] = {}

    def add(self, name: str, source: IO[bytes]) -> None:
        """Copy ``source`` to its end into the member ``name``."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(name, "w", force_zip64=True) as member:
            while piece := source.read(PIECE):
                digest.update(piece)
                size += len(piece)
                member.write(piece)
        self.members[name] = Member(size, digest.hexdigest())

    def close(self, manifest: Manifest) -> None:
        """Write the manifest, which must hold ``members``."""
        self._zip.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))


class ArchiveReader:
    """An archive whose manifest was read and whose members are those that it names."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._zip = file
        names = [info.filename for info in file.infolist()]
        if names.count(MANIFEST) != 1 or file.getinfo(MANIFEST).file_size > MANIFEST_BYTES_MOST:
            raise BackupError("This file is no backup of a site: it has no manifest.")
        try:
            self.manifest = msgspec.json.decode(file.read(MANIFEST), type=Manifest)
        except msgspec.DecodeError as error:
            raise BackupError(f"The manifest of this backup cannot be read: {error}.") from None
        if self.manifest.format != FORMAT:
            raise BackupError(f"This backup has format {self.manifest.format}; this release reads {FORMAT}.")
        if sorted(names) != sorted([*self.manifest.members, MANIFEST]):
            raise BackupError("This backup holds other members than its manifest names: it is damaged or was changed.")

    def copy(self, name: str, to: IO[bytes]) -> None:
        """Copy the member ``name`` to ``to``.

        Raises:
            BackupError: it is not what the manifest says, which may be found only when all of it has been copied.
        """
        expected = self.manifest.members[name]
        digest, size = hashlib.sha256(), 0
        with _damage(), self._zip.open(name) as member:
            while piece := member.read(PIECE):
                size += len(piece)
                if size > expected.size:
                    break
                digest.update(piece)
                to.write(piece)
        if (size, digest.hexdigest()) != (expected.size, expected.sha256):
            raise BackupError(f"The member {name} is not what its manifest says: the backup is damaged or was changed.")


@contextmanager
def archive_made(path: Path) -> Iterator[ArchiveWriter]:
    """Make the archive at ``path``, which is there only when the block has ended without an error.

    Raises:
        BackupError: there is a file of that name already.
    """
    if path.exists():
        raise BackupError(f"{path} is there already: name another file.")
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("xb") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                yield ArchiveWriter(archive)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def archive_opened(path: Path) -> Iterator[ArchiveReader]:
    """Open the archive at ``path``.

    Raises:
        BackupError: it is no whole archive of a format that this release reads.
    """
    with _read(path), _damage():
        archive = zipfile.ZipFile(path)
    with archive:
        with _damage():
            reader = ArchiveReader(archive)
        yield reader


def file_digest(path: Path) -> str:
    """Return the SHA-256 of the file in hexadecimal digits.

    Raises:
        BackupError: it cannot be read.
    """
    with _read(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _read(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from None


@contextmanager
def _damage() -> Iterator[None]:
    # Beside its own errors zipfile lets those of what it calls pass.
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BackupError(f"This file is no whole backup: {error}. Take another copy of it.") from None

"""The archive of a backup: a zip file with a manifest of the size and SHA-256 of each member.

The file gets its final name only after fsync, so a file with that name is complete. The digests in the manifest detect
damaged or changed members. A change of both a member and the manifest is detected only by the digest of the whole file,
which ``backup`` prints.
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
CHUNK: Final = 1024 * 1024  # bytes read into memory at a time


class BackupError(Exception):
    """A backup cannot be made, or this file cannot be restored here. The message says why and what to do."""


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file in the archive: its length in bytes and its digest in hexadecimal digits."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest. ``database`` is "sqlite" or "postgresql". ``migrations`` are the applied migrations as
    ``app.name``.
    """

    format: int
    made_at: str
    database: str
    migrations: list[str]
    members: dict[str, Member]


class ArchiveWriter:
    """Write the members of an archive one after another."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._zip = file
        self.members: dict[str, Member] = {}

    def add(self, name: str, source: IO[bytes]) -> None:
        """Copy all of ``source`` into the member ``name``."""
        digest, size = hashlib.sha256(), 0
        with self._zip.open(name, "w", force_zip64=True) as member:
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                size += len(chunk)
                member.write(chunk)
        self.members[name] = Member(size, digest.hexdigest())

    def close(self, manifest: Manifest) -> None:
        """Write the manifest. It must contain ``members``."""
        self._zip.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))


class ArchiveReader:
    """Read an archive that contains exactly the members of its manifest."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._zip = file
        names = [info.filename for info in file.infolist()]
        if names.count(MANIFEST) != 1 or file.getinfo(MANIFEST).file_size > MANIFEST_BYTES_MOST:
            raise BackupError("This file is not a backup of a site: it has no manifest.")
        try:
            self.manifest = msgspec.json.decode(file.read(MANIFEST), type=Manifest)
        except msgspec.DecodeError as error:
            raise BackupError(f"The manifest of this backup cannot be read: {error}.") from None
        if self.manifest.format != FORMAT:
            raise BackupError(f"This backup has format {self.manifest.format}; this release reads {FORMAT}.")
        if sorted(names) != sorted([*self.manifest.members, MANIFEST]):
            raise BackupError(
                "This backup does not contain exactly the members of its manifest: it is damaged or was changed."
            )

    def copy(self, name: str, to: IO[bytes]) -> None:
        """Copy the member ``name`` to ``to``.

        Raises:
            BackupError: the member differs from the manifest. Some differences are found only after the whole member
            was copied.
        """
        expected = self.manifest.members[name]
        digest, size = hashlib.sha256(), 0
        with _damage_reported(), self._zip.open(name) as member:
            while chunk := member.read(CHUNK):
                size += len(chunk)
                if size > expected.size:
                    break
                digest.update(chunk)
                to.write(chunk)
        if (size, digest.hexdigest()) != (expected.size, expected.sha256):
            raise BackupError(f"The member {name} is not what its manifest says: the backup is damaged or was changed.")


@contextmanager
def backup_archive_made(path: Path) -> Iterator[ArchiveWriter]:
    """Open a new archive for writing. It appears at ``path`` only if the block succeeds.

    Raises:
        BackupError: a file of that name exists.
    """
    if path.exists():
        raise BackupError(f"{path} already exists; choose another name.")
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
def backup_archive_opened(path: Path) -> Iterator[ArchiveReader]:
    """Open the archive at ``path``.

    Raises:
        BackupError: it is not a complete archive in a format that this release reads.
    """
    with _os_errors_reported(path), _damage_reported():
        archive = zipfile.ZipFile(path)
    with archive:
        with _damage_reported():
            reader = ArchiveReader(archive)
        yield reader


def backup_file_digest(path: Path) -> str:
    """Return the SHA-256 of the file in hexadecimal digits.

    Raises:
        BackupError: the file cannot be read.
    """
    with _os_errors_reported(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _os_errors_reported(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from None


@contextmanager
def _damage_reported() -> Iterator[None]:
    # zipfile also raises errors of its compression libraries.
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise BackupError(f"This backup is incomplete or damaged: {error}. Use another copy.") from None

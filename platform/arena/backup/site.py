"""Back up the site that these settings name, and restore one into settings that name an empty site."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from arena.backup.archive import FORMAT, ArchiveWriter, BackupError, Manifest, archive_made, archive_opened, file_digest
from arena.backup.databases import (
    database_dump,
    database_is_empty,
    database_load,
    dump_require,
    migrations_applied,
    migrations_unknown,
    sqlite_path,
)
from arena.embedded.paths import AlreadyRunning, only_one
from bots.models import BotPackage
from bots.package_store import PackageAway, object_put, object_read, stored_outside

DATABASE: Final = "database"
SECRET_KEY: Final = "secret_key"  # noqa: S105  a file's name
VAPID_KEY: Final = "vapid_key"
PASSWORD: Final = "organiser_password"  # noqa: S105  a file's name
PACKAGES: Final = "packages"  # the objects of a storage
PACKAGE: Final = re.compile(rf"{PACKAGES}/[0-9a-f]{{64}}-[0-9a-f]{{16}}")


def site_backup(path: Path) -> Manifest:
    """Write the site to the archive ``path`` and return its manifest. The site may go on meanwhile.

    The file is for its owner only. The keys are in it where they lie in the data directory; those that are set by
    the operator stay in the environment.

    Raises:
        BackupError: it cannot be made; nothing is left of it.
    """
    dump_require()
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as work, archive_made(path) as archive:
            # Twice: what is dropped while the database is copied is in the archive, and what is uploaded meanwhile too.
            _packages_add(archive)
            dump = Path(work, DATABASE)
            database_dump(dump)
            _packages_add(archive)
            for name, file in ((DATABASE, dump), *((name, settings.VAR_DIR / name) for name in _kept_files())):
                with file.open("rb") as source:
                    archive.add(name, source)
            made_at = timezone.now().isoformat(timespec="seconds")
            manifest = Manifest(FORMAT, made_at, connection.vendor, migrations_applied(), archive.members)
            archive.close(manifest)
    except PackageAway as error:
        raise BackupError(str(error)) from None
    except OSError as error:
        raise BackupError(f"{error.filename or path} cannot be written: {error.strerror}.") from None
    return manifest


def site_restore(path: Path, *, sha256: str = "") -> Manifest:
    """Make this empty site the one of the archive ``path``, whole or not at all; return the archive's manifest.

    All is read and checked before anything is put in its place, the database last; until then nothing was signed with
    the key that is replaced. With ``sha256`` the archive must have that digest.

    Raises:
        BackupError: the archive is not whole, not of this release, or not of this kind of database; the site is not
            empty, or it runs.
    """
    if sha256 and file_digest(path) != sha256.lower():
        raise BackupError(f"{path} has another digest than {sha256}: it is not the file that was backed up.")
    with archive_opened(path) as archive, site_at_rest():
        _refuse_what_does_not_fit(archive.manifest)
        if not database_is_empty():
            raise BackupError("This site is not empty: restore into one with a new data directory or database.")
        place = sqlite_path().parent if connection.vendor == "sqlite" else settings.VAR_DIR
        with tempfile.TemporaryDirectory(dir=place, prefix=".restore-") as work:
            Path(work, PACKAGES).mkdir()
            for name in archive.manifest.members:
                with Path(work, name).open("xb") as to:
                    archive.copy(name, to)
            _packages_put(Path(work, PACKAGES))
            for name in (SECRET_KEY, VAPID_KEY, PASSWORD):
                if name in archive.manifest.members:
                    (settings.VAR_DIR / name).write_bytes(Path(work, name).read_bytes())
            database_load(Path(work, DATABASE))
    return archive.manifest


def _kept_files() -> Iterator[str]:
    for name, used in ((SECRET_KEY, settings.SECRET_KEY), (VAPID_KEY, settings.VAPID_PRIVATE_KEY)):
        key = settings.VAR_DIR / name
        if key.exists() and key.read_text() == used:
            yield name
    if (settings.VAR_DIR / PASSWORD).exists():
        yield PASSWORD


def _packages_add(archive: ArchiveWriter) -> None:
    for name in BotPackage.objects.exclude(stored_as="").values_list("stored_as", flat=True):
        if f"{PACKAGES}/{name}" in archive.members:
            continue
        try:
            data = object_read(name)
        except PackageAway:
            if BotPackage.objects.filter(stored_as=name).exists():
                raise
        else:
            archive.add(f"{PACKAGES}/{name}", BytesIO(data))


def _packages_put(folder: Path) -> None:
    for file in folder.iterdir():
        with file.open("rb") as package:
            try:
                object_put(file.name, package)
            except PackageAway as error:
                raise BackupError(str(error)) from None


def _refuse_what_does_not_fit(manifest: Manifest) -> None:
    if manifest.database != connection.vendor:
        raise BackupError(
            f"This backup is of {manifest.database}, and DATABASE_URL names {connection.vendor}: set it to its kind."
        )
    packages = {name for name in manifest.members if PACKAGE.fullmatch(name)}
    if not {DATABASE} <= manifest.members.keys() <= {DATABASE, SECRET_KEY, VAPID_KEY, PASSWORD} | packages:
        raise BackupError("This backup holds other members than a site has.")
    if packages and not stored_outside():
        raise BackupError("The uploads of this backup lie in an object storage: set PACKAGES_URL to an empty one.")
    if unknown := migrations_unknown(manifest.migrations):
        raise BackupError(
            f"This backup was made by another release, with the migration {unknown[-1]}: restore it with that release."
        )


@contextmanager
def site_at_rest() -> Iterator[None]:
    try:
        with only_one(settings.VAR_DIR / "up.lock", "a backup is being restored"):
            yield
    except AlreadyRunning as error:
        raise BackupError(f"This site runs ({error.note}): stop it first.") from None

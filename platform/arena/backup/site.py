"""Back up this site, restore a backup into an empty site, and move a site from SQLite to PostgreSQL."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from arena.backup.archive import (
    FORMAT,
    ArchiveWriter,
    BackupError,
    Manifest,
    backup_archive_made,
    backup_archive_opened,
    backup_file_digest,
)
from arena.backup.databases import (
    database_dump,
    database_dump_require,
    database_is_empty,
    database_load,
    database_migrations_applied,
    database_migrations_unknown,
    database_sqlite_path,
)
from arena.embedded.paths import AlreadyRunning, embedded_directory_lock
from bots.models import BotPackage
from bots.package_objects import PackageAway, has_package_object_storage, package_object_put, package_object_read

DATABASE: Final = "database"
SECRET_KEY: Final = "secret_key"  # noqa: S105  a file's name
VAPID_KEY: Final = "vapid_key"
PASSWORD: Final = "organiser_password"  # noqa: S105  a file's name
PACKAGES: Final = "packages"  # folder of the uploads in an object storage
PACKAGE: Final = re.compile(rf"{PACKAGES}/[0-9a-f]{{64}}-[0-9a-f]{{16}}")


def site_backup(path: Path) -> Manifest:
    """Write the site to the archive ``path`` and return its manifest. The site may keep running.

    Only the owner can read the file. Keys in the data directory are included; keys from the environment are not.

    Raises:
        BackupError: the backup cannot be made; the unfinished file is removed.
    """
    database_dump_require()
    try:
        with (
            tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as work,
            backup_archive_made(path) as archive,
        ):
            # Packages are added twice. The first time includes packages that are deleted while the database is copied;
            # the second time includes those that are uploaded meanwhile.
            _packages_add(archive)
            dump = Path(work, DATABASE)
            database_dump(dump)
            _packages_add(archive)
            for name, file in ((DATABASE, dump), *((name, settings.VAR_DIR / name) for name in _kept_files())):
                with file.open("rb") as source:
                    archive.add(name, source)
            made_at = timezone.now().isoformat(timespec="seconds")
            manifest = Manifest(FORMAT, made_at, connection.vendor, database_migrations_applied(), archive.members)
            archive.close(manifest)
    except PackageAway as error:
        raise BackupError(str(error)) from None
    except OSError as error:
        raise BackupError(f"{error.filename or path} cannot be written: {error.strerror}.") from None
    return manifest


def site_restore(path: Path, *, sha256: str = "") -> Manifest:
    """Restore the archive ``path`` into this empty site, completely or not at all. Return the archive's manifest.

    All members are read and checked before anything is replaced. The database is replaced last: as long as it is empty,
    nothing depends on the site's old secret key, so that key can be replaced first. With ``sha256``, the archive must
    have that digest.

    Raises:
        BackupError: the archive is damaged, or of another release or kind of database; or this site is running or not
            empty.
    """
    if sha256 and backup_file_digest(path) != sha256.lower():
        raise BackupError(f"{path} has another digest than {sha256}: it is not the file that was backed up.")
    with backup_archive_opened(path) as archive, _site_at_rest():
        _refuse_what_does_not_fit(archive.manifest)
        if not database_is_empty():
            raise BackupError("This site is not empty: restore into one with a new data directory or database.")
        place = database_sqlite_path().parent if connection.vendor == "sqlite" else settings.VAR_DIR
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
            data = package_object_read(name)
        except PackageAway:
            if BotPackage.objects.filter(stored_as=name).exists():
                raise
        else:
            archive.add(f"{PACKAGES}/{name}", BytesIO(data))


def _packages_put(folder: Path) -> None:
    for file in folder.iterdir():
        with file.open("rb") as package:
            try:
                package_object_put(file.name, package)
            except PackageAway as error:
                raise BackupError(str(error)) from None


def _refuse_what_does_not_fit(manifest: Manifest) -> None:
    if manifest.database != connection.vendor:
        raise BackupError(
            f"This backup is of {manifest.database}, and DATABASE_URL names {connection.vendor}: set it to its kind."
        )
    packages = {name for name in manifest.members if PACKAGE.fullmatch(name)}
    if not {DATABASE} <= manifest.members.keys() <= {DATABASE, SECRET_KEY, VAPID_KEY, PASSWORD} | packages:
        raise BackupError("This backup lacks a member, or has an unknown one.")
    if packages and not has_package_object_storage():
        raise BackupError("The uploads of this backup are from an object storage: set PACKAGES_URL to an empty one.")
    if unknown := database_migrations_unknown(manifest.migrations):
        raise BackupError(
            f"This backup was made by another release, with the migration {unknown[-1]}: restore it with that release."
        )


@contextmanager
def _site_at_rest() -> Iterator[None]:
    try:
        with embedded_directory_lock(settings.VAR_DIR / "up.lock", "a backup is being restored"):
            yield
    except AlreadyRunning as error:
        raise BackupError(f"This site runs ({error.note}): stop it first.") from None


SOURCE: Final = "source"
PARAMETERS_MOST: Final = 20_000  # parameters in one INSERT; PostgreSQL allows 65,535
LARGE: Final = 20  # rows at a time of a model that may contain whole files


def site_database_move(source: Path) -> dict[str, int]:
    """Copy the SQLite database ``source`` of a stopped site into the empty PostgreSQL of ``DATABASE_URL``.

    Returns:
        The number of rows of each table.

    Raises:
        BackupError: nothing was changed; the message says why.
    """
    if connection.vendor != "postgresql":
        raise BackupError(
            "DATABASE_URL names no PostgreSQL: set it to the new database, as in postgres://user@host/name."
        )
    if not source.is_file():
        raise BackupError(f"{source} is not there: name the site's db.sqlite3.")
    with _site_at_rest():
        if not database_is_empty():
            raise BackupError("The database of DATABASE_URL is not empty: name an empty one.")
        _open(source)
        try:
            return _moved()
        except (DatabaseError, ValueError) as error:
            raise BackupError(f"Nothing was moved: {error}") from error
        finally:
            connections[SOURCE].close()
            del connections[SOURCE]
            del connections.settings[SOURCE]


def _open(source: Path) -> None:
    default = connections.settings["default"]
    connections.settings[SOURCE] = default | {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": source,
        "OPTIONS": {"timeout": 30},
    }


def _moved() -> dict[str, int]:
    with transaction.atomic(using=SOURCE), transaction.atomic():
        call_command("migrate", verbosity=0)
        taken = {f"{app}.{name}" for app, name in MigrationRecorder(connections[SOURCE]).applied_migrations()}
        if lacking := set(database_migrations_applied()) - taken:
            raise BackupError(
                f"The site lacks the migration {min(lacking)}: start this release on it once, or migrate it."
            )
        tables = list(_tables())
        with connection.cursor() as cursor:
            names = ", ".join(connection.ops.quote_name(one._meta.db_table) for one in tables)
            # Deletes rows that migrations have created, such as permissions.
            cursor.execute(f"TRUNCATE {names} CASCADE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # migrations may have changed this setting
            rows = {one._meta.db_table: _copy(one) for one in tables}
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for statement in connection.ops.sequence_reset_sql(no_style(), tables):
                cursor.execute(statement)
        for one in tables:
            if (there := one._base_manager.count()) != rows[one._meta.db_table]:
                raise BackupError(f"{one._meta.db_table}: {rows[one._meta.db_table]} rows became {there}.")
    return rows


def _tables() -> Iterator[type[models.Model]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.managed and not model._meta.proxy:
            yield model


def _copy(model: type[models.Model]) -> int:
    """Copy all rows of a table as stored, with primary keys and timestamps. Return the number of rows in the old
    table."""
    fields = model._meta.local_concrete_fields
    is_large = any(isinstance(field, models.BinaryField) for field in fields)
    size = LARGE if is_large else max(1, PARAMETERS_MOST // len(fields))
    old: Any = model._base_manager.using(SOURCE)
    rows = old.order_by("pk").iterator(chunk_size=size)
    while some := list(islice(rows, size)):
        # Not bulk_create: it overwrites fields that are computed when a row is saved.
        new: Any = model._base_manager.using("default").all()
        new._insert(some, fields=fields, using="default", raw=True)
    return int(old.count())

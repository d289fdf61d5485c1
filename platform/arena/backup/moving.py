"""A site moves from SQLite to PostgreSQL: whole, in one transaction, or not at all."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from arena.backup.archive import BackupError
from arena.backup.databases import database_is_empty, migrations_applied
from arena.backup.site import site_at_rest

SOURCE: Final = "source"
PARAMETERS_MOST: Final = 20_000  # of one INSERT; PostgreSQL takes 65,535
LARGE: Final = 20  # rows at a time of what may hold whole files


def database_move(source: Path) -> dict[str, int]:
    """Copy the SQLite database ``source`` of a site that does not run into the empty PostgreSQL of ``DATABASE_URL``.

    Returns:
        The rows of each table, which are as many on both sides.

    Raises:
        BackupError: nothing is changed; the message says why.
    """
    if connection.vendor != "postgresql":
        raise BackupError(
            "DATABASE_URL names no PostgreSQL: set it to the new database, as in postgres://user@host/name."
        )
    if not source.is_file():
        raise BackupError(f"{source} is not there: name the site's db.sqlite3.")
    with site_at_rest():
        if not database_is_empty():
            raise BackupError("The database of DATABASE_URL is not empty: nothing is mixed with what is there.")
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
        if lacking := set(migrations_applied()) - taken:
            raise BackupError(
                f"The site lacks the migration {min(lacking)}: start this release on it once, or migrate it."
            )
        tables = list(_tables())
        with connection.cursor() as cursor:
            names = ", ".join(connection.ops.quote_name(one._meta.db_table) for one in tables)
            cursor.execute(f"TRUNCATE {names} CASCADE")  # what migrating has made, such as permissions
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")  # whatever migrations have left it at
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
    """Copy a table as it is stored, keys, moments and all; return how many rows the old one has."""
    fields = model._meta.local_concrete_fields
    is_large = any(isinstance(field, models.BinaryField) for field in fields)
    size = LARGE if is_large else max(1, PARAMETERS_MOST // len(fields))
    old: Any = model._base_manager.using(SOURCE)
    rows = old.order_by("pk").iterator(chunk_size=size)
    while some := list(islice(rows, size)):
        # Not bulk_create, which overwrites fields that are set when a row is saved.
        new: Any = model._base_manager.using("default").all()
        new._insert(some, fields=fields, using="default", raw=True)
    return int(old.count())

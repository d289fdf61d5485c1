"""Dump and load the database: by SQLite's backup API, or by pg_dump and pg_restore. Writers need not stop."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from arena.backup.archive import BackupError

# The files that SQLite keeps beside a database. SQLite would apply those of an older database to a new one.
BESIDE: Final = ("-wal", "-shm", "-journal")


def database_migrations_applied() -> list[str]:
    """Return the applied migrations of this release, as ``app.name``."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in set(applied) & set(MigrationLoader(None).disk_migrations))


def database_migrations_unknown(migrations: list[str]) -> list[str]:
    """Return those of the ``migrations`` that are neither in this release nor replaced by one of its migrations."""
    on_disk = MigrationLoader(None).disk_migrations
    replaced = (old for migration in on_disk.values() for old in migration.replaces)
    return sorted(set(migrations) - {f"{app}.{name}" for app, name in (*on_disk, *replaced)})


def database_is_empty() -> bool:
    """Return whether the database has no tables. Close the connection."""
    try:
        return not connection.introspection.table_names()
    finally:
        connection.close()


def database_dump_require() -> None:
    """Raise an error if the programs to dump the database are missing.

    Raises:
        BackupError: the programs of PostgreSQL are not installed.
    """
    if connection.vendor == "postgresql":
        _require("pg_dump")


def database_dump(to: Path) -> None:
    """Write the database to the file ``to`` as it is at one moment. Writers do not wait.

    Raises:
        BackupError: the programs of PostgreSQL are not installed, or failed.
    """
    if connection.vendor == "postgresql":
        _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={to}", *_server())
        return
    connection.ensure_connection()
    with closing(sqlite3.connect(to)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a write-ahead log


def database_load(file: Path) -> None:
    """Load the dump ``file`` into the empty database, completely or not at all. With SQLite, ``file`` is moved.

    Raises:
        BackupError: the programs of PostgreSQL are not installed or failed, or the file is damaged.
    """
    if connection.vendor == "postgresql":
        _run("pg_restore", "--single-transaction", "--no-owner", "--no-privileges", *_server("--dbname"), str(file))
        return
    path = database_sqlite_path()
    try:
        with closing(sqlite3.connect(file)) as copy:
            (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        raise BackupError(f"The database of this backup is damaged: {verdict}.")
    left = [f"{path}{end}" for end in BESIDE if Path(f"{path}{end}").exists()]
    if left:
        raise BackupError(f"{', '.join(left)} belongs to another database: remove it, or choose another directory.")
    with file.open("rb") as written:
        os.fsync(written.fileno())
    file.replace(path)


def database_sqlite_path() -> Path:
    """Return the path of the SQLite database."""
    return Path(settings.DATABASES["default"]["NAME"])


def _server(option: str = "") -> list[str]:
    """Return the arguments that name server and database to PostgreSQL's programs; ``option`` precedes the database's
    name."""
    _psql, *arguments = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[0]
    return [*arguments[:-1], option, arguments[-1]] if option else arguments


def _require(program: str) -> None:
    if shutil.which(program) is None:
        raise BackupError(
            f"{program} is not installed here, or not in PATH: on Debian, 'apt-get install postgresql-client'."
        )


def _run(program: str, *arguments: str) -> None:
    _require(program)
    password = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])[1] or {}
    done = subprocess.run(  # noqa: S603  a program of PostgreSQL, and settings of ours
        [program, *arguments], env=os.environ | password, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-500:]}")

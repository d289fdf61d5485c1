"""Other tests make their tables from the models; the migrations lead to the same ones."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests.browser.running import ROOT, STRIPPED
from tests.databases import migrated

PARTS = re.compile(r", (?![^(]*\))")  # a comma between columns, not within a type, a check or a constraint's columns
WITHOUT_MODELS = ("django_migrations", "knox_authtoken")  # our own tokens took the place of knox's
AUTOMATIC = re.compile(
    r"_[0-9a-f]{8}(_uniq)?$"
)  # an index named by Django; it keeps its name when its model gets another
SCHEMA = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"


def manage(var: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """In a process of its own: in this one pytest-django hides all migrations."""
    stripped = {name: value for name, value in os.environ.items() if name not in STRIPPED}
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        env=stripped | {"PECKING_ORDER_VAR": str(var)},
        capture_output=True,
        text=True,
    )


def parts(rows: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Columns, checks and what they refer to, by table and index; a migration may have another order of columns."""
    return {
        sql.partition(" ON ")[2] if AUTOMATIC.search(name) else name: sorted(
            PARTS.split(sql.removesuffix(")").partition("(")[2])
        )
        for name, sql in rows
        if not name.startswith(WITHOUT_MODELS)
    }


@pytest.mark.processes
@pytest.mark.skipif(connection.vendor != "sqlite", reason="make test-postgres migrates its own database")
@pytest.mark.django_db
def test_migrations_from_nothing_lead_to_the_tables_of_the_models(tmp_path: Path) -> None:
    migrated(tmp_path / "db.sqlite3")
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        from_nothing = parts(database.execute(SCHEMA))
    with connection.cursor() as cursor:
        cursor.execute(SCHEMA)
        made = parts(cursor.fetchall())
    assert from_nothing.keys() == made.keys()
    assert {name: parts for name, parts in from_nothing.items() if parts != made[name]} == {}


@pytest.mark.django_db
def test_every_change_of_a_model_has_its_migration(settings: Any) -> None:
    settings.MIGRATION_MODULES = {}  # pytest-django hides them
    call_command("makemigrations", check_changes=True, dry_run=True)


def one_release_before(database: sqlite3.Connection) -> list[tuple[str, str]]:
    """Make a database look as if the migrations that are replaced had made it. Returns those."""
    replaced: list[tuple[str, str]] = []
    for (app, name), migration in MigrationLoader(None, ignore_no_migrations=True).disk_migrations.items():
        if migration.replaces:
            database.execute("DELETE FROM django_migrations WHERE app = ? AND name = ?", (app, name))
            replaced += migration.replaces
    rows = [(app, name, "2026-11-22 00:00:00") for app, name in replaced]
    database.executemany("INSERT INTO django_migrations (app, name, applied) VALUES (?, ?, ?)", rows)
    database.commit()
    return sorted(replaced)


@pytest.mark.processes
@pytest.mark.skipif(connection.vendor != "sqlite", reason="make test-postgres migrates its own database")
def test_a_database_of_the_replaced_migrations_goes_on_and_an_unfinished_one_is_refused(
    tmp_path: Path, settings: Any
) -> None:
    settings.MIGRATION_MODULES = {}
    migrated(tmp_path / "db.sqlite3")
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        before = parts(database.execute(SCHEMA))
        app, last = [old for old in one_release_before(database) if old[0] == "tournaments"][-1]
        done = manage(tmp_path, "migrate", "--verbosity=0")
        assert done.returncode == 0, done.stderr
        assert parts(database.execute(SCHEMA)) == before
        assert manage(tmp_path, "migrate", "--check").returncode == 0

        one_release_before(database)
        database.execute("DELETE FROM django_migrations WHERE app = ? AND name = ?", (app, last))
        database.commit()
        done = manage(tmp_path, "migrate", "--verbosity=0")
        assert done.returncode != 0
        assert f"stops before tournaments.{last}" in done.stderr
        assert "Traceback" not in done.stderr

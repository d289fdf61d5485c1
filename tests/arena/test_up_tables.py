"""A first start makes the tables from a file: the same as by migrations, and only where there are none."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.databases import ROOT, migrated

pytestmark = [pytest.mark.processes, pytest.mark.timeout(300)]

MAKE = """
import json, django
django.setup()
from django.core.management import call_command
from django.db import connection
from arena.embedded.tables import tables_make
made = tables_make()
again = tables_make()
from django.db.migrations.executor import MigrationExecutor
executor = MigrationExecutor(connection)
left = executor.migration_plan(executor.loader.graph.leaf_nodes())
call_command("migrate", verbosity=0)
print(json.dumps([made, again, len(left)]))
"""


def made(directory: Path) -> list[object]:
    """Make the tables of the site whose data lie there: whether that was done, and a second time, and what was left."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"PECKING_ORDER_VAR": str(directory), "DJANGO_SETTINGS_MODULE": "arena.settings.dev"}
    directory.chmod(0o700)
    done = subprocess.run(
        [sys.executable, "-c", MAKE], env=environment, cwd=ROOT, check=True, capture_output=True, text=True
    )
    found: list[object] = json.loads(done.stdout)
    return found


def tables(path: Path) -> tuple[set[object], set[object]]:
    """All that a database is made of, and the migrations that it has taken."""
    with closing(sqlite3.connect(path)) as database:
        schema = set(database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))
        return schema, set(database.execute("SELECT app, name FROM django_migrations"))


def test_a_new_database_gets_the_tables_that_migrations_make_and_another_is_left_alone(tmp_path: Path) -> None:
    """Where this fails because migrations are new or renamed, ``make tables`` writes the file again."""
    site = tmp_path / "site"
    site.mkdir()
    assert made(site) == [True, False, 0]
    migrated(tmp_path / "migrated.sqlite3")
    assert tables(site / "db.sqlite3") == tables(tmp_path / "migrated.sqlite3")

"""Create the tables of a new SQLite database from one SQL file: running all migrations takes most of a first start.

``tables.sql`` contains the schema after the migrations that it lists; ``make tables`` writes it. Newer migrations run
as usual, so an outdated file costs only time.
"""

from pathlib import Path
from typing import Final

import django
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

FILE: Final = Path(__file__).with_name("tables.sql")
TAKEN: Final = "-- taken: "
END: Final = ";\n\n"


def tables_make() -> bool:
    """Create the tables in an empty SQLite database, all or none. Return whether it did. ``migrate`` must follow."""
    if connection.vendor != "sqlite" or connection.introspection.table_names():
        return False
    text = FILE.read_text(encoding="utf-8")
    taken = [line.removeprefix(TAKEN).split(".") for line in text.splitlines() if line.startswith(TAKEN)]
    there = MigrationLoader(None).disk_migrations
    replaced = {tuple(one) for migration in there.values() for one in migration.replaces}
    if not {(app, name) for app, name in taken} <= there.keys() | replaced:
        return False  # some of the migrations were renamed or squashed since
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in text.split(END)[:-1]:
            cursor.execute(statement)
        recorder = MigrationRecorder(connection)
        for app, name in taken:
            recorder.record_applied(app, name)
    return True


def _tables_text() -> str:
    """Return the content of ``tables.sql``, from a database with all migrations applied."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
        taken = [f"{TAKEN}{app}.{name}\n" for app, name in cursor.fetchall()]
        cursor.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
            " ORDER BY type = 'index', tbl_name, name"
        )
        made = [sql for (sql,) in cursor.fetchall()]
    return "".join(taken) + END.join([*made, ""])


def main() -> None:
    """Write ``tables.sql``."""
    django.setup()
    call_command("migrate", verbosity=0)
    FILE.write_text(_tables_text(), encoding="utf-8")


if __name__ == "__main__":
    main()

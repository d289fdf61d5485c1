"""What `manage.py migrate` says of a database that stopped between two squashed migrations."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core import checks
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


@checks.register(checks.Tags.database)
def check_squashed_migrations(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """Refuse a database that has taken some of the migrations that one replaces, but not all.

    The files of those that are missing are gone, and Django would migrate nothing without a word.
    """
    on_disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        applied = MigrationRecorder(connections[alias]).applied_migrations()
        for (app, name), migration in sorted(on_disk.items()):
            missing = [old for old in migration.replaces if old not in applied]
            if missing and len(missing) < len(migration.replaces):
                found.append(
                    checks.Error(
                        f"The database {alias!r} stops before {app}.{missing[0][1]}, which {app}.{name} replaced.",
                        hint="Run `manage.py migrate` of the release before this one, then this one's.",
                        id="arena.E009",
                    )
                )
    return found

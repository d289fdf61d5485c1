"""Programs of the release before go on while the tables are this one's already: no migration takes away what they use.

First a release adds; the one after it, when nothing uses the old any more, removes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

from tests.upgrade.release_before import COMMIT, git

TAKES_AWAY = (
    migrations.DeleteModel,
    migrations.RenameModel,
    migrations.AlterModelTable,
    migrations.RemoveField,
    migrations.RenameField,
)


def complaints(app: str, migration: migrations.Migration, state: ProjectState) -> Iterator[str]:
    """What the release before could not live with. ``state`` is the one before the migration, and changed."""
    for operation in migration.operations:
        error = operation.describe()
        if isinstance(operation, TAKES_AWAY):
            yield f"{app}.{migration.name}: {error}: what it asks for by that name is gone"
        elif isinstance(operation, migrations.AddField) and not _may_be_left_out(operation.field):
            yield f"{app}.{migration.name}: {error}: it writes rows without it; give it null=True or a db_default"
        elif isinstance(operation, migrations.AlterField):
            old = state.models[app, operation.model_name_lower].get_field(operation.name)
            if _is_narrower(operation.field, old):
                yield f"{app}.{migration.name}: {error}: it writes what does not fit there any more"
        operation.state_forwards(app, state)


def _may_be_left_out(field: Any) -> bool:
    return bool(field.many_to_many or field.null or field.db_default is not NOT_PROVIDED)


def _is_narrower(new: Any, old: Any) -> bool:
    shorter = (new.max_length or old.max_length or 0) < (old.max_length or 0)
    must = old.null and not new.null
    return shorter or must or new.get_internal_type() != old.get_internal_type() or (new.unique and not old.unique)


@pytest.fixture
def loader(settings: Any) -> MigrationLoader:
    settings.MIGRATION_MODULES = {}  # pytest hides them
    return MigrationLoader(None)


def test_migrations_since_the_release_before_take_nothing_away_from_it(loader: MigrationLoader) -> None:
    listed = git("ls-tree", "-r", "--name-only", COMMIT).decode().splitlines()
    known = {(Path(path).parts[-3], Path(path).stem) for path in listed if "/migrations/" in path}
    ours = {app for app, _ in known}
    assert ("bots", "0001_first_release") in known
    found = []
    for app, name in sorted(set(loader.disk_migrations) - known):
        if app in ours:
            state = loader.project_state((app, name), at_end=False)
            found += complaints(app, loader.disk_migrations[app, name], state)
    assert found == []


def migration(*operations: Any) -> migrations.Migration:
    made = migrations.Migration("0099_next", "bots")
    made.operations = list(operations)
    return made


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        (migrations.RemoveField("bot", "blurb"), "is gone"),
        (migrations.RenameField("bot", "blurb", "words"), "is gone"),
        (migrations.DeleteModel("BotPackage"), "is gone"),
        (migrations.AddField("bot", "eggs", models.IntegerField(default=0)), "db_default"),
        (migrations.AlterField("bot", "slug", models.SlugField(max_length=3)), "does not fit"),
        (migrations.AlterField("bot", "deleted_at", models.DateTimeField()), "does not fit"),
        (migrations.AddField("bot", "eggs", models.IntegerField(db_default=0)), ""),
        (migrations.AddField("bot", "eggs", models.IntegerField(null=True)), ""),
        (migrations.RemoveIndex("botversion", "version_to_prune"), ""),
    ],
)
def test_what_would_break_it_is_named(loader: MigrationLoader, operation: Any, error: str) -> None:
    last = loader.graph.leaf_nodes("bots")[0]
    [*found] = complaints("bots", migration(operation), loader.project_state(last))
    assert len(found) == bool(error)
    assert error in "".join(found)

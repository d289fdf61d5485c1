"""A site moves from SQLite to PostgreSQL: whole, or not at all."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.arena.backup.test_restore import manage
from tests.databases import migrated, own_database

pytestmark = [pytest.mark.processes, pytest.mark.postgres]
needs_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="needs a PostgreSQL to move to")

FILL = """
from datetime import UTC, datetime
from arena.accounts.models import User
from bots.models import Bot
ada = User.objects.create_superuser("Ada", "ada@example.org", "correct horse 42")
for n in range(1200):
    User.objects.create(username=f"pupil{n}")
bot = Bot.objects.create(owner=ada, name="Żółć", slug="zolc", game="pickomino")
Bot.objects.filter(pk=bot.pk).update(created_at=datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC))
User.objects.filter(username="pupil7").update(username_key=None)
"""
READ = """
from arena.accounts.models import User
from bots.models import Bot
bot = Bot.objects.get(slug="zolc")
ada = User.objects.get(username="Ada")
new = User.objects.create(username="afterwards")
print(User.objects.count(), ada.check_password("correct horse 42"), ada.is_superuser, bot.owner_id == ada.pk,
      bot.created_at.isoformat(), bot.name_key, User.objects.get(username="pupil7").username_key, new.pk > ada.pk)
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    var = tmp_path / "var"
    var.mkdir(mode=0o700)
    migrated(var / "db.sqlite3")
    done = manage(var, "shell", "--no-imports", "-c", FILL)
    assert done.returncode == 0, done.stderr
    return var


def shell(var: Path, code: str, address: str) -> str:
    done = manage(var, "shell", "--no-imports", "-c", code, DATABASE_URL=address)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@needs_postgresql
def test_everything_is_there_afterwards_as_it_was_and_the_next_row_has_a_new_number(site: Path, tmp_path: Path) -> None:
    with own_database(tmp_path, empty=True) as address:
        done = manage(site, "move_database", DATABASE_URL=address)
        assert done.returncode == 0, done.stderr
        assert "counted them on both sides" in done.stdout
        output = shell(site, READ, address)
        assert output == "1202 True True True 2026-01-02T03:04:05.000678+00:00 żółć None True"
        assert "is not empty" in manage(site, "move_database", DATABASE_URL=address).stderr


@needs_postgresql
@pytest.mark.parametrize(
    ("damage", "error"),
    [
        ("UPDATE bots_bot SET owner_id = 999999", "foreign key"),
        ("UPDATE bots_bot SET name = 'a' || char(0) || 'b'", "NUL"),
        ("UPDATE bots_bot SET name = hex(zeroblob(50))", "too long"),
        ("DELETE FROM django_migrations WHERE app = 'bots' AND name LIKE '0006%'", "lacks the migration"),
    ],
)
def test_an_invalid_backup_leaves_the_new_database_empty(site: Path, tmp_path: Path, damage: str, error: str) -> None:
    with closing(sqlite3.connect(site / "db.sqlite3")) as database, database:
        database.execute(damage)
    with own_database(tmp_path, empty=True) as address:
        done = manage(site, "move_database", DATABASE_URL=address)
        assert done.returncode == 1
        assert error in done.stderr
        assert "Traceback" not in done.stderr
        tables = shell(site, "from django.db import connection; print(connection.introspection.table_names())", address)
        assert tables == "[]"


def test_it_moves_to_postgresql_alone(site: Path) -> None:
    assert "names no PostgreSQL" in manage(site, "move_database").stderr

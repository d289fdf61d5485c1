"""Move a site from SQLite to PostgreSQL."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.backup.archive import BackupError
from arena.backup.site import site_database_move


class Command(BaseCommand):
    help = "Copy the site's SQLite database into the empty PostgreSQL of DATABASE_URL: all of it, or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="the SQLite database; db.sqlite3 of the data directory")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        file = file or settings.VAR_DIR / "db.sqlite3"
        try:
            rows = site_database_move(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Moved {sum(rows.values()):,} rows of {len(rows)} tables, and counted them on both sides.")
        self.stdout.write(
            f"Keep DATABASE_URL and SECRET_KEY ({settings.VAR_DIR / 'secret_key'}) set; {file} is as it was."
        )

"""One file with all that the site holds."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.backup.archive import BackupError, file_digest
from arena.backup.site import SECRET_KEY, site_backup


class Command(BaseCommand):
    help = "Write the database and the secret key to FILE, while the site runs. Restore it with 'manage.py restore'."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            manifest = site_backup(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes, SHA-256 {file_digest(file)}")
        if SECRET_KEY not in manifest.members:
            self.stdout.write("SECRET_KEY is set by the environment and is not in the backup: keep it as well.")

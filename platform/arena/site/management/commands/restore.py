"""Restore a backup into an empty site."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.backup.archive import BackupError
from arena.backup.site import SECRET_KEY, site_restore


class Command(BaseCommand):
    help = "Restore FILE, written by 'manage.py backup', into an empty site: all of it, or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--sha256", default="", help="digest printed by 'backup'; other files are refused")

    def handle(self, *args: Any, file: Path, sha256: str, **options: Any) -> None:
        try:
            manifest = site_restore(file, sha256=sha256)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Restored the site as it was at {manifest.made_at}.")
        if SECRET_KEY not in manifest.members:
            self.stdout.write("Its SECRET_KEY is not in the backup: set the one that it had.")
        self.stdout.write(
            "'manage.py migrate' brings an older database up to this release; 'manage.py up' does so itself."
        )

"""Back up the site to one file."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.backup.archive import BackupError, backup_file_digest
from arena.backup.site import SECRET_KEY, site_backup
from arena.operations.metrics import metrics_backup_note

PREFIX: Final = "site-"
SUFFIX: Final = ".backup"


class Command(BaseCommand):
    help = "Write the site to a file, while it runs. Restore it with 'manage.py restore'."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, help="the file, or a directory, in which the file is named after the time"
        )
        parser.add_argument(
            "--keep", type=int, default=0, help="with a directory: keep only the newest backups, this many"
        )

    def handle(self, *args: Any, file: Path, keep: int, **options: Any) -> None:
        folder = file if file.is_dir() else None
        if keep and folder is None:
            raise CommandError("--keep needs an existing directory.")
        if folder is not None:
            file = folder / f"{PREFIX}{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}{SUFFIX}"
        try:
            manifest = site_backup(file)
            digest = backup_file_digest(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        size = file.stat().st_size
        metrics_backup_note(size=size, sha256=digest)
        self.stdout.write(f"{file}: {size:,} bytes, SHA-256 {digest}")
        if folder is not None and keep > 0:
            for old in sorted(folder.glob(f"{PREFIX}*{SUFFIX}"))[:-keep]:
                old.unlink()
        if SECRET_KEY not in manifest.members:
            self.stdout.write("SECRET_KEY is set by the environment and is not in the backup: keep it as well.")

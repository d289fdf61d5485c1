"""Move stored uploads from the database to an object storage, or back."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from bots.package_objects import PackageAway, has_package_object_storage
from bots.packages import packages_move


class Command(BaseCommand):
    help = "Move all uploads into the object storage of PACKAGES_URL, while the site runs. May be repeated."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--back", action="store_true", help="move them into the database, before you unset PACKAGES_URL"
        )

    def handle(self, *args: Any, back: bool, **options: Any) -> None:
        if not has_package_object_storage():
            raise CommandError("PACKAGES_URL is not set: there is no object storage.")
        try:
            self.stdout.write(f"Moved {packages_move(back=back)} uploads.")
        except PackageAway as error:
            raise CommandError(str(error)) from None

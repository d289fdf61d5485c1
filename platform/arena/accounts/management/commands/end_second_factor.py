"""Remove the second factor of a user, for the last administrator, whom nobody on the site can help."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.accounts.backends import account_named
from arena.accounts.second_factor import second_factor_end


class Command(BaseCommand):
    help = "Delete the second factor of a user who has lost the app and the recovery codes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the person's user name")

    def handle(self, *_args: Any, name: str, **_options: Any) -> None:
        person = account_named(name)
        if person is None:
            raise CommandError(f"Nobody is called {name}.")
        if not second_factor_end(person=person):
            raise CommandError(f"{name} has no second factor.")
        self.stdout.write(f"{name} signs in with the password alone until a new one is set up.")

"""Create the demo: house bots, tournaments, leagues, and with ``--class`` a class with teams."""

import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from arena.accounts.models import User
from arena.demo import (
    CUPS,
    LADDERS,
    Unsettled,
    demo_account_ensure,
    demo_cup_ensure,
    demo_group_ensure,
    demo_house_bots_ensure,
    demo_house_bots_settle,
    demo_house_bots_waiting,
    demo_league_ensure,
    demo_series_ensure,
    demo_team_bots_ensure,
    demo_team_cup_ensure,
)
from bots.models import Bot, BotVersion

POLL_SECONDS = 0.3
PRINT_SECONDS = 5


class Command(BaseCommand):
    help = "Upload the house bots, wait until workers have checked them, and start the demo contests. May be repeated."
    _printed_at = -PRINT_SECONDS  # seconds after the start

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000/", help="address of the site, for the links")
        parser.add_argument("--class", dest="has_class", action="store_true", help="a class with two teams as well")
        parser.add_argument("--patience", type=float, default=600, help="seconds to wait for the checks")

    def handle(self, *args: Any, address: str, patience: float, has_class: bool, **options: Any) -> None:
        house = demo_account_ensure()
        versions = demo_house_bots_ensure(house=house)
        settled: dict[str, list[Bot]] = {}
        began = time.monotonic()
        for cup in CUPS:
            entrants = [version for version in versions if version.bot.game == cup.game]
            settled[cup.game] = self._settled(entrants, versions, began, patience)
            tournament = demo_cup_ensure(cup=cup, organiser=house, bots=settled[cup.game])
            link = urljoin(address, reverse("tournaments:detail", args=[tournament.slug]))
            self.stdout.write(f"{tournament.name} is {tournament.get_state_display()}: {link}")
        for series in demo_series_ensure(organiser=house):
            link = urljoin(address, reverse("series:detail", args=[series.slug]))
            self.stdout.write(f"{series.name} counts them: {link}")
        for ladder in LADDERS:
            league = demo_league_ensure(ladder=ladder, organiser=house, bots=settled[ladder.ruleset])
            link = urljoin(address, reverse("leagues:detail", args=[league.slug]))
            self.stdout.write(f"{league.name} is {league.get_state_display()}: {link}")
        if has_class:
            owner = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first() or house
            group, code = demo_group_ensure(owner=owner)
            teams = demo_team_bots_ensure()
            self._settled(teams, teams, began, patience)
            demo_team_cup_ensure(owner=owner, group=group, versions=teams)
            link = urljoin(address, reverse("groups:detail", args=[group.slug]))
            join = f", join it with {code} at {urljoin(address, reverse('groups:join'))}" if code else ""
            self.stdout.write(f"{group.name} has a cup of its teams: {link}{join}")

    def _settled(
        self, waited_for: Sequence[BotVersion], of: Sequence[BotVersion], began: float, patience: float
    ) -> list[Bot]:
        """Wait until these versions are checked. Return their bots with these versions as current ones."""
        while demo_house_bots_waiting(waited_for):
            if time.monotonic() > began + patience:
                raise CommandError("the house bots are still waiting for their check: is a worker running?")
            self._print_progress(demo_house_bots_waiting(of), len(of), began)
            time.sleep(POLL_SECONDS)
        try:
            return demo_house_bots_settle(waited_for)
        except Unsettled as error:
            raise CommandError(str(error)) from None

    def _print_progress(self, waiting: int, of: int, began: float) -> None:
        """Print the progress of the checks every few seconds."""
        seconds = round(time.monotonic() - began)
        if seconds >= self._printed_at + PRINT_SECONDS:
            self._printed_at = seconds
            self.stdout.write(f"Checking the house bots: {of - waiting} of {of} have passed ({seconds} s) ...")
            self.stdout.flush()

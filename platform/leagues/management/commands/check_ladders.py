"""Check that every ladder follows from its results."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from leagues.models import Season
from leagues.selectors.fitting import Agreement, fitted_ladder_agreement_of


class Command(BaseCommand):
    help = "Fits the ladder of every season again, from all of its results, and compares it with the one that is shown."

    def handle(self, *args: Any, **options: Any) -> None:
        found = [
            (season, fitted_ladder_agreement_of(season))
            for season in Season.objects.select_related("league").order_by("pk")
        ]
        for season, agreement in found:
            self.stdout.write(f"{season.league.slug}, season {season.number}: {agreement}")
        wrong = sum(agreement is Agreement.DIFFERS for _, agreement in found)
        if wrong:
            raise CommandError(f"{wrong} of {len(found)} ladders do not follow from their results")

"""A program: several threads start, then finish, one tournament and step its ceremony, draw a round of another, and
make the weekly cup of a league, at the same moment; it prints what each call returned."""

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import django
from django.core.management import call_command
from django.db import connection
from django.utils import timezone


def at_once(threads: int, act: Callable[[], object]) -> list[str]:
    """The outcome of ``act`` in each of ``threads``, sorted."""
    barrier, outcomes = threading.Barrier(threads), []

    def run() -> None:
        barrier.wait()
        try:
            outcomes.append(str(act()))
        except Exception as error:
            outcomes.append(type(error).__name__)
        finally:
            connection.close()

    runners = [threading.Thread(target=run) for _ in range(threads)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    return sorted(outcomes)


def main() -> None:
    django.setup()
    from celery import Celery

    from matches.models import Match
    from tests.leagues.factories import open_league, season_of
    from tests.tournaments.factories import TournamentFactory, finish_matches
    from tournaments.models import Ceremony, Fixture, LadderCup, Tournament
    from tournaments.presets import PRESETS
    from tournaments.services import (
        ceremony_advance,
        ceremony_start,
        tournament_advance,
        tournament_start,
        weekly_cup_create,
        weekly_cups_tend,
    )

    Celery.send_task = lambda *_args, **_kwargs: None  # type: ignore[method-assign, assignment]
    if connection.vendor == "postgresql":  # on SQLite the test brings the tables
        call_command("migrate", verbosity=0)
    cup = TournamentFactory(entries=6, publication="hidden")
    starts = at_once(4, lambda: tournament_start(tournament=cup).state)
    finish_matches(cup)
    ends = at_once(4, lambda: tournament_advance(tournament_id=cup.pk))
    rows = [Match.objects.count(), Fixture.objects.count()]
    swiss = tournament_start(tournament=TournamentFactory(entries=7, format="swiss", rounds=3))
    finish_matches(swiss)
    draws = at_once(4, lambda: tournament_advance(tournament_id=swiss.pk))
    drawn = [swiss.fixtures.filter(round__number=number).count() for number in (1, 2, 3)]
    league = open_league(bots=3, enters_cups=True)
    weekly_cup_create(
        season=season_of(league),
        name="Sunday Cup",
        preset=PRESETS[0],
        best=2,
        first_round_at=timezone.now() + timedelta(hours=1),
        time_zone="UTC",
    )
    weeks = at_once(4, weekly_cups_tend)
    cups = [(one.number, one.tournament.entries.count()) for one in LadderCup.objects.all()]
    at_once(4, lambda: ceremony_start(tournament=cup))
    steps = [at_once(4, partial(ceremony_advance, tournament=cup, place=place)) for place in (6, 5)]
    ceremony = Ceremony.objects.get(tournament=cup)
    revealed = [ceremony.left, [(one["rank"], len(one["bots"])) for one in ceremony.revealed]]
    last = at_once(4, partial(ceremony_advance, tournament=cup, place=4, to=0))
    public = Tournament.objects.filter(pk=cup.pk, publication="everyone", ceremony__left=0).count()
    data = {"starts": starts, "ends": ends, "rows": rows, "draws": draws, "drawn": drawn}
    data |= {"steps": steps, "revealed": revealed, "last": last, "public": public}
    print(json.dumps({**data, "weeks": weeks, "cups": cups}))


if __name__ == "__main__":
    main()

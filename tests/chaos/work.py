"""What is under way on the site: tournaments of three formats, one after another, and two leagues."""

import threading
from itertools import count
from typing import Any, Final

from django.db import DatabaseError, connection, transaction

from bots.models import Bot
from games.catalogue import GAMES
from leagues.models import League, LeagueState
from leagues.services import league_close
from tests.arena.factories import OrganiserFactory
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import member_of, open_league
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.models import Tournament, TournamentState
from tournaments.services import tournament_start

BOTS: Final = 12
AT_ONCE: Final = 2  # tournaments
# Matches of one to three seconds: most faults find some half played.
CUPS: Final[tuple[dict[str, Any], ...]] = (
    {"format": "swiss", "rounds": 3, "players_per_table": 4, "blocks": 6, "bots": 12},
    {"format": "round_robin", "blocks": 15, "bots": 6},
    {"format": "single_elimination", "blocks": 15, "bots": 8},
)
HONEST: Final = ("random", "cautious", "greedy")  # cheap, and they never fail


class Work:
    """Keeps the site busy from a thread of its own, until it is told to ``finish``."""

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="organiser", daemon=True)
        self._numbers = count(1)

    def begin(self) -> None:
        """Make people and bots, open the leagues, and start the first tournaments."""
        self._organiser = OrganiserFactory.create(username="patron")
        cheap = [bot.source() for bot in GAMES["pickomino"].house_bots if bot.name in HONEST]
        self._bots = [
            BotVersionFactory.create(bot=BotFactory(), source=cheap[number % len(cheap)]).bot for number in range(BOTS)
        ]
        self.token = token_of(AuthorFactory.create(username="canary"))
        # One is slowed down, so that there is always a match to watch; one always gives the workers something to do.
        for slug, fields in (("watched", {"min_action_ms": 3, "blocks": 3}), ("busy", {"blocks": 10})):
            league = open_league(organiser=self._organiser, slug=slug, **fields)
            for bot in self._bots:
                member_of(league, bot=bot)
        self._fill()
        self._thread.start()

    def finish(self) -> None:
        """Start nothing more, and end the seasons."""
        self._stop.set()
        self._thread.join(60)
        for league in League.objects.filter(state=LeagueState.OPEN):
            league_close(league=league)

    def is_over(self) -> bool:
        """Return whether everything that was started has ended."""
        return not Tournament.objects.filter(state=TournamentState.RUNNING).exists()

    def _run(self) -> None:
        while not self._stop.wait(2):
            try:
                self._fill()
            except (DatabaseError, OSError):  # a fault has just taken the database away
                connection.close()
        connection.close()

    def _fill(self) -> None:
        while Tournament.objects.filter(state=TournamentState.RUNNING).count() < AT_ONCE:
            self._start(next(self._numbers))

    def _start(self, number: int) -> None:
        plan = dict(CUPS[number % len(CUPS)])
        bots: list[Bot] = self._bots[: plan.pop("bots")]
        with transaction.atomic():
            cup = TournamentFactory.create(organiser=self._organiser, slug=f"cup-of-chaos-{number}", **plan)
            for bot in bots:
                EntryFactory.create(tournament=cup, bot=bot)
            tournament_start(tournament=cup)

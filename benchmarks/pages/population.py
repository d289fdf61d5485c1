"""Create a large site with bots, tournaments of every kind and state, a league and all their games in a few minutes.

Services write the rows, except that entries, members and results of matches are inserted in bulk. The results are
copies of a few matches that were really played, so that their records replay.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from math import inf
from typing import Any, Final

from django.db import transaction
from django.test.utils import override_settings
from django.utils import timezone

from arena.accounts.models import User
from benchmarks.pages.ladder import ladder_repeat
from benchmarks.pages.played import SOURCE, Referee, matches_play, matches_played
from bots.models import Bot, BotPackage, BotVersion, VersionState
from leagues.models import LeagueMatch, Membership
from leagues.services import season_refit, season_schedule
from leagues.services.joining import season_entries_sync
from matches.models import Match, MatchState, WorkerPresence
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.hooks.factories import delivery_of, hook_of
from tests.leagues.factories import open_league, season_of, worker_up
from tests.matches.factories import CRASHES, FinishedMatchFactory
from tests.tournaments.factories import TournamentFactory
from tournaments import services
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import Admission

GAMES_A_MATCH: Final = 4
BEGUN: Final = "bots"  # the first step
PLAYED: Final = 32  # matches that are really played
ROUNDS: Final = 9
OWN: Final = 24  # matches of the author who visits the site, whose bot prints, is slow and fails
SMALL: Final = 30  # tournaments of other organisers, for the lists
ROBIN: Final = 40  # bots of a round robin
SNAPSHOTS: Final = 120
BATCHES: Final = 10  # batches of league matches
LARGE: Final = 2000  # bots
CHOSEN_MOST: Final = 60  # matches of a batch in a larger league, because choosing a match examines all bots
PRINTS: Final = b"def act(view):\n    print('hm')\n    return view['actions'][-1]\n"
UNLIMITED: Final = {"GAMES_MOST": 10**9, "WORKER_HOURS_MOST": 1e9}
Step = Callable[[], Any]


class Population:
    """Creates the site in steps, each in a transaction, and prints their times. ``games`` is the number of all
    games."""

    def __init__(self, bots: int, games: int) -> None:
        self._count, self._matches = bots, games // GAMES_A_MATCH
        self._rng = random.Random()

    def is_begun(self) -> bool:
        return self._is_made(BEGUN)

    def make(self, seconds: float = inf) -> bool:
        """Run the steps that have not been done. Begin no step after ``seconds``. Return whether the site is
        complete."""
        ends = time.monotonic() + seconds
        with override_settings(**UNLIMITED):
            for name, act in self._steps():
                if not self._is_made(name):
                    if time.monotonic() > ends:
                        return False
                    self._step(name, act)
        return True

    def _steps(self) -> Iterator[tuple[str, Step]]:
        yield BEGUN, self._make_bots
        yield "played matches", partial(matches_play, PLAYED, blocks=2)
        self.organiser = User.objects.get(username="organiser")
        self._bots = list(
            Bot.objects.filter(slug__startswith="grown-").select_related("owner", "current").order_by("pk")
        )
        strengths = random.Random(7)
        self._strengths = {bot.pk: strengths.gauss(0, 0.5) for bot in self._bots}
        self._referee = Referee(matches_played(PLAYED), self._strengths, self._rng)
        large = self._bots[: min(self._count, 5000)]
        yield "finished Swiss", partial(self._cup, "finished-swiss", large, "swiss", rounds=ROUNDS)
        yield "running Swiss", partial(self._cup, "running-swiss", large, "swiss", rounds=ROUNDS, stop=4.5)
        yield "knockout", partial(self._cup, "knockout", large, "single_elimination", stop=4.5)
        yield "open tournament", partial(self._open_cup, "open-cup", large)
        yield "draft", partial(self._open_cup, "draft", (), state="draft")
        yield "small tournaments", self._small
        yield "round robins", self._robins
        yield "league", self._league
        yield "the author's matches", self._own

    @property
    def _is_large(self) -> bool:
        return self._count > LARGE

    def _is_made(self, name: str) -> bool:
        return User.objects.filter(username=self._mark(name)).exists()

    def _mark(self, name: str) -> str:
        """Return the account that marks a step as done."""
        return f"population-{self._count}-{self._matches}-{name}"

    def _step(self, name: str, act: Step) -> None:
        begun = time.monotonic()
        self._rng.seed(name)  # the same, whether creation was interrupted or not
        with transaction.atomic():
            act()
            UserFactory(username=self._mark(name))
        print(f"{name:22} {time.monotonic() - begun:6.1f} s, {Match.objects.count()} matches", file=sys.stderr)

    def _make_bots(self) -> None:
        now = timezone.now()
        UserFactory(username="organiser", is_organiser=True)
        UserFactory(username="staff", is_staff=True, is_superuser=True)
        authors = User.objects.bulk_create(
            User(username="author" if number == 0 else f"author-{number}", email=f"author-{number}@example.org")
            for number in range(self._count // 2)
        )
        own = [authors[number // 2] for number in range(self._count)]
        bots = Bot.objects.bulk_create(
            Bot(owner=owner, name=f"Grown {number}", slug=f"grown-{number}", game="pickomino")
            for number, owner in enumerate(own)
        )
        versions = BotVersion.objects.bulk_create(
            BotVersion(
                bot=bot,
                number=number,
                filename="bot.py",
                sha256=f"{bot.pk:060x}{number:04x}",
                size=len(SOURCE % number),
                kept=len(SOURCE % number),
                state=VersionState.ACCEPTED,
                checked_at=now,
            )
            for number in range(1, 6)
            for bot in bots
        )
        BotPackage.objects.bulk_create(
            BotPackage(version=version, content=SOURCE % version.number) for version in versions
        )
        for bot, version in zip(bots, versions[-len(bots) :], strict=True):
            bot.current = version
        Bot.objects.bulk_update(bots, ["current"], batch_size=200)

    def _open_cup(self, slug: str, bots: Sequence[Bot], **fields: Any) -> Tournament:
        fields = {"organiser": self.organiser, "name": slug.capitalize().replace("-", " "), **fields}
        cup = TournamentFactory(slug=slug, blocks=2, **fields)
        Entry.objects.bulk_create(Entry(tournament=cup, bot=bot) for bot in bots)
        return cup

    def _cup(self, slug: str, bots: Sequence[Bot], kind: str, *, stop: float = 0, **fields: Any) -> None:
        """Play a tournament. With a ``stop`` of 4.5, play half of its fifth round and stop."""
        cup = self._open_cup(slug, bots, format=kind, **fields)
        services.tournament_start(tournament=cup)
        while True:
            cup.refresh_from_db()
            waiting = Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED)
            numbers = list(waiting.order_by("pk").values_list("pk", flat=True))
            if not numbers:
                return
            if stop and cup.rounds.count() > stop:
                self._referee.end(numbers[: len(numbers) // 2])
                services.tournament_chain_results_append(tournament_id=cup.pk)
                return
            self._referee.end(numbers)
            services.tournament_advance(tournament_id=cup.pk)

    def _small(self) -> None:
        states = ("draft", "open", "open", "finished", "running")
        for number in range(SMALL):
            bots, state = self._rng.sample(self._bots, 6), states[number % len(states)]
            if state in ("draft", "open"):
                self._open_cup(f"small-{number}", bots, state=state, organiser=UserFactory(is_organiser=True))
            else:
                stop = 0.5 if state == "running" else 0
                self._cup(f"small-{number}", bots, "round_robin", stop=stop, organiser=UserFactory(is_organiser=True))
        self._open_cup("by-invitation", self._bots[:10], admission=Admission.INVITED)

    def _robins(self) -> None:
        """Play round robins with a third of the remaining games; with a large league, with all that the league does not
        need. The last one is half played."""
        each = ROBIN * (ROBIN - 1) // 2
        left = self._matches - Match.objects.count()
        number = max(1, (left - BATCHES * CHOSEN_MOST if self._is_large else left // 3) // each)
        for robin in range(number):
            others = self._bots[1:ROBIN] if robin == number - 1 else self._rng.sample(self._bots[1:], ROBIN - 1)
            bots = [self._bots[0], *others]  # the author's bot plays in most tournaments
            last = robin == number - 1
            self._cup("round-robin" if last else f"robin-{robin}", bots, "round_robin", stop=0.5 if last else 0)

    def _league(self) -> None:
        """Enter every bot in a league, play the remaining games, and fit the ladder many times."""
        league = open_league(organiser=self.organiser, name="Ladder", slug="ladder", blocks=2)
        Membership.objects.bulk_create(Membership(league=league, bot=bot) for bot in self._bots)
        season = season_of(league)
        season_entries_sync(season_id=season.pk)
        left = max(self._matches - Match.objects.count() - OWN, 100)
        batch_size = min(left // BATCHES, CHOSEN_MOST) if self._is_large else left // BATCHES
        worker_up(slots=max(1, batch_size // 2))
        for batch in range(BATCHES):
            season_schedule(season_id=season.pk)
            waiting = LeagueMatch.objects.filter(season=season, match__state=MatchState.QUEUED)
            self._referee.end(waiting.order_by("number").values_list("match", flat=True))
            season_refit(season_id=season.pk)
            ladder_repeat(season, SNAPSHOTS // BATCHES if batch < BATCHES - 1 else 0)
        worker_up(slots=2)
        season_schedule(season_id=season.pk)
        for number in range(8):
            open_league(organiser=UserFactory(is_organiser=True), slug=f"league-{number}")

    def _own(self) -> None:
        bot = self._bots[0]
        crashes = BotVersionFactory(bot=bot, source=CRASHES, number=6, current=False)
        prints = BotVersionFactory(
            bot=bot,
            source=b"def act(view):\n    print('hm')\n    return view['actions'][-1]\n",
            number=7,
            current=False,
        )
        BotVersionFactory(bot=bot, refused=True, number=8, report={"verdict": "crashed", "detail": "no"})
        others = [other.current for other in self._bots[1 : OWN + 1]]
        for number, other in enumerate(others):
            FinishedMatchFactory(seats=[crashes if number % 4 == 0 else prints, other])
        hook = hook_of(bot.owner)
        for _number in range(OWN):
            delivery_of(hook)
        WorkerPresence.objects.update(seen_at=timezone.now() + timedelta(days=3650))

"""Tournaments whose matches are really played, in this process, to make chains and proofs of."""

from collections.abc import Sequence

from matches.models import Match, MatchState
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import games_of, leased, written
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.services import tournament_start, tournaments_tend, waiting_round_start

FIRST = b"def act(view):\n    return view['actions'][0]\n"
LAST = b"def act(view):\n    return view['actions'][-1]\n"
MIDDLE = b"def act(view):\n    return view['actions'][len(view['actions']) // 2]\n"
CRASHES = b"def act(view):\n    return 1 // 0\n"


def cup_of(sources: Sequence[bytes], **fields: object) -> Tournament:
    """Open for entries, a bot of each source in it: "Bot 1", "Bot 2" and so on."""
    cup = TournamentFactory(**fields)
    for number, source in enumerate(sources, start=1):
        EntryFactory(tournament=cup, bot=entrant(f"Bot {number}", source + b"# %d" % number).bot)
    return cup


def entrant(name: str, source: bytes = LAST):
    return BotVersionFactory(bot=BotFactory(name=name), source=source)


def play(match: Match) -> None:
    lease = leased(match)
    match.refresh_from_db()
    assert written(lease, games_of(match))


def play_round(cup: Tournament, most: int | None = None) -> int:
    """Play what is queued, and let the tournament go on. How many matches were."""
    queued = Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED).order_by("pk")
    matches = list(queued[:most])
    for match in matches:
        play(match)
    tournaments_tend()
    cup.refresh_from_db()
    return len(matches)


def play_out(cup: Tournament) -> Tournament:
    """To its end; rounds that wait are let go."""
    if cup.state == TournamentState.OPEN:
        tournament_start(tournament=cup)
        cup.refresh_from_db()
    while cup.state == TournamentState.RUNNING:
        waiting = cup.rounds.filter(started_at__isnull=True).first()
        if waiting is not None:
            waiting_round_start(played=waiting)
        assert play_round(cup) or waiting is not None, "nothing is left to play, and it does not end"
    return cup


def with_stage(cup: Tournament, **fields: object) -> Tournament:
    Stage.objects.create(tournament=cup, number=cup.stages.count() + 1, **{"blocks": 1, **fields})
    return cup

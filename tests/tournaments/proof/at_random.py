"""A tournament to which anything may happen that the site allows, and a reader of its chain beside it.

Every step is taken by the services, as pages and workers take it. After each the reader has replayed what the chain has
grown by, and knows the tournament as the site does: see ``reader``.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bots.deletion import bot_delete, version_delete
from bots.models import VersionState
from bots.services import version_make_current
from matches.models import Match, MatchState, Seat
from matches.queue.leases import Lease
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import games_of, leased, written
from tests.tournaments.proof.events import CRASHES, FIRST, LAST, MIDDLE, cup_of, entrant, with_stage
from tests.tournaments.proof.reader import Reader, as_it_is, is_ineligible
from tests.tournaments.rulings.rule import rule
from tournaments.errors import TournamentError
from tournaments.models import Entry, Fixture, Tournament, TournamentState
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rulings.corrections import rulings_reversible
from tournaments.services import (
    entry_create,
    entry_withdraw,
    tournament_advance,
    tournament_pause,
    tournament_resume,
    tournament_start,
    waiting_round_places_swap,
    waiting_round_start,
)
from tournaments.services.leaving import entries_withdraw_deleted, entries_withdraw_forfeiters
from tournaments.services.tournament_chain import tournament_chain_results_append

SOURCES = (LAST, FIRST, MIDDLE, LAST, CRASHES, LAST, MIDDLE, FIRST, LAST)
ALIKE = (LAST,)  # every match between them is drawn
BEST = {"format": "single_elimination", "entrants": 4}
SHAPES: dict[str, tuple[tuple[bytes, ...], dict[str, Any], tuple[dict[str, Any], ...]]] = {
    "round robin": (SOURCES, {"format": "round_robin"}, ()),
    "round robin of three": (SOURCES, {"format": "round_robin", "players_per_table": 3}, ()),
    "swiss": (SOURCES, {"format": "swiss", "rounds": 3}, ()),
    "swiss of three": (
        SOURCES,
        {"format": "swiss", "rounds": 3, "players_per_table": 3, "smallest_table": 2},
        (),
    ),
    "dutch": (SOURCES, {"format": "dutch", "rounds": 3}, ()),
    "knockout": (SOURCES, {"format": "single_elimination", "has_third_place": True}, ()),
    "double elimination": (SOURCES, {"format": "double_elimination"}, ()),
    "heats": (SOURCES, {"format": "heats", "players_per_table": 3, "smallest_table": 2}, ()),
    "groups and knockout": (SOURCES, {"format": "round_robin"}, (BEST,)),
    "swiss and heats": (
        SOURCES,
        {"format": "swiss", "rounds": 2},
        ({"format": "heats", "players_per_table": 3, "smallest_table": 2, "entrants": 5},),
    ),
    "three stages": (
        SOURCES,
        {"format": "swiss", "rounds": 1},
        ({"format": "swiss", "rounds": 1, "entrants": 4}, {"format": "double_elimination", "entrants": 3}),
    ),
    "knockout first": (SOURCES, {"format": "swiss", "rounds": 2}, (BEST, {"format": "swiss", "rounds": 1})),
    "play-off": (ALIKE, {"format": "round_robin", "tie_breaks": ["play_off", "lot"]}, ()),
    "play-off of the best": (
        ALIKE,
        {"format": "round_robin", "tie_breaks": ["wins", "play_off", "lot"]},
        ({"format": "swiss", "rounds": 1, "entrants": 3},),
    ),
}
OF_MATCHES = ("void", "replay", "replace", "level")
OF_BOTS = ("disqualify", "annul", "withdraw", "reinstate")
EVENTS = (
    *("play", "play all", "play all", "lease", "end", "advance", "advance", "advance", "start round", "start round"),
    *("leave", "enter", "update", "update", "delete bot", "delete version", "sweep", "swap", "pause", "resume"),
    *OF_MATCHES,
    *OF_BOTS,
    *("take back", "take back", "take back", "take back", "reopen", "note"),
)


class Event:
    """A tournament that has started, its reader, and the matches that workers have begun."""

    def __init__(self, shape: str, entries: int, **fields: Any) -> None:
        sources, first, later = SHAPES[shape]
        cup = cup_of([sources[at % len(sources)] for at in range(entries)], **first, **fields)
        for one in later:
            with_stage(cup, **one)
        self.pk = tournament_start(tournament=cup).pk
        self.reader = Reader()
        self.leases: list[tuple[Lease, Match]] = []

    @property
    def cup(self) -> Tournament:
        return Tournament.objects.get(pk=self.pk)

    def happen(self, kind: str, place: int, more: int) -> None:
        """Let something happen; what is refused does not."""
        with suppress(TournamentError):
            _HAPPENS.get(kind, _rule)(self, kind, place, more)

    def agree(self) -> None:
        """Check that the reader of the chain knows the tournament as it is."""
        cup, seen = self.cup, self.reader.last.number
        self.reader.read(cup)
        if self.reader.last.number == seen:
            return  # nothing that anything follows from has happened
        known, is_ = self.reader.knows(cup), as_it_is(cup)
        if is_ineligible(cup):  # until the next sweep, pages may show more than the chain has been told
            del is_["standings"]
        differ = {name: (known[name], is_[name]) for name in is_ if known[name] != is_[name]}
        assert not differ, f"the reader and the site differ: {differ}"
        entries = entry_by_version(cup)
        for seat in self._drawn().select_related("match__fixture__round", "version"):
            fixture, entry = seat.match.fixture, entries[seat.version_id]
            if fixture.round.started_at is not None:
                package = self.reader.package(fixture, entry)
                assert package == seat.version.sha256, f"the package in round {fixture.round.number}, {entry}"
            if seat.has_forfeited and seat.match.state != MatchState.FINISHED:
                assert self.reader.lets_bar(fixture, entry), f"barred in round {fixture.round.number}, {entry}"

    def play_out(self) -> None:
        """To its end."""
        for _ in range(60):
            cup = self.cup
            if cup.state in (TournamentState.FINISHED, TournamentState.CANCELLED):
                return
            if cup.state == TournamentState.PAUSED:
                self.happen("resume", 0, 0)
            for kind in ("start round", "end", "play all", "sweep", "advance"):
                self.happen(kind, 0, 99)
        raise AssertionError("it does not end")

    def queued(self) -> list[Match]:
        return list(Match.objects.filter(fixture__round__tournament=self.pk, state=MatchState.QUEUED).order_by("pk"))

    def process_results(self) -> None:
        """Process results of the tournament, as a worker's message does; what it does not draw is left to "advance"."""
        tournament_chain_results_append(tournament_id=self.pk)
        if self.cup.state == TournamentState.RUNNING:
            entries_withdraw_forfeiters(tournament_id=self.pk)

    def _drawn(self) -> Any:
        return Seat.objects.filter(match__fixture__round__tournament=self.pk)


def _entries(event: Event) -> list[Entry]:
    return list(Entry.objects.filter(tournament=event.pk).select_related("bot__owner").order_by("pk"))


def _play(event: Event, kind: str, place: int, more: int) -> None:
    queued = event.queued()
    for match in queued if kind == "play all" else queued[place % len(queued) :][: 1 + more] if queued else []:
        lease = leased(match)
        match.refresh_from_db()
        assert written(lease, games_of(match))
    event.process_results()


def _lease(event: Event, kind: str, place: int, more: int) -> None:
    """A worker begins a match."""
    queued = event.queued()
    if queued:
        match = queued[place % len(queued)]
        lease = leased(match)
        match.refresh_from_db()
        event.leases.append((lease, match))


def _end(event: Event, kind: str, place: int, more: int) -> None:
    """Workers end what they have begun; nobody takes what was called off meanwhile."""
    for lease, match in event.leases:
        if Match.objects.filter(pk=match.pk).exists():
            written(lease, games_of(match))
    event.leases.clear()
    event.process_results()


def _advance(event: Event, kind: str, place: int, more: int) -> None:
    tournament_chain_results_append(tournament_id=event.pk)
    tournament_advance(tournament_id=event.pk)


def _start_round(event: Event, kind: str, place: int, more: int) -> None:
    waiting = event.cup.rounds.filter(started_at__isnull=True).order_by("number")
    for played in waiting[: 1 + more]:
        waiting_round_start(played=played)


def _swap(event: Event, kind: str, place: int, more: int) -> None:
    waiting = event.cup.rounds.filter(started_at__isnull=True).order_by("number").first()
    entries = _entries(event)
    if waiting is not None:
        one, other = entries[place % len(entries)], entries[more % len(entries)]
        waiting_round_places_swap(played=waiting, one=one, other=other, by=event.cup.organiser)


def _leave(event: Event, kind: str, place: int, more: int) -> None:
    entries = _entries(event)
    entry = entries[place % len(entries)]
    entry_withdraw(entry=entry, by=entry.bot.owner)


def _enter(event: Event, kind: str, place: int, more: int) -> None:
    """One that left comes back, or a newcomer late."""
    left = [entry for entry in _entries(event) if entry.left_at is not None]
    if left:
        bot = left[place % len(left)].bot
    elif len(_entries(event)) < 10:
        bot = entrant(f"Newcomer {place} {more}", FIRST + b"# %d" % (1000 * place + more)).bot
    else:
        return
    entry_create(tournament=event.cup, bot=bot, by=bot.owner)


def _update(event: Event, kind: str, place: int, more: int) -> None:
    """An author uploads a new version, or makes one of before current."""
    entries = [entry for entry in _entries(event) if entry.bot.deleted_at is None]
    if not entries:
        return
    bot = entries[place % len(entries)].bot
    versions = list(bot.versions.filter(state=VersionState.ACCEPTED).order_by("pk"))
    if more and len(versions) > 1:
        version_make_current(version=versions[more % len(versions)])
        return
    count = bot.versions.count()
    BotVersionFactory.create(bot=bot, source=(FIRST, LAST, MIDDLE)[count % 3] + b"# %d %d" % (bot.pk, count))


def _delete_bot(event: Event, kind: str, place: int, more: int) -> None:
    entries = _entries(event)
    bot_delete(bot=entries[place % len(entries)].bot)


def _delete_version(event: Event, kind: str, place: int, more: int) -> None:
    entries = _entries(event)
    bot = entries[place % len(entries)].bot
    versions = list(bot.versions.filter(state=VersionState.ACCEPTED).order_by("pk"))
    if versions:
        version_delete(version=versions[more % len(versions)])


def _sweep(event: Event, kind: str, place: int, more: int) -> None:
    entries_withdraw_deleted()
    event.process_results()


def _pause(event: Event, kind: str, place: int, more: int) -> None:
    tournament_pause(tournament=event.cup)


def _resume(event: Event, kind: str, place: int, more: int) -> None:
    tournament_resume(tournament=event.cup)


def _rule(event: Event, kind: str, place: int, more: int) -> None:
    """An arbiter rules, and the tournament goes on or, where the process was killed, does later."""
    cup, about = event.cup, dict[str, Any]()
    if kind in OF_BOTS:
        entries = _entries(event)
        about = {"entry": entries[place % len(entries)], "annul": kind == "annul"}
        kind = "disqualify" if kind == "annul" else kind
    elif kind in OF_MATCHES:
        fixtures = list(cup.fixtures.select_related("round__stage", "round__tournament", "match"))
        if not fixtures:
            return
        about = {"fixture": fixtures[place % len(fixtures)]}
        if kind in ("replace", "level"):
            about["scores"] = _scores(cup, about["fixture"], -1 if kind == "level" else more)
            kind = "replace"
    elif kind == "take back":
        rulings = rulings_reversible(cup)
        if not rulings:
            return
        kind, about = "take_back", {"ruling": rulings[place % len(rulings)]}
    rule(cup, kind, **about)
    if more % 2:
        tournament_advance(tournament_id=event.pk)


def _scores(cup: Tournament, fixture: Fixture, best: int) -> dict[int, float]:
    """All games to one after the other of the table, from the ``best`` on; below 0 all are level."""
    entries = entry_by_version(cup)
    table = [entries[seat.version_id] for seat in fixture.match.seats.all()]
    games, seats = fixture.match.blocks_most * len(table), len(table)
    if best < 0:
        return dict.fromkeys(table, games / 2)
    return {entry: games * ((at + best) % seats) / (seats - 1) for at, entry in enumerate(table)}


_HAPPENS: dict[str, Callable[[Event, str, int, int], None]] = {
    "play": _play,
    "play all": _play,
    "lease": _lease,
    "end": _end,
    "advance": _advance,
    "start round": _start_round,
    "swap": _swap,
    "leave": _leave,
    "enter": _enter,
    "update": _update,
    "delete bot": _delete_bot,
    "delete version": _delete_version,
    "sweep": _sweep,
    "pause": _pause,
    "resume": _resume,
}

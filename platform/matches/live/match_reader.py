"""Read what is new in a match since the last read, and convert it to frames.

What a broadcast shows depends only on the time since T0. So a process that starts, or restarts, during a broadcast
shows the same beat as all other processes.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core import signing
from django.db.models import Count

from games.record import Record
from games.replay import Intervention, RecordError
from matches.airing.selectors import OnAir, broadcast_read
from matches.airing.timetable import GameTimes, Slot, broadcast_game_times
from matches.models import Audience, Game, Match, MatchLog, MatchState
from matches.replay.frame_encoding import FrameBatch, FrameEncoder
from matches.visibility import matches_visible_to_audience
from web.topics import TicketError

GAMES_KEPT: Final = 12  # only the last games of a match are streamed; pages request earlier ones over HTTP
OVER: Final = frozenset({MatchState.FINISHED, MatchState.CANCELLED})


@dataclass(frozen=True, slots=True)
class GameSoFar:
    index: int
    seed: bytes
    actions: tuple[str, ...]
    interventions: tuple[Intervention, ...]


@dataclass(frozen=True, slots=True)
class GameConfig:
    """The parts of a match that never change."""

    ruleset: str
    players: int
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """The state of a match, and the games of its current attempt."""

    state: str
    attempt: int
    games: tuple[GameSoFar, ...]

    @property
    def over(self) -> bool:
        return self.state in OVER


def match_reader_config(*, match_id: int, audience: Audience) -> GameConfig | None:
    """Return the configuration of the match's games; None if there is no such match for this audience."""
    match = matches_visible_to_audience(audience).filter(pk=match_id).annotate(players=Count("seats")).first()
    return None if match is None else GameConfig(match.ruleset, match.players, match.options)


def match_reader_snapshot(*, match_id: int, audience: Audience, attempt: int, game: int) -> MatchSnapshot | None:
    """Return the match with its games from ``game`` on. If ``attempt`` is not the current one, return all games.

    At most the last ``GAMES_KEPT`` games are returned. Return None if there is no such match for this audience.
    """
    matches = matches_visible_to_audience(audience).filter(pk=match_id).values_list("state", "attempt", "tempo")
    match = next(iter(matches), None)  # ``first`` would add a sort, which costs more than reading the one row
    if match is None:
        return None
    state, present, tempo = match
    if tempo and state != MatchState.FINISHED:  # the games are sealed; ``AirShow`` shows what is on air
        return MatchSnapshot(state, present, ())
    read = _finished_games if state == MatchState.FINISHED else _running_games
    return MatchSnapshot(state, present, read(match_id, present, game if attempt == present else 0))


def match_reader_running_game(*, match: Match, index: int) -> GameSoFar | None:
    """Return game ``index`` of the current attempt of a match that is being played.

    Return None if the game has not been logged, or if the match is not being played or is sealed.
    """
    if match.state != MatchState.RUNNING or match.sealed:
        return None
    log = MatchLog.objects.filter(match=match, attempt=match.attempt, game=index).values_list(*LOGGED).first()
    return None if log is None else match_reader_game_from_log(*log)


LOGGED: Final = ("game", "seed", "actions", "interventions")


def _running_games(match_id: int, attempt: int, first: int) -> tuple[GameSoFar, ...]:
    """Return the games that were stored by earlier slices, and the logged games of the current slice."""
    logs = MatchLog.objects.filter(match=match_id, attempt=attempt, game__gte=first).order_by("-game")
    games = [match_reader_game_from_log(*log) for log in reversed(logs.values_list(*LOGGED)[:GAMES_KEPT])]
    if games and games[0].index == first:
        return tuple(games)
    logged = {game.index for game in games}
    finished = (game for game in _finished_games(match_id, attempt, first) if game.index not in logged)
    return tuple(sorted((*finished, *games), key=lambda game: game.index)[-GAMES_KEPT:])


def _finished_games(match_id: int, attempt: int, first: int) -> tuple[GameSoFar, ...]:
    games = Game.objects.filter(match=match_id, index__gte=first).order_by("-index")
    return tuple(
        _from_record(index, bytes(record))
        for index, record in reversed(games.values_list("index", "record")[:GAMES_KEPT])
    )


def match_reader_game_from_log(game: int, seed: bytes, actions: str, interventions: list[list[Any]]) -> GameSoFar:
    """Return the game that a row of the columns ``LOGGED`` describes."""
    stood_in = tuple(Intervention(*entry) for entry in interventions)
    return GameSoFar(game, bytes(seed), tuple(actions.splitlines()), stood_in)


def _from_record(index: int, data: bytes) -> GameSoFar:
    record = Record.decode(data)
    return GameSoFar(index, record.seed, record.actions, record.interventions)


# Sockets use no session, because looking one up costs more than delivering messages. Instead, the page contains a
# signed ticket, and the socket sends it. A ticket is valid for one match, and for the audience that the match had when
# the page was loaded. If the match is later restricted to a smaller audience, the stream ends.
LIFE_SECONDS: Final = 600  # a ticket is valid for this time; a socket that it has opened stays open
_SIGNER: Final = signing.TimestampSigner(salt="matches.live.match_reader")


def match_reader_ticket(match: Match) -> str:
    """Return a ticket for a reader who may see ``match``; "" if everybody with the address may see the match."""
    return "" if match.is_open else _SIGNER.sign(f"{match.pk}.{match.audience}")


def match_reader_ticket_read(ticket: str, match_id: int) -> Audience:
    """Return the audience for which ``ticket`` is valid; ``Audience.EVERYONE`` for "". Safe for hostile text.

    Raises:
        TicketError: the ticket was not signed here, is too old, or is for another match.
    """
    if not ticket:
        return Audience.EVERYONE
    try:
        admitted, _, audience = _SIGNER.unsign(ticket, max_age=LIFE_SECONDS).partition(".")
    except signing.SignatureExpired as error:
        raise TicketError("ticket_expired", "the ticket is too old to watch with: reload the page") from error
    except signing.BadSignature as error:
        raise TicketError("bad_ticket", "the ticket is not one of ours: reload the page") from error
    if admitted != str(match_id):
        raise TicketError("bad_ticket", f"the ticket is for match {admitted}, not for {match_id}: reload the page")
    return Audience(audience)


logger = logging.getLogger(__name__)
AHEAD_MS: Final = 15_000  # a game is read this long before it begins


class AirShow:
    """The broadcast of a match. Only ``prepare`` reads the database; ``due`` may be called in the event loop."""

    __slots__ = ("_clock", "_games_read", "_now_less_clock", "_returned", "_show", "_times")

    def __init__(self, show: OnAir, games_read: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._games_read = games_read  # of the games that have begun, this number is read for late viewers
        self._times: dict[int, GameTimes | None] = {}  # by game; None if its record is damaged
        self._returned: dict[int, int] = {}  # by game, the number of beats that ``due`` has returned
        self._set(show)

    def _set(self, show: OnAir) -> None:
        self._show = show
        self._now_less_clock = show.elapsed - self._clock() * 1000

    @property
    def elapsed(self) -> float:
        """Milliseconds since T0."""
        return self._clock() * 1000 + self._now_less_clock

    def prepare(self, show: OnAir) -> None:
        """Take T0, which may have been moved, and the clock of the database from ``show``. Read the next games."""
        self._set(show)
        begun = [slot for slot in show.slots if slot.start <= self.elapsed]
        soon = [slot for slot in show.slots if self.elapsed < slot.start <= self.elapsed + AHEAD_MS]
        for slot in (*begun[-self._games_read :], *soon):
            if slot.game not in self._times:
                self._times[slot.game] = self._read(slot)

    def due(self) -> tuple[FrameBatch, ...]:
        """Return the frames of prepared games that are due now. Each frame is returned once."""
        elapsed = int(self.elapsed)
        batches = []
        for slot, times in self._known():
            sent, now = self._returned.get(slot.game, 0), times.beats_by(elapsed - slot.start)
            if now > sent:
                self._returned[slot.game] = now
                batches.append(times.shown(sent, now, slot.start))
        return tuple(batches)

    def seconds_to_next(self) -> float | None:
        """Return the seconds until the next frames of prepared games are due; None if there are none."""
        coming = [
            slot.start + times.at[sent]
            for slot, times in self._known()
            if (sent := self._returned.get(slot.game, 0)) < len(times.at)
        ]
        return max(0.0, (min(coming) - self.elapsed) / 1000) if coming else None

    def _known(self) -> Iterator[tuple[Slot, GameTimes]]:
        for slot in self._show.slots:
            times = self._times.get(slot.game)
            if times is not None:
                yield slot, times

    def _read(self, slot: Slot) -> GameTimes | None:
        try:
            return broadcast_game_times(self._show.match_id, slot.game, self._show.tempo)
        except (Game.DoesNotExist, RecordError):
            logger.exception("live: game %d of match %d cannot be shown", slot.game, self._show.match_id)
            return None


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The result of one read. ``attempt`` changes if the match was restarted."""

    state: str
    attempt: int
    over: bool
    airs: int | None  # T0 of the broadcast in milliseconds since 1970, while the match is on air
    batches: tuple[FrameBatch, ...]


class MatchReader:
    """Reads one match repeatedly, and simulates each game once. Use it in one thread at a time."""

    __slots__ = ("_attempt", "_audience", "_encoders", "_match_id", "_setup", "air")

    def __init__(self, match_id: int, audience: Audience) -> None:
        self._match_id = match_id
        self._audience = audience
        self._setup: GameConfig | None = None
        self._attempt = -1
        self._encoders: dict[int, FrameEncoder | None] = {}  # by game; None if its log does not replay
        self.air: AirShow | None = None  # only while the match is on air

    def look(self) -> MatchUpdate | None:
        """Read the database. Return None if there is no such match for this audience."""
        match_id, audience = self._match_id, self._audience
        self._setup = self._setup or match_reader_config(match_id=match_id, audience=audience)
        last = max(self._encoders, default=0)
        story = match_reader_snapshot(match_id=match_id, audience=audience, attempt=self._attempt, game=last)
        if self._setup is None or story is None:
            return None
        if story.attempt != self._attempt:
            self._attempt = story.attempt
            self._encoders = {}
        show = broadcast_read(match_id, audience) if story.state == MatchState.ON_AIR else None
        if show is not None:
            self.air = self.air or AirShow(show, GAMES_KEPT)
            self.air.prepare(show)
            return MatchUpdate(story.state, story.attempt, story.over, show.begins, self.air.due())
        self.air = None
        batches = [batch for game in story.games if (batch := self._encode(self._setup, game))]
        return MatchUpdate(story.state, story.attempt, story.over, None, tuple(batches))

    def _encode(self, setup: GameConfig, game: GameSoFar) -> FrameBatch | None:
        try:
            if game.index not in self._encoders:
                self._encoders[game.index] = FrameEncoder(
                    game.index, setup.ruleset, setup.players, setup.options, game.seed
                )
                self._encoders.pop(game.index - GAMES_KEPT, None)
            encoder = self._encoders[game.index]
            if encoder is None:
                return None
            batch = encoder.extend(game.actions, game.interventions)
        except RecordError:
            logger.exception("live: game %d of match %d does not replay", game.index, self._match_id)
            self._encoders[game.index] = None
            return None
        return batch if batch.frames else None

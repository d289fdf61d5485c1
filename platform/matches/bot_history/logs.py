"""Logs of a bot's games: its output, the processor times of its actions, and its notes on moves.

Output and times are for the author. Notes are for everyone who may read them.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from math import ceil
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.cache import caches
from django.db.models import Q, QuerySet

from bots.models import Bot, VersionState
from bots.selectors import bots_public
from games.explanation import MoveExplanation
from games.record import Record, RecordError
from matches.models import Game, Match, MatchState, SeatLog, SeatNotes
from matches.queue.seat_logs import LoggedGame, seat_logs_games, seat_logs_notes
from matches.referee.scoring import PER_OCTAVE, scoring_time_bucket, scoring_time_bucket_end
from matches.replay.seat_decisions import StepNote, seat_decision_steps, seat_explanations_by_step
from matches.visibility import matches_visible_to_author, visibility_runs_match
from teams.selectors import team_owner_keys, team_owners_of

STEPS_SECONDS: Final = 3600  # how long the steps of a game are cached: finding them means replaying the game
ROWS_MOST: Final = 2000  # older rows are ignored
HALF_BUCKET: Final = 2 ** (-0.5 / PER_OCTAVE)


@dataclass(frozen=True, slots=True)
class Print:
    """What a bot printed during one action, or after the last action.

    ``step`` is the step of the replay after this action; None if the record cannot be read. ``action`` is the number of
    earlier actions of all players.
    """

    action: int
    step: int | None
    text: str


@dataclass(frozen=True, slots=True)
class GameOutput:
    """A game of a bot as its author reads it. ``game`` counts from 0, times are in milliseconds.

    ``cut`` is the number of characters that were dropped. The bot printed them before the first of the ``prints``.
    """

    match: int
    game: int
    version: int
    seat: int
    finished_at: datetime | None
    actions: int
    slowest_ms: float
    slowest_at: int
    limit_ms: float
    cut: int
    prints: tuple[Print, ...]


GameRef = tuple[int, int]  # the primary key of a row, and the index of the game in the match


def bot_logs_readable_by(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Bot]:
    """Return the bots whose output and timings ``user`` may read.

    Staff may read those of all bots, other users those of their own bots and of their teams' bots.
    """
    return bots_public() if getattr(user, "is_staff", False) else bots_public().filter(owner__in=team_owners_of(user))


def bot_logs_of(bot: Bot, *, version: int | None = None, match: int | None = None) -> QuerySet[SeatLog]:
    """Return the logs of ``bot`` in finished matches that its author may see, newest first."""
    shown = {"seat__match__state": MatchState.FINISHED}
    logs = SeatLog.objects.filter(matches_visible_to_author(bot.owner_id, "seat__match__"), bot=bot, **shown)
    if version is not None:
        logs = logs.filter(seat__version__number=version)
    if match is not None:
        logs = logs.filter(seat__match=match)
    return logs.order_by("-pk")


def bot_logs_games_found(
    bot: Bot, *, version: int | None = None, match: int | None = None, game: int | None = None, text: str = ""
) -> list[GameRef]:
    """Return the games in which the bot printed ``text``, ignoring case, newest rows first.

    Without ``text``, return the games in which it printed anything, or all games of ``match``. ``game`` counts from 1.
    """
    logs = bot_logs_of(bot, version=version, match=match)
    if match is None or text:
        logs = logs.filter(printed__gt=0)
    sought = text.casefold()
    return [
        (pk, found.index)
        for pk, content in logs.values_list("pk", "content").iterator(chunk_size=100)
        for found in seat_logs_games(bytes(content), sought)
        if game in (None, found.index + 1) and _fits(found, sought, silent=match is not None)
    ]


def bot_logs_outputs(page: Iterable[GameRef], text: str = "") -> list[GameOutput]:
    """Return the output of the games on a page. With ``text``, return only the prints that contain it."""
    refs = list(page)
    rows = SeatLog.objects.select_related("seat__match", "seat__version").in_bulk({pk for pk, _index in refs})
    unpacked = {pk: {game.index: game for game in seat_logs_games(bytes(row.content))} for pk, row in rows.items()}
    steps = bot_logs_game_steps({(rows[pk].seat.match_id, index) for pk, index in refs if pk in rows})
    return [
        _output(rows[pk], unpacked[pk][index], steps.get((rows[pk].seat.match_id, index), ()), text.casefold())
        for pk, index in refs
        if pk in rows  # the row may have been deleted meanwhile
    ]


def _fits(game: LoggedGame, sought: str, *, silent: bool) -> bool:
    if sought:
        return any(sought in text.casefold() for _played, text in game.chunks)
    return silent or bool(game.chunks or game.cut)


def _output(row: SeatLog, game: LoggedGame, steps: Sequence[int], sought: str) -> GameOutput:
    match = row.seat.match
    return GameOutput(
        match=match.pk,
        game=game.index,
        version=row.seat.version.number,
        seat=row.seat.index,
        finished_at=match.finished_at,
        actions=game.actions,
        slowest_ms=game.slowest * 1000,
        slowest_at=game.slowest_at,
        limit_ms=match.limits["act_cpu"] * 1000,
        cut=game.cut,
        prints=tuple(
            Print(played, steps[min(played, len(steps) - 1)] if steps else None, text)
            for played, text in game.chunks
            if sought in text.casefold()
        ),
    )


def bot_logs_game_steps(games: set[tuple[int, int]]) -> Mapping[tuple[int, int], Sequence[int]]:
    """Return, by match and game index, the step of the replay that each action led to.

    Games with unreadable records are left out.
    """
    played = Game.objects.filter(match__in={match for match, _ in games}, index__in={index for _, index in games})
    records = {
        (match, index): bytes(record)
        for match, index, record in played.values_list("match", "index", "record")
        if (match, index) in games
    }
    keys = {game: f"steps/{blake2b(record, digest_size=16).hexdigest()}" for game, record in records.items()}
    cached: dict[str, Sequence[int]] = caches["optional"].get_many(keys.values())
    missing = {key: records[game] for game, key in keys.items() if key not in cached}
    made = {key: steps for key, record in missing.items() if (steps := _steps_of(record)) is not None}
    if made:
        caches["optional"].set_many(made, STEPS_SECONDS)
    known = {**cached, **made}
    return {game: known[key] for game, key in keys.items() if key in known}


def _steps_of(record: bytes) -> Sequence[int] | None:
    """Return the steps of a game; None if its record is damaged."""
    try:
        return array("L", seat_decision_steps(Record.decode(record)))
    except RecordError:
        return None


@dataclass(frozen=True, slots=True)
class TimeBar:
    """A bar for the ``actions`` actions that took at most ``up_to_ms``, but longer than the previous bar.

    ``holds_limit`` tells whether the time limit is in this bar.
    """

    up_to_ms: float
    actions: int
    holds_limit: bool


@dataclass(frozen=True, slots=True)
class VersionTimings:
    """Processor times of a version's actions under one time limit, in milliseconds.

    The median ``p50_ms`` and the 99th percentile ``p99_ms`` are exact within 5 %. ``max_ms`` is the longest time. Each
    of the ``bars`` spans twice as many milliseconds as the previous one.
    """

    version: int
    limit_ms: float
    matches: int
    actions: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    bars: tuple[TimeBar, ...]

    @property
    def share(self) -> float:
        """The longest time, divided by the limit."""
        return self.max_ms / self.limit_ms


@dataclass(slots=True)
class _Sum:
    matches: set[int]
    times: Counter[int]
    slowest: float = 0.0


def bot_logs_timings(bot: Bot, *, version: int | None = None) -> list[VersionTimings]:
    """Return the timings in the bot's last matches, by version and by limit. Newer versions come first."""
    sums: dict[tuple[int, float], _Sum] = {}
    fields = ("seat__version__number", "seat__match__limits__act_cpu", "seat__match", "times", "slowest_ms")
    for number, limit, match, times, slowest in bot_logs_of(bot, version=version).values_list(*fields)[:ROWS_MOST]:
        one = sums.setdefault((number, limit), _Sum(set(), Counter()))
        one.matches.add(match)
        one.times.update({int(bucket): count for bucket, count in times.items()})
        one.slowest = max(one.slowest, slowest)
    found = [_timings(number, limit * 1000, one) for (number, limit), one in sums.items() if one.times]
    return sorted(found, key=lambda one: (-one.version, one.limit_ms))


def _timings(version: int, limit_ms: float, one: _Sum) -> VersionTimings:
    return VersionTimings(
        version=version,
        limit_ms=limit_ms,
        matches=len(one.matches),
        actions=one.times.total(),
        p50_ms=_percentile(one, 0.5),
        p99_ms=_percentile(one, 0.99),
        max_ms=one.slowest,
        bars=tuple(_bars(one.times, limit_ms)),
    )


def _percentile(one: _Sum, share: float) -> float:
    rest = ceil(one.times.total() * share)
    for bucket in sorted(one.times):
        rest -= one.times[bucket]
        if rest <= 0:
            return min(scoring_time_bucket_end(bucket) * HALF_BUCKET * 1000, one.slowest)
    raise AssertionError("the last bucket ends the count")


def _bars(times: Counter[int], limit_ms: float) -> Iterator[TimeBar]:
    octaves: Counter[int] = Counter()
    for bucket, count in times.items():
        octaves[-(-bucket // PER_OCTAVE)] += count
    limit = -(-scoring_time_bucket(limit_ms / 1000) // PER_OCTAVE)
    for octave in range(min(octaves), max(*octaves, limit) + 1):
        yield TimeBar(scoring_time_bucket_end(octave * PER_OCTAVE) * 1000, octaves[octave], octave == limit)


def bot_logs_own_notes(bot: Bot) -> Iterator[tuple[int, int, int, MoveExplanation]]:
    """Yield the bot's notes in finished matches that its author may see.

    Each is a tuple of the match, the index of the game, the number of earlier actions, and the note.
    """
    shown = matches_visible_to_author(bot.owner_id, "seat__match__")
    rows = SeatNotes.objects.filter(shown, bot=bot, seat__match__state=MatchState.FINISHED).select_related("seat")
    for row in rows.order_by("pk").iterator(100):
        for game, notes in seat_logs_notes(bytes(row.content)):
            for played, explanation in notes:
                yield row.seat.match_id, game, played, explanation


def bot_logs_notes(user: AbstractBaseUser | AnonymousUser, match: Match, game: Game) -> list[StepNote]:
    """Return the notes of a finished game that ``user`` may read, in the order of the steps.

    These are the notes of the user's own bots, and public notes. People who run the match may read all notes.
    """
    rows = SeatNotes.objects.filter(seat__match=match, first_game__lte=game.index, last_game__gte=game.index)
    rows = rows.filter(bot__deleted_at__isnull=True).exclude(seat__version__state=VersionState.DELETED)
    if not visibility_runs_match(user, match):
        rows = rows.filter(Q(bot__notes_shown=True) | Q(bot__is_house=True) | Q(bot__owner__in=team_owner_keys(user)))
    found = {row.seat.index: dict(seat_logs_notes(bytes(row.content))) for row in rows.select_related("seat")}
    where = (match.pk, game.index)
    steps = bot_logs_game_steps({where}).get(where, ()) if found else ()
    return seat_explanations_by_step(steps, {seat: games.get(game.index, ()) for seat, games in found.items()})

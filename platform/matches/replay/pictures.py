"""Small pictures of matches: a moment of one, or where each of many stands, see ``games.picture``.

Playing a game up to a moment takes some milliseconds, so what was drawn is kept for a while; all that is drawn is what
everyone who may look at the match may see at that moment.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.cache import caches
from django.db.models import F, OuterRef, Subquery
from django.utils.translation import get_language, gettext

from games.catalogue import GAMES
from games.picture import Player
from games.record import Record
from games.replay import RecordError, Replay
from games.state import State
from matches.airing.selectors import moment_on_air
from matches.live.selectors import LOGGED, GameSoFar, from_log
from matches.models import Game, Match, MatchLog, MatchState, Seat
from matches.referee.rotation import seats_by_position

logger = logging.getLogger(__name__)

KEPT_SECONDS: Final = 600
EDITION: Final = 1  # of the pictures; raised when they are drawn differently
OPENING_PART: Final = 3  # a finished game is shown where this part of its actions was played: it tells no result


@dataclass(frozen=True, slots=True)
class Board:
    """A match with its small picture: ``svg`` is ours and may stand in a page as it is."""

    match: Match
    svg: str

    @property
    def game(self) -> str:
        return self.match.ruleset.partition("/")[0]

    @property
    def live(self) -> bool:
        return self.match.state == MatchState.RUNNING

    @property
    def names(self) -> str:
        return ", ".join(seat.version.bot.name for seat in self.match.seats.all())


def game_picture(match: Match, index: int, step: int) -> str | None:
    """Return the picture of a game after ``step`` actions, chance's too; of its last one if it has fewer.

    None if the game has not begun, or does not replay. Nothing is kept of it: there are too many steps.
    """
    if match.state == MatchState.ON_AIR:
        aired = moment_on_air(match, index)
        return _draw(match, _finished([match], index)[match.pk], min(step, aired[1])) if aired else None
    games = _finished([match], index) if match.state == MatchState.FINISHED else _running([match])
    game = games.get(match.pk) or _waiting(match)
    return _draw(match, game, step) if game.index == index else None


def match_boards(matches: Sequence[Match], *, ends: bool = False) -> Mapping[int, Board]:
    """Return a board for each match, by its number: of one being played or on air where it stands, of one that waits
    the table before the first action, of one that is finished an early moment of its first game; with ``ends`` the end
    of its last game. Two queries, and some for each on air; they have their seats, versions and bots at hand.
    """
    over = [one for one in matches if one.state == MatchState.FINISHED]
    finished = _finished(over, None if ends else 0)
    running = _running([one for one in matches if one.state == MatchState.RUNNING])
    drawn = _drawn([_moment(one, finished.get(one.pk), running.get(one.pk), ends=ends) for one in matches])
    return {match.pk: Board(match, drawn[match.pk]) for match in matches if match.pk in drawn}


def _moment(
    match: Match, finished: GameSoFar | None, running: GameSoFar | None, *, ends: bool
) -> tuple[Match, GameSoFar, int | None]:
    """What is drawn of a match: how far of which game; None: all there is."""
    if aired := moment_on_air(match):
        game, step = aired
        return match, _finished([match], game)[match.pk], step
    if finished is not None:
        return match, finished, None if ends else len(finished.actions) // OPENING_PART
    return match, running or _waiting(match), None


def _finished(matches: Sequence[Match], index: int | None) -> dict[int, GameSoFar]:
    """A game of each match, the last one if ``index`` is None."""
    if not matches:
        return {}
    games = Game.objects.filter(match__in=[one.pk for one in matches])
    last = Game.objects.filter(match=OuterRef("match")).order_by("-index").values("index")[:1]
    games = games.filter(index=Subquery(last) if index is None else index)
    found = {}
    for match, number, data in games.values_list("match", "index", "record"):
        record = Record.decode(bytes(data))
        found[match] = GameSoFar(number, record.seed, record.actions, record.interventions)
    return found


def _running(matches: Sequence[Match]) -> dict[int, GameSoFar]:
    """The latest game of each match's present attempt that has begun."""
    if not matches:
        return {}
    latest = MatchLog.objects.filter(match=OuterRef("match"), attempt=OuterRef("attempt")).order_by("-game")
    logs = MatchLog.objects.filter(match__in=[one.pk for one in matches], attempt=F("match__attempt"))
    logs = logs.filter(game=Subquery(latest.values("game")[:1]))
    return {match: from_log(*log) for match, *log in logs.values_list("match", *LOGGED)}


def _waiting(match: Match) -> GameSoFar:
    """Nothing has been played: the seed of the first game is nobody's business yet, and any shows the same table."""
    return GameSoFar(0, bytes(16), (), ())


def _drawn(wanted: Sequence[tuple[Match, GameSoFar, int | None]]) -> dict[int, str]:
    """Draw each match's game after so many actions (all, if None), or take what was drawn before."""
    language = get_language() or "en"
    keys = {
        match.pk: f"picture.{EDITION}.{match.pk}.{match.attempt}.{game.index}.{len(game.actions)}.{step}.{language}"
        for match, game, step in wanted
    }
    cache = caches["optional"]
    kept = cache.get_many(keys.values()) if keys else {}
    fresh = {}
    for match, game, step in wanted:
        if keys[match.pk] not in kept and (svg := _draw(match, game, step)):
            fresh[keys[match.pk]] = svg
    if fresh:
        cache.set_many(fresh, KEPT_SECONDS)
    return {pk: svg for pk, key in keys.items() if (svg := kept.get(key) or fresh.get(key))}


def _draw(match: Match, game: GameSoFar, step: int | None) -> str | None:
    seats: Sequence[Seat] = list(match.seats.all())
    try:
        state = _state_after(Replay(match.ruleset, len(seats), match.options, game.seed), game, step)
    except RecordError:
        logger.exception("pictures: game %d of match %d does not replay", game.index, match.pk)
        return None
    players = [Player(seats[seat].version.bot.name, seat) for seat in seats_by_position(game.index, len(seats))]
    return GAMES[match.ruleset.partition("/")[0]].picture(state.view(None), players, translate=gettext)


def _state_after(replay: Replay, game: GameSoFar, step: int | None) -> State:
    played = 0
    if step != 0:
        for played, _ in enumerate(replay.play(game.actions), 1):
            if played == step:
                break
    return replay.state

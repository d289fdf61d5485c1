"""Small pictures of games: SVG for pages, and PNG for link previews. Few sites show SVG in link previews."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Final, TypeAlias

from django.core.cache import caches
from django.db.models import F, OuterRef, Q, Subquery
from django.utils.translation import get_language, gettext

from games.catalogue import GAMES, catalogue_has_ruleset
from games.picture import PicturePlayer, picture_alone
from games.record import Record
from games.replay import Replay
from games.state import State
from matches.airing.selectors import AiredMoment, GameOnAir, broadcast_games
from matches.live.match_reader import LOGGED, GameSoFar, match_reader_game_from_log
from matches.models import Game, Match, MatchLog, MatchState
from matches.referee.scoring import scoring_seats_by_position
from web.optional import optional
from web.previews import preview_png

CACHED_SECONDS: Final = 600
EDITION: Final = 2  # raise it when pictures change, because they are cached
_Records: TypeAlias = dict[int, tuple[int, bytes]]  # index and record of a game, by match id
Moment: TypeAlias = Callable[[], tuple[GameSoFar, int | None]]
OPENING_PART: Final = 3  # a finished game is shown after a third of its actions, which reveals no result
_VARIABLE: Final = re.compile(r"var\(--[a-z-]+,([^)]+)\)")


@dataclass(frozen=True, slots=True)
class MatchPicture:
    """A match with its small picture. ``svg`` is safe to put into a page; ``bots`` are names by seat."""

    match: Match
    svg: str
    bots: Sequence[str]

    @property
    def game(self) -> str:
        return self.match.ruleset.partition("/")[0]

    @property
    def live(self) -> bool:
        return self.match.state in (MatchState.RUNNING, MatchState.ON_AIR)

    @property
    def names(self) -> str:
        return ", ".join(self.bots)


def match_picture_of_game(match: Match, index: int, step: int) -> str | None:
    """Return the picture of a game after ``step`` actions, including those of chance.

    If this step may not be shown yet, return the picture of the last step that may. Return None if the game has not
    begun, does not replay, or is not installed. Pictures are not cached: there are too many steps.
    """
    if not catalogue_has_ruleset(match.ruleset):
        return None
    if match.state == MatchState.ON_AIR:
        return _aired_picture(match, index, step)
    played = _finished(match, index) if match.state == MatchState.FINISHED else _running([match]).get(match.pk)
    game = played or _waiting(match)
    return _draw(match, _bots_of(match), game, step) if game.index == index else None


def _aired_picture(match: Match, index: int, step: int) -> str | None:
    """Return the picture of a game, at the latest at the step that is on air.

    Return None if the game has not been on air.
    """
    aired, bots = _aired([match]).get(match.pk), _bots_of(match)
    if aired is None or index > aired.game:
        return _draw(match, bots, _waiting(match), 0) if index == 0 else None
    if index == aired.game:
        return _draw(match, bots, _from_record(index, aired.record), min(step, aired.step))
    game = _finished(match, index)
    return _draw(match, bots, game, step) if game else None


@optional("boards of matches", lambda *_given, **_more: {})
def match_picture_boards(
    matches: Sequence[Match], *, ends: bool = False, bots: Mapping[int, Sequence[str]] | None = None
) -> Mapping[int, MatchPicture]:
    """Return a picture for each match, by match id. At most five queries.

    A match that is being played or is on air is shown at its current step. A waiting match is shown before the first
    action. A finished match is shown at an early moment of its first game, or, with ``ends``, at the end of its last
    game. ``bots`` has names by seat. Without them, ``matches`` must have their seats, versions and bots loaded.
    """
    # A game that is not installed has no board.
    matches = [one for one in matches if catalogue_has_ruleset(one.ruleset)]
    bots = {one.pk: _bots_of(one) for one in matches} if bots is None else bots
    over = [one for one in matches if one.state == MatchState.FINISHED]
    shown_games = broadcast_games([one.pk for one in matches if one.state == MatchState.ON_AIR])
    # Records are read only if a match is on air, or if the picture of a finished match is not cached.
    records = cache(partial(_records, over, None if ends else 0, shown_games))
    running = _running(matches)
    aired = _moments(shown_games, records()) if shown_games else {}
    wanted: dict[int, _Wanted] = {}
    for match in matches:
        if shown := aired.get(match.pk):
            which, moment = f"{shown.game}.at.{shown.step}", partial(_recorded, shown.game, shown.record, shown.step)
        elif match.state == MatchState.FINISHED:
            which, moment = "end" if ends else "opening", partial(_over, match, records, opening=not ends)
        else:
            game = running.get(match.pk) or _waiting(match)
            which, moment = f"{game.index}.{len(game.actions)}", partial(_standing, game)
        wanted[match.pk] = _Wanted(match, bots[match.pk], which, moment)
    drawn = _drawn(wanted)
    return {match.pk: MatchPicture(match, drawn[match.pk], bots[match.pk]) for match in matches if match.pk in drawn}


def _finished(match: Match, index: int) -> GameSoFar | None:
    record = _records([match], index, {}).get(match.pk)
    return _from_record(*record) if record else None


def _aired(matches: Sequence[Match]) -> dict[int, AiredMoment]:
    """Return the moments that are shown now, for those ``matches`` that are on air."""
    shown = broadcast_games([one.pk for one in matches])
    return _moments(shown, _records([], 0, shown))


def _moments(shown: Mapping[int, GameOnAir], records: _Records) -> dict[int, AiredMoment]:
    return {pk: one.moment(records[pk][1]) for pk, one in shown.items() if pk in records}


def _records(matches: Sequence[Match], index: int | None, shown: Mapping[int, GameOnAir]) -> _Records:
    """Return, for each match, the index and the record of one game.

    It is game ``index``, or the last game if ``index`` is None. ``shown`` has the matches on air: for these, it is the
    game that is shown now.
    """
    if not matches and not shown:
        return {}
    last = Game.objects.filter(match=OuterRef("match")).order_by("-index").values("index")[:1]
    wanted = Q(match__in=[one.pk for one in matches], index=Subquery(last) if index is None else index)
    for pk, one in shown.items():
        wanted |= Q(match=pk, index=one.slot.game)
    games = Game.objects.filter(wanted)
    return {match: (number, bytes(data)) for match, number, data in games.values_list("match", "index", "record")}


def _over(match: Match, records: Callable[[], _Records], *, opening: bool) -> tuple[GameSoFar, int | None]:
    """Return the game to show of a finished match. A match without games shows the empty table."""
    record = records().get(match.pk)
    return _recorded(*record, opening=opening) if record else _standing(_waiting(match))


def _recorded(
    index: int, data: bytes, step: int | None = None, *, opening: bool = False
) -> tuple[GameSoFar, int | None]:
    game = _from_record(index, data)
    return game, len(game.actions) // OPENING_PART if opening else step


def _standing(game: GameSoFar) -> tuple[GameSoFar, int | None]:
    return game, None


def _from_record(index: int, data: bytes) -> GameSoFar:
    record = Record.decode(data)
    return GameSoFar(index, record.seed, record.actions, record.interventions)


def _running(matches: Sequence[Match]) -> dict[int, GameSoFar]:
    """Return the latest game that has begun of each running match whose moves are public."""
    open_ones = [one.pk for one in matches if one.state == MatchState.RUNNING and not one.sealed]
    if not open_ones:
        return {}
    latest = MatchLog.objects.filter(match=OuterRef("match"), attempt=OuterRef("attempt")).order_by("-game")
    logs = MatchLog.objects.filter(match__in=open_ones, attempt=F("match__attempt"))
    logs = logs.filter(game=Subquery(latest.values("game")[:1]))
    return {match: match_reader_game_from_log(*log) for match, *log in logs.values_list("match", *LOGGED)}


def _waiting(match: Match) -> GameSoFar:
    """Return a game without actions.

    Its seed is all zeros, because the real one is secret. Every seed shows the same table before the first action.
    """
    return GameSoFar(0, bytes(16), (), ())


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A requested picture. ``which`` identifies it among the pictures of the match."""

    match: Match
    bots: Sequence[str]
    which: str
    moment: Moment


def _bots_of(match: Match) -> list[str]:
    return match.seat_names


def _drawn(wanted: Mapping[int, _Wanted]) -> dict[int, str]:
    """Return the pictures from the cache, and draw those that it lacks.

    Drawing is slow: a record is replayed to find the state of the game.
    """
    language = get_language() or "en"
    keys = {pk: f"picture.{EDITION}.{pk}.{one.match.attempt}.{one.which}.{language}" for pk, one in wanted.items()}
    pictures = caches["optional"]
    kept = pictures.get_many(keys.values()) if keys else {}
    fresh = {}
    for pk, one in wanted.items():
        if keys[pk] not in kept and (svg := _draw(one.match, one.bots, *one.moment())):
            fresh[keys[pk]] = svg
    if fresh:
        pictures.set_many(fresh, CACHED_SECONDS)
    return {pk: svg for pk, key in keys.items() if (svg := kept.get(key) or fresh.get(key))}


@optional("picture of a match", lambda *_given: None)
def _draw(match: Match, bots: Sequence[str], game: GameSoFar, step: int | None) -> str | None:
    state = _state_after(Replay(match.ruleset, len(bots), match.options, game.seed), game, step)
    players = [PicturePlayer(bots[seat], seat) for seat in scoring_seats_by_position(game.index, len(bots))]
    return GAMES[match.ruleset.partition("/")[0]].picture(state.view(None), players, translate=gettext)


def _state_after(replay: Replay, game: GameSoFar, step: int | None) -> State:
    played = 0
    if step != 0:
        for played, _ in enumerate(replay.play(game.actions), 1):
            if played == step:
                break
    return replay.state


@lru_cache(maxsize=64)  # pictures of about 30 kB each
def match_picture_png(svg: str) -> bytes:
    """Return ``svg`` as PNG in the colours of the light theme, see ``web.previews``."""
    return preview_png(_VARIABLE.sub(r"\1", re.sub("<style>.*?</style>", "", picture_alone(svg))))

"""A match as the database tells it: the truth behind every message of a broadcast."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.record import Record
from games.replay import Intervention
from matches.models import Game, Match, MatchLog, MatchState

GAMES_KEPT: Final = 12  # the last games of a match are streamed; earlier ones are read over HTTP when asked for
OVER: Final = frozenset({MatchState.FINISHED, MatchState.CANCELLED})


@dataclass(frozen=True, slots=True)
class GameSoFar:
    index: int
    seed: bytes
    actions: tuple[str, ...]
    interventions: tuple[Intervention, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The state of a match and what has been played of its present attempt."""

    state: str
    attempt: int
    ruleset: str
    players: int
    options: Mapping[str, Any]
    games: tuple[GameSoFar, ...]

    @property
    def over(self) -> bool:
        return self.state in OVER


def story_read(*, match_id: int, attempt: int, game: int) -> Story | None:
    """The match, with its games from ``game`` on if ``attempt`` is still the present one, else with all of them.

    At most the last ``GAMES_KEPT`` games. None if there is no such match.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        return None
    first = game if match.attempt == attempt else 0
    read = _finished_games if match.state == MatchState.FINISHED else _running_games
    return Story(
        state=match.state,
        attempt=match.attempt,
        ruleset=match.ruleset,
        players=match.seats.count(),
        options=match.options,
        games=read(match, first),
    )


def game_so_far(*, match: Match, index: int) -> GameSoFar | None:
    """Game ``index`` of the present attempt of a match that is being played; None if it has not begun."""
    log = MatchLog.objects.filter(match=match, attempt=match.attempt, game=index).first()
    return None if log is None else _from_log(log)


def _running_games(match: Match, first: int) -> tuple[GameSoFar, ...]:
    logs = MatchLog.objects.filter(match=match, attempt=match.attempt, game__gte=first).order_by("-game")[:GAMES_KEPT]
    return tuple(_from_log(log) for log in reversed(logs))


def _finished_games(match: Match, first: int) -> tuple[GameSoFar, ...]:
    games = Game.objects.filter(match=match, index__gte=first).order_by("-index")[:GAMES_KEPT]
    return tuple(_from_record(game) for game in reversed(games))


def _from_log(log: MatchLog) -> GameSoFar:
    return GameSoFar(
        index=log.game,
        seed=bytes(log.seed),
        actions=tuple(log.actions.splitlines()),
        interventions=tuple(Intervention(*entry) for entry in log.interventions),
    )


def _from_record(game: Game) -> GameSoFar:
    record = Record.decode(bytes(game.record))
    return GameSoFar(game.index, record.seed, record.actions, record.interventions)

"""Read a match from the database, for the messages of a broadcast."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count

from games.record import Record
from games.replay import Intervention
from matches.models import Audience, Game, Match, MatchLog, MatchState
from matches.visibility import matches_shown_to

GAMES_KEPT: Final = 12  # the last games of a match are streamed; earlier ones are read over HTTP on request
OVER: Final = frozenset({MatchState.FINISHED, MatchState.CANCELLED})


@dataclass(frozen=True, slots=True)
class GameSoFar:
    index: int
    seed: bytes
    actions: tuple[str, ...]
    interventions: tuple[Intervention, ...]


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What is played: the part that never changes."""

    ruleset: str
    players: int
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """The state of a match and what has been played of its present attempt."""

    state: str
    attempt: int
    games: tuple[GameSoFar, ...]

    @property
    def over(self) -> bool:
        return self.state in OVER


def game_config_read(*, match_id: int, audience: Audience) -> GameConfig | None:
    """Return what a game is played by; None if there is no such match for this audience."""
    match = matches_shown_to(audience).filter(pk=match_id).annotate(players=Count("seats")).first()
    return None if match is None else GameConfig(match.ruleset, match.players, match.options)


def snapshot_read(*, match_id: int, audience: Audience, attempt: int, game: int) -> MatchSnapshot | None:
    """Return the match, with its games from ``game`` on if ``attempt`` is still the present one, else with all of them.

    At most the last ``GAMES_KEPT`` games. None if there is no such match for this audience.
    """
    matches = matches_shown_to(audience).filter(pk=match_id).values_list("state", "attempt", "tempo")
    match = next(iter(matches), None)  # ``first`` would sort one row, which costs more than reading it
    if match is None:
        return None
    state, present, tempo = match
    if tempo and state != MatchState.FINISHED:  # sealed; what is on air of it says ``airing``
        return MatchSnapshot(state, present, ())
    read = _finished_games if state == MatchState.FINISHED else _running_games
    return MatchSnapshot(state, present, read(match_id, present, game if attempt == present else 0))


def game_so_far(*, match: Match, index: int) -> GameSoFar | None:
    """Return game ``index`` of the present attempt of a match that is being played; None if it has not begun or is
    sealed.
    """
    if match.state != MatchState.RUNNING or match.sealed:
        return None
    log = MatchLog.objects.filter(match=match, attempt=match.attempt, game=index).values_list(*LOGGED).first()
    return None if log is None else from_log(*log)


LOGGED: Final = ("game", "seed", "actions", "interventions")


def _running_games(match_id: int, attempt: int, first: int) -> tuple[GameSoFar, ...]:
    """Return the games that were kept of earlier slices, and those of the present one."""
    logs = MatchLog.objects.filter(match=match_id, attempt=attempt, game__gte=first).order_by("-game")
    games = [from_log(*log) for log in reversed(logs.values_list(*LOGGED)[:GAMES_KEPT])]
    if games and games[0].index == first:
        return tuple(games)
    logged = {game.index for game in games}
    kept = (game for game in _finished_games(match_id, attempt, first) if game.index not in logged)
    return tuple(sorted((*kept, *games), key=lambda game: game.index)[-GAMES_KEPT:])


def _finished_games(match_id: int, attempt: int, first: int) -> tuple[GameSoFar, ...]:
    games = Game.objects.filter(match=match_id, index__gte=first).order_by("-index")
    return tuple(
        _from_record(index, bytes(record))
        for index, record in reversed(games.values_list("index", "record")[:GAMES_KEPT])
    )


def from_log(game: int, seed: bytes, actions: str, interventions: list[list[Any]]) -> GameSoFar:
    """Return what a row of ``LOGGED`` tells."""
    stood_in = tuple(Intervention(*entry) for entry in interventions)
    return GameSoFar(game, bytes(seed), tuple(actions.splitlines()), stood_in)


def _from_record(index: int, data: bytes) -> GameSoFar:
    record = Record.decode(data)
    return GameSoFar(index, record.seed, record.actions, record.interventions)

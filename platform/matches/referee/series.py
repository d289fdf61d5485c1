"""A match's games, one after another: seeds by block, seats by rotation, fresh bots for every game.

A bot that has forfeited the match (see ``forfeits``) is not started again: the stand-in plays its remaining games.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.catalogue import stand_in
from games.dealer import block_seed
from games.protocol import Limits, Verdict
from games.record import Record
from games.ruleset import Ruleset
from games.state import Outcome
from games.table import Table
from matches.referee.bot_fault import SeatFault
from matches.referee.game_result import GameResult
from matches.referee.rotation import block_of, by_seat, game_order, pause_after_game, seats_by_position
from matches.referee.scoring import places_after_forfeits
from matches.referee.seat_player import CageProtocol, SeatPlayer
from matches.referee.series_state import SeriesState, luck_of_first
from matches.referee.stopping import Sequential

# Called with the game's index when it starts and after every action: to log it, or to abandon the match by raising.
Watch: TypeAlias = Callable[[int, Table], None]


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What to play: ``blocks`` seeds from ``secret``, each in every rotation of the ``entrants``, given as files.

    With ``stopping``, which is for two entrants, ``blocks`` is the most there may be. The ``forfeited_seats`` have
    lost before they begin: the stand-in plays for them.
    """

    ruleset: Ruleset
    options: Mapping[str, Any]
    limits: Limits
    secret: bytes
    blocks: int
    entrants: tuple[Mapping[str, bytes], ...]
    pace: float = 0.0  # least seconds between two actions
    stopping: Sequential | None = None
    forfeited_seats: tuple[int, ...] = ()
    apart: int = 0  # blocks played among each other, with pauses between games; see game_order. 0: in order, without


def games_played(
    order: MatchSpec,
    cage: CageProtocol,
    watch: Watch,
    kept: Sequence[GameResult] = (),
    enough: Callable[[], bool] = lambda: False,
) -> Iterator[GameResult]:
    """Play the games of ``order``, yielding each as it ends. Equal orders with equal bots give equal records.

    It goes on after the ``kept`` games, which are whole blocks, until the match is over, or after the blocks that are
    played among each other there is ``enough``; one alone where there is so before. Games are yielded, and counted, in
    the order of their indices, in whichever they are played.

    Raises:
        PlatformFault: the cage broke; what was played is void. So is it when ``watch`` or anything else raises.
    """
    seats = len(order.entrants)
    series = SeriesState(seats, order.blocks, order.stopping, order.forfeited_seats)
    for game in kept:
        series.note(game)
    done = len(kept) // seats
    while True:
        blocks = 1 if enough() else max(1, min(order.apart, order.blocks - done))
        forfeited = series.forfeited
        early = _played_apart(order, cage, watch, game_order(done, blocks, seats), forfeited) if order.apart else {}
        for index in range(done * seats, (done + blocks) * seats):
            if index not in early or series.forfeited != forfeited:  # a bot played it that had forfeited before
                early[index] = _play(order, cage, watch, index, series.forfeited)
            game = early[index]
            series.note(game)
            yield game
            if series.over:
                return
        if enough():
            return
        done += blocks


def _played_apart(
    order: MatchSpec, cage: CageProtocol, watch: Watch, indices: Iterable[int], forfeited: Sequence[bool]
) -> dict[int, GameResult]:
    """Play these games in this order, with pauses."""
    seats = len(order.entrants)
    played: dict[int, GameResult] = {}
    block, began = -1, time.monotonic()
    for index in indices:
        time.sleep(pause_after_game(time.monotonic() - began, same_seed=block_of(index, seats) == block))
        block, began = block_of(index, seats), time.monotonic()
        played[index] = _play(order, cage, watch, index, forfeited)
    return played


def game_played(order: MatchSpec, cage: CageProtocol, index: int) -> GameResult:
    """Play one game of ``order`` alone, whatever became of those before it.

    Raises:
        PlatformFault: the cage broke.
    """
    return _play(order, cage, lambda index, table: None, index, [False] * len(order.entrants))


def _play(order: MatchSpec, cage: CageProtocol, watch: Watch, index: int, forfeited: Sequence[bool]) -> GameResult:
    players = len(order.entrants)
    table = Table(order.ruleset, players, order.options, block_seed(order.secret, block_of(index, players)))
    substitute = stand_in(order.ruleset.name)
    seat_players = [SeatPlayer(seat, order.limits, substitute) for seat in seats_by_position(index, players)]
    with ExitStack() as stack:
        for position, seat_player in enumerate(seat_players):
            stack.callback(seat_player.close)
            if forfeited[seat_player.seat]:
                seat_player.fault = SeatFault(
                    seat=seat_player.seat, verdict=Verdict.FORFEITED, action_index=0, view=None
                )
            else:
                facts = table.facts(position)
                seat_player.start(cage, order.entrants[seat_player.seat], facts, facts["seed"])
        legal = _play_out(order, watch, index, table, seat_players)
        played = len(legal)
        outcome = table.outcome
        assert outcome is not None, "a game that is over has an outcome"  # noqa: S101
        for position, seat_player in enumerate(seat_players):
            seat_player.finish(_game_over_content(outcome, position), played)
    record = table.record(tuple(legal))
    return _played(index, record, outcome, seat_players, luck_of_first(record, index, order.stopping))


def _play_out(
    order: MatchSpec, watch: Watch, index: int, table: Table, seat_players: Sequence[SeatPlayer]
) -> list[tuple[str, ...]]:
    """Play the game to its end. Return what was legal at each action."""
    watch(index, table)
    legal: list[tuple[str, ...]] = []
    due = time.monotonic() + order.pace
    while not table.over:
        legal.append(table.state.actions())
        seat_players[table.actor].act(table, len(legal) - 1)
        if order.pace:
            time.sleep(max(0.0, due - time.monotonic()))
            due = time.monotonic() + order.pace
        watch(index, table)
    return legal


def _game_over_content(outcome: Outcome, position: int) -> dict[str, Any]:
    """Return what ``game_over`` is given: by table position, as the views are."""
    return {
        "seat": position,
        "points": list(outcome.points),
        "places": list(outcome.places),
        "reason": outcome.reason,
        "tie_break": outcome.tie_break,
    }


def _played(
    index: int, record: Record, outcome: Outcome, seat_players: Sequence[SeatPlayer], luck: float
) -> GameResult:
    seat_players = by_seat(seat_players, index)
    faults = tuple(seat_player.fault for seat_player in seat_players if seat_player.fault is not None)
    return GameResult(
        index=index,
        record=record,
        points=by_seat(outcome.points, index),
        places=places_after_forfeits(by_seat(outcome.places, index), {fault.seat for fault in faults}),
        reason=outcome.reason,
        tie_break=outcome.tie_break,
        faults=faults,
        cpu=tuple(seat_player.cpu for seat_player in seat_players),
        slowest=tuple(seat_player.log.slowest for seat_player in seat_players),
        printed=tuple(seat_player.log.text for seat_player in seat_players),
        logs=tuple(seat_player.log for seat_player in seat_players),
        luck=luck,
    )

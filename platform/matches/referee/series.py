"""A match's games, one after another: seeds by block, seats by rotation, fresh bots for every game.

A bot that has forfeited the match (see ``forfeits``) is not started again: the stand-in plays its remaining games.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from games.dealer import block_seed
from games.house import stand_in
from games.protocol import Limits, Verdict
from games.record import Record
from games.ruleset import Ruleset
from games.state import Outcome
from games.table import Table
from matches.referee.bot_fault import SeatFault
from matches.referee.game_luck import luck_of_first
from matches.referee.game_result import GameResult
from matches.referee.rotation import block_of, by_seat, seats_by_position
from matches.referee.scoring import places_after_forfeits
from matches.referee.seat_player import CageProtocol, SeatPlayer
from matches.referee.series_state import SeriesState
from matches.referee.stopping import Sequential

# Called with the game's index when it starts and after every action: to log it, or to abandon the match by raising.
Watch: TypeAlias = Callable[[int, Table], None]


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What to play: ``blocks`` seeds from ``secret``, each in every rotation of the ``entrants``, given as files.

    With ``stopping``, which is for two entrants, ``blocks`` is the most there may be. Seats that are ``barred`` have
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
    barred: tuple[int, ...] = ()


def games_played(
    order: MatchSpec,
    cage: CageProtocol,
    watch: Watch,
    kept: Sequence[GameResult] = (),
    enough: Callable[[], bool] = lambda: False,
) -> Iterator[GameResult]:
    """Play the games of ``order``, yielding each as it ends. Equal orders with equal bots give equal records.

    It goes on after the ``kept`` games, which are whole blocks, until the match is over, or after a block there is
    ``enough``.

    Raises:
        PlatformFault: the cage broke; what was played is void. So is it when ``watch`` or anything else raises.
    """
    seats = len(order.entrants)
    course = SeriesState(seats, order.blocks, order.stopping, order.barred)
    for game in kept:
        course.note(game)
    for index in count(len(kept)):
        game = _play(order, cage, watch, index, course.forfeited)
        course.note(game)
        yield game
        if course.over or ((index + 1) % seats == 0 and enough()):
            return


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
    chairs = [SeatPlayer(seat, order.limits, substitute) for seat in seats_by_position(index, players)]
    with ExitStack() as stack:
        for position, chair in enumerate(chairs):
            stack.callback(chair.close)
            if forfeited[chair.seat]:
                chair.fault = SeatFault(seat=chair.seat, verdict=Verdict.FORFEITED, action_index=0, view=None)
            else:
                _start(order, cage, table, position, chair)
        _play_out(order, watch, index, table, chairs)
        outcome = table.outcome
        assert outcome is not None, "a game that is over has an outcome"  # noqa: S101
        for position, chair in enumerate(chairs):
            chair.finish(_told(outcome, position))
    record = table.record()
    return _played(index, record, outcome, chairs, luck_of_first(record, index, order.stopping))


def _start(order: MatchSpec, cage: CageProtocol, table: Table, position: int, chair: SeatPlayer) -> None:
    # The bot's luck comes from the seed through a one-way function: it says nothing of the dice.
    seed = int.from_bytes(block_seed(table.seed, "bot", position)[:4])
    told = {
        "ruleset": order.ruleset.id,
        "options": dict(table.options),
        "players": table.players,
        "seat": position,
        "seed": seed,
    }
    chair.start(cage, order.entrants[chair.seat], told, seed)


def _play_out(order: MatchSpec, watch: Watch, index: int, table: Table, chairs: Sequence[SeatPlayer]) -> None:
    watch(index, table)
    played = 0
    due = time.monotonic() + order.pace
    while not table.over:
        chairs[table.actor].act(table, played)
        played += 1
        if order.pace:
            time.sleep(max(0.0, due - time.monotonic()))
            due = time.monotonic() + order.pace
        watch(index, table)


def _told(outcome: Outcome, position: int) -> dict[str, Any]:
    """Return what ``game_over`` is given: by table position, as the views are."""
    return {
        "seat": position,
        "points": list(outcome.points),
        "places": list(outcome.places),
        "reason": outcome.reason,
        "tie_break": outcome.tie_break,
    }


def _played(index: int, record: Record, outcome: Outcome, chairs: Sequence[SeatPlayer], luck: float) -> GameResult:
    chairs = by_seat(chairs, index)
    faults = tuple(chair.fault for chair in chairs if chair.fault is not None)
    return GameResult(
        index=index,
        record=record,
        points=by_seat(outcome.points, index),
        places=places_after_forfeits(by_seat(outcome.places, index), {fault.seat for fault in faults}),
        reason=outcome.reason,
        tie_break=outcome.tie_break,
        faults=faults,
        cpu=tuple(chair.cpu for chair in chairs),
        slowest=tuple(chair.slowest for chair in chairs),
        printed=tuple(chair.printed for chair in chairs),
        luck=luck,
    )

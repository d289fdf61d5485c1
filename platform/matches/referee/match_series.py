"""Play the series of games of a match. After each game, determine who has forfeited and whether the match is over.

Each block has its own seed, and each game of a block has another rotation of the seats. Bots are started for every
game. A bot that has forfeited the match (see ``FaultCounter.forfeits``) is not started again: the stand-in plays its
remaining games. ``SeriesState`` depends on nothing but the games, so that playing and replaying a match give the same
result.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.catalogue import catalogue_stand_in
from games.dealer import block_seed
from games.protocol import Limits, Verdict
from games.record import Record
from games.ruleset import Ruleset
from games.state import Outcome
from games.table import Table
from matches.referee.bot_fault import FaultCounter, SeatFault
from matches.referee.scoring import (
    GameResult,
    scoring_block_of_game,
    scoring_by_seat,
    scoring_game_order,
    scoring_pause_after_game,
    scoring_places_after_forfeits,
    scoring_seats_by_position,
    scoring_shares_beaten,
)
from matches.referee.seat_player import CageProtocol, SeatPlayer
from matches.referee.stopping import Sequential, StoppingError, StopReason

# Called at the start of a game and after every action, with the index of the game and its table. It may log the game,
# or abandon the match by raising an exception.
Watch: TypeAlias = Callable[[int, Table], None]


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What to play: ``blocks`` blocks with seeds derived from ``secret``, each in every rotation of the ``entrants``.

    An entrant consists of the files of a bot. With ``stopping``, there must be two entrants, and ``blocks`` is the
    maximum. The ``forfeited_seats`` have forfeited before the match begins: the stand-in plays for them.
    """

    ruleset: Ruleset
    options: Mapping[str, Any]
    limits: Limits
    secret: bytes
    blocks: int
    entrants: tuple[Mapping[str, bytes], ...]
    pace: float = 0.0  # minimum seconds between two actions
    stopping: Sequential | None = None
    forfeited_seats: tuple[int, ...] = ()
    apart: int = 0  # blocks whose games are interleaved, with pauses (see scoring_game_order); 0: in order, no pauses


def series_games_play(
    order: MatchSpec,
    cage: CageProtocol,
    watch: Watch,
    kept: Sequence[GameResult] = (),
    enough: Callable[[], bool] = lambda: False,
) -> Iterator[GameResult]:
    """Play the games of ``order`` and yield them. Equal orders with equal bots give equal records.

    Playing continues after the ``kept`` games, which are whole blocks, and ends when the match is over. The games of
    some blocks are interleaved; these blocks are a group. ``enough()`` is called before and after each group. If it
    returns True before a group, this group has only one block. If it returns True after a group, playing ends. Games
    are yielded, and counted, in the order of their indices, even if they are played in another order.

    Raises:
        PlatformFault: the cage broke. After this or any other error, such as one in ``watch``, all games are void.
    """
    seats = len(order.entrants)
    series = SeriesState(seats, order.blocks, order.stopping, order.forfeited_seats)
    for game in kept:
        series.note(game)
    done = len(kept) // seats
    while True:
        blocks = 1 if enough() else max(1, min(order.apart, order.blocks - done))
        forfeited = series.forfeited
        early = (
            _played_apart(order, cage, watch, scoring_game_order(done, blocks, seats), forfeited) if order.apart else {}
        )
        for index in range(done * seats, (done + blocks) * seats):
            if index not in early or series.forfeited != forfeited:  # not played yet, or a bot has forfeited since
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
    """Play the games ``indices`` in this order, with pauses. Return them by index."""
    seats = len(order.entrants)
    played: dict[int, GameResult] = {}
    block, began = -1, time.monotonic()
    for index in indices:
        time.sleep(
            scoring_pause_after_game(time.monotonic() - began, same_seed=scoring_block_of_game(index, seats) == block)
        )
        block, began = scoring_block_of_game(index, seats), time.monotonic()
        played[index] = _play(order, cage, watch, index, forfeited)
    return played


def series_game_play(order: MatchSpec, cage: CageProtocol, index: int) -> GameResult:
    """Play a single game of ``order``, without regard to forfeits in earlier games.

    Raises:
        PlatformFault: the cage broke.
    """
    return _play(order, cage, lambda index, table: None, index, [False] * len(order.entrants))


def _play(order: MatchSpec, cage: CageProtocol, watch: Watch, index: int, forfeited: Sequence[bool]) -> GameResult:
    players = len(order.entrants)
    table = Table(
        order.ruleset, players, order.options, block_seed(order.secret, scoring_block_of_game(index, players))
    )
    substitute = catalogue_stand_in(order.ruleset.name)
    seat_players = [SeatPlayer(seat, order.limits, substitute) for seat in scoring_seats_by_position(index, players)]
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
    return _played(index, record, outcome, seat_players, match_series_luck_of_first(record, index, order.stopping))


def _play_out(
    order: MatchSpec, watch: Watch, index: int, table: Table, seat_players: Sequence[SeatPlayer]
) -> list[tuple[str, ...]]:
    """Play the game to its end. Return, for each action, the actions that were legal."""
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
    """Return the argument of a bot's ``game_over``. As in views, tuples are in the order of table positions."""
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
    seat_players = scoring_by_seat(seat_players, index)
    faults = tuple(seat_player.fault for seat_player in seat_players if seat_player.fault is not None)
    return GameResult(
        index=index,
        record=record,
        points=scoring_by_seat(outcome.points, index),
        places=scoring_places_after_forfeits(scoring_by_seat(outcome.places, index), {fault.seat for fault in faults}),
        reason=outcome.reason,
        tie_break=outcome.tie_break,
        faults=faults,
        cpu=tuple(seat_player.cpu for seat_player in seat_players),
        slowest=tuple(seat_player.log.slowest for seat_player in seat_players),
        printed=tuple(seat_player.log.text for seat_player in seat_players),
        logs=tuple(seat_player.log for seat_player in seat_players),
        luck=luck,
    )


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """How a match ended: the number of ``blocks`` played and, by seat, whether it was ``forfeited``.

    For a sequential series, ``ending`` is why it ended, and ``ratio`` is the log-likelihood ratio of its rule. With
    gsprt/1, the ratio compares "the first seat is better" with "the second seat is better". With gsprt/2 and gsprt/3,
    it compares "the leading seat is better" with "the seats are equal".
    """

    blocks: int
    forfeited: tuple[bool, ...]
    ending: StopReason | None = None
    ratio: float | None = None


class SeriesState:
    """The state of a match of ``blocks`` blocks, or at most ``blocks`` with ``stopping``. Games are added one by one.

    The ``forfeited_seats`` have forfeited the match before it begins.
    """

    __slots__ = (
        "_block",
        "_blocks",
        "_ending",
        "_fault_counters",
        "_forfeited_seats",
        "_games",
        "_luck",
        "_lucky",
        "_shares",
        "_stopping",
    )

    def __init__(
        self, seats: int, blocks: int, stopping: Sequential | None = None, forfeited_seats: Collection[int] = ()
    ) -> None:
        self._blocks = blocks
        self._stopping = stopping
        self._forfeited_seats = frozenset(forfeited_seats)
        self._fault_counters = [FaultCounter() for _ in range(seats)]
        self._games = 0
        self._block = 0.0  # the sum of the first seat's shares in the games of the current block
        self._lucky = 0.0  # the sum of the first seat's luck in the games of the current block
        self._shares: list[float] = []  # the first seat's mean share in each block
        self._luck: list[float] = []  # the first seat's mean luck in each block
        self._ending: StopReason | None = None

    @property
    def over(self) -> bool:
        return self._games == self._blocks * len(self._fault_counters) or self._ending is not None

    @property
    def forfeited(self) -> tuple[bool, ...]:
        """By seat, whether the bot has forfeited, so that the stand-in plays its games."""
        return self._forfeited(self._blocks * len(self._fault_counters))

    def note(self, game: GameResult) -> None:
        """Add the next game, which has ended."""
        at_fault = {fault.seat for fault in game.faults}
        for seat, counter in enumerate(self._fault_counters):
            counter.note(at_fault=seat in at_fault)
        self._games += 1
        self._block += float(scoring_shares_beaten(game.places)[0])
        self._lucky += game.luck
        if self._games % len(self._fault_counters) == 0:
            self._shares.append(self._block / len(self._fault_counters))
            self._luck.append(self._lucky / len(self._fault_counters))
            self._block = self._lucky = 0.0
            self._ending = self._decided()

    def conclusion(self) -> SeriesResult:
        """Return the result of a match that is over."""
        forfeited = self._forfeited(self._games)
        if self._stopping is None:
            return SeriesResult(len(self._shares), forfeited)
        ending = self._ending or StopReason.UNDECIDED
        return SeriesResult(len(self._shares), forfeited, ending, self._stopping.ratio(self._counted(self._stopping)))

    def _forfeited(self, games: int) -> tuple[bool, ...]:
        return tuple(
            seat in self._forfeited_seats or counter.forfeits(games)
            for seat, counter in enumerate(self._fault_counters)
        )

    def _decided(self) -> StopReason | None:
        if self._stopping is None:
            return None
        return StopReason.FORFEITED if any(self.forfeited) else self._stopping.decision(self._counted(self._stopping))

    def _counted(self, rule: Sequential) -> Sequence[float]:
        return rule.counted(self._shares, self._luck)


def match_series_conclude(games: Iterable[GameResult], series: SeriesState) -> SeriesResult:
    """Return the result of a match from all its games in order. ``series`` is its state before the first game."""
    for game in games:
        series.note(game)
    return series.conclusion()


def match_series_luck_of_first(record: Record, index: int, rule: Sequential | None) -> float:
    """Return the luck that the first seat had in game ``index`` of a series, as a share of opponents beaten.

    Return 0 if ``rule`` does not subtract luck. Also return 0 if the luck is not known, e.g. because the platform ended
    the game.

    Raises:
        StoppingError: the game has no value with the id that the rule names.
    """
    if rule is None or not rule.luck_value:
        return 0.0
    from luck import (
        UNIT,
        GameAccount,
        luck_analyse,
        luck_value_is_known,
        luck_values_of,
    )  # imports numpy and loads large tables, which most series do not need

    if not luck_value_is_known(record.ruleset, rule.luck_value):
        raise StoppingError("value", rule.luck_value, ", ".join(luck_values_of(record.ruleset)))
    found = luck_analyse(record, rule.luck_value)
    if not isinstance(found, GameAccount):
        return 0.0
    return scoring_by_seat(found.luck, index)[0] / UNIT

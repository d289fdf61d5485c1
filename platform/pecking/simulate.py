"""Play games between Python functions in this process, as fast as the rules allow: for training and self-play."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, TypeAlias

from games.catalogue import ruleset_find_or_current
from games.dealer import block_seed
from games.explanation import explained_action
from games.record import Record
from games.ruleset import Ruleset
from games.state import CHANCE, Outcome, Seat, View
from games.table import Table

Act: TypeAlias = Callable[[View], str | Mapping[str, Any]]
Player: TypeAlias = Act | type[Any]
CHUNK: Final = 16  # games that a process plays before it returns their results


class SimulatedGame(NamedTuple):
    """A finished game. The site and ``peck`` read ``record.encode()`` as a file."""

    seed: bytes
    outcome: Outcome
    record: Record


def simulate(
    game: str,
    players: Sequence[Player],
    seeds: Iterable[int | str | bytes],
    *,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
) -> Iterator[SimulatedGame]:
    """Play one game for each seed and yield them in the order of ``seeds``.

    ``game`` is a ruleset ("pickomino/1") or the name of a game. ``players`` are in the order of the seats. A player is
    a function ``act(view)``, or a class ``Bot`` as in a bot's file; for each game, a new object of the class is
    created. They run in this process, without limits and without copies: a function may change its view. If a player
    returns a ``dict``, the value of its key "action" is played. A seed of 16 bytes is used as it is; from any other
    seed, the game's seed is derived. The same seeds and players give the same games.

    ``jobs`` is the number of processes. The processes are forked. So ``players`` may be any functions, but what they
    change is changed only in their own process. More than one process requires a system with ``fork``.

    >>> first = lambda view: view["actions"][0]
    >>> [one.outcome.places for one in simulate("pickomino/1", [first, first], range(2))]
    [(2, 1), (1, 2)]

    Raises:
        UnknownRuleset, SeatError, OptionError: the game, its number of players or its options are invalid.
        IllegalAction: a player returned an illegal action. Exceptions of players pass through.
    """
    ruleset = ruleset_find_or_current(game)
    full = ruleset.validate(len(players), options or {})
    play = partial(_play, ruleset, full, players)
    keys = (_seed(seed) for seed in seeds)
    return map(play, keys) if jobs == 1 else _in_processes(play, keys, jobs)


def decisions(record: Record) -> Iterator[tuple[Seat, View, str]]:
    """Yield the seat, its view and its action for each decision of a game, in order.

    Raises:
        RecordError: the record is invalid, or its game is not installed here.
    """
    for before, action, _, _ in record.replay():
        if before.actor != CHANCE:
            yield before.actor, before.view(before.actor), action


def _seed(seed: int | str | bytes) -> bytes:
    return seed if isinstance(seed, bytes) and len(seed) == 16 else block_seed(b"simulate", str(seed))


def _play(ruleset: Ruleset, options: Mapping[str, Any], players: Sequence[Player], seed: bytes) -> SimulatedGame:
    table = Table(ruleset, len(players), options, seed)
    acts = [_act(player, table, seat) for seat, player in enumerate(players)]
    while (state := table.state).actions():
        actor = state.actor
        table.play(explained_action(acts[actor](state.view(actor))))
    outcome = table.outcome
    assert outcome is not None, "a game that is over has an outcome"  # noqa: S101
    return SimulatedGame(seed, outcome, table.record())


def _act(player: Player, table: Table, seat: Seat) -> Act:
    if not isinstance(player, type):
        return player
    act: Act = player(table.facts(seat)).act
    return act


# Set before the processes are forked, so that the functions need not be pickled.
_inherited: list[Callable[[bytes], SimulatedGame]] = []


def _in_processes(play: Callable[[bytes], SimulatedGame], seeds: Iterator[bytes], jobs: int) -> Iterator[SimulatedGame]:
    _inherited.append(play)
    try:
        with get_context("fork").Pool(jobs) as pool:
            number = len(_inherited) - 1
            while chunk := list(islice(seeds, jobs * CHUNK)):
                yield from pool.map(partial(_play_inherited, number), chunk)
    finally:
        _inherited.remove(play)


def _play_inherited(number: int, seed: bytes) -> SimulatedGame:
    return _inherited[number](seed)

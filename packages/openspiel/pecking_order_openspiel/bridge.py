"""Makes a game of Pecking Order of a game of OpenSpiel.

Offered are games of one actor at a time whose chance has stated odds. OpenSpiel's games of simultaneous moves, and
those that sample their chance, are refused: a record of them could not be played again from its seed.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import Any

import pyspiel

from pecking.game import (
    COUNT,
    CatalogueGame,
    Cup,
    InNumbers,
    Option,
    Options,
    described,
    for_each_seat,
    listed,
    new_game,
    or_null,
    plain,
    record,
    seat,
)
from pecking_order_openspiel.cells import Cells
from pecking_order_openspiel.position import Board, Position

MOVES_MOST = 400  # of seats in a game, unless the game is sure to end earlier
TEXT = {"type": "string"}
MEANINGS = {
    "turn": "actions of all seats so far, the one that is due included",
    "board": "the table as OpenSpiel prints it, line by line; of what is hidden, what you may know",
    "cells": "the rows of the table from the top, a character a cell; none if it is no table of cells",
    "last": "the last action of a seat, null at first",
    "names": "what your actions mean, in their order, where an action is a number",
    "points": "what each seat has won, all 0 before the end",
}
Parameters = Callable[[int, Options], Mapping[str, Any]]


class CannotBridge(ValueError):
    """The game of OpenSpiel has no like here; says why."""


def bridged(
    folder: str,
    *,
    title: str,
    tagline: str,
    house_bots: Sequence[tuple[str, str, str]],
    spiel: str = "",
    seats: range = range(2, 3),
    options: Mapping[str, Option] = MappingProxyType({}),
    parameters: Parameters = lambda players, options: {},
    is_named: bool = True,
    points: str = "Points",
    cup: Cup | None = None,
    cells: Cells | None = None,
    tensor_most: int = 1,
) -> CatalogueGame:
    """Return the game in the package ``folder``, whose last part is its name here and, unless ``spiel`` is given, in
    OpenSpiel.

    Args:
        house_bots: weakest first; of each the name of its file in ``bots/``, its title and what it does. The last one
            plays on for bots that failed.
        parameters: OpenSpiel's parameters from the number of players and the options.
        is_named: whether OpenSpiel's name of an action depends on nothing but the action and its seat. If it does not,
            actions are numbers, and views have their ``names``.
        cells: where the cells of the table are, if it has some.
        tensor_most: the largest number that OpenSpiel's tensors of the game have.

    Raises:
        CannotBridge: see the module.
    """
    name = folder.rpartition(".")[2]

    @cache
    def load(players: int, settled: tuple[tuple[str, Any], ...]) -> Board:
        chosen = dict(settled)
        game = pyspiel.load_game(spiel or name, dict(parameters(players, chosen)))
        check(game)
        cap = min(MOVES_MOST, game.max_game_length())
        return Board(f"{name}/1", game, chosen, is_named, cap, cells, tensor_most)

    def board(players: int, chosen: Options) -> Board:
        return load(players, tuple((one, chosen[one]) for one in options))

    @cache
    def vocabulary(settled: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
        boards = [load(players, settled) for players in seats]
        return tuple(dict.fromkeys(text for one in boards for texts in one.texts for text in texts))

    def restore(facts: Any) -> Position:
        spoken, history = facts
        ways = product(seats, *(option.allowed for option in options.values()))
        boards = (board(players, dict(zip(options, chosen, strict=True))) for players, *chosen in ways)
        return next(one for one in boards if str(one.game) == spoken).after(history)

    in_numbers = InNumbers(
        layout=lambda players, chosen: {"tensor": board(players, chosen).tensor_size},
        tell=lambda at, seat: (at.tensor(seat),),
        restore=restore,
        chance_ways=lambda players, chosen: board(players, chosen).game.max_chance_outcomes(),
    )
    schemas = {
        "turn": COUNT,
        "board": listed(TEXT),
        "cells": listed(TEXT),
        "last": or_null(record(seat=described(seat(seats), "who did it"), action=described(TEXT, "what it was"))),
        "names": listed(TEXT),
        "points": for_each_seat({"type": "integer"}, seats),
    }
    return new_game(
        folder,
        name,
        title=title,
        tagline=tagline,
        seats=seats,
        view={key: (schema, MEANINGS[key]) for key, schema in schemas.items()},
        opening=lambda players, chosen: board(players, chosen).opening(),
        vocabulary=lambda chosen: vocabulary(tuple((one, chosen[one]) for one in options)),
        max_actions=lambda players, chosen: board(players, chosen).cap,
        reasons={"end": "the game was over", "length": "it had gone on for too long: a tie"},
        house_bots=house_bots,
        options=options,
        points=points,
        cups=() if cup is None else (cup,),
        shares=(__package__,),
        in_numbers=in_numbers if has_tensor(spiel or name) else None,
        draw=plain if cells is None else cells.draw,
    )


def has_tensor(spiel: str) -> bool:
    """Tell whether OpenSpiel gives what a seat sees as numbers, in this game of its."""
    kinds = (kind for kind in pyspiel.registered_games() if kind.short_name == spiel)
    return any(kind.provides_information_state_tensor or kind.provides_observation_tensor for kind in kinds)


def check(game: Any) -> None:
    """Check that a game of OpenSpiel can be played here.

    Raises:
        CannotBridge: it cannot.
    """
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise CannotBridge(f"{game}: its seats act at the same time")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise CannotBridge(f"{game}: its chance has no stated odds")
    if not (kind.provides_information_state_string or kind.provides_observation_string):
        raise CannotBridge(f"{game}: it does not say what a seat sees")

"""A state of OpenSpiel as a state of Pecking Order: immutable, its actions and its chance as texts, a view per seat."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import pyspiel

from pecking.game import CHANCE, Chance, Outcome, State, row, whole
from pecking_order_openspiel.cells import Cells
from pecking_order_openspiel.lottery import request, whole_weights

OVER = int(pyspiel.PlayerId.TERMINAL)
FLOAT_BYTES = 4
DEALS_MOST = 2000  # tries to deal again what a seat has seen


class CannotDeal(RuntimeError):
    """Nothing that was dealt again agrees with what the seat has seen, in so many tries."""


@dataclass(frozen=True, eq=False)
class Board:
    """A game of OpenSpiel with its parameters, at a table of Pecking Order. Equal to itself alone.

    ``is_named``: whether OpenSpiel's names of actions depend on the action alone; else actions are their numbers.
    ``cap``: after so many actions of seats the game ends as a tie.
    ``tensor_most``: the largest number in what a seat sees as a tensor.
    """

    ruleset: str
    game: Any  # pyspiel.Game
    options: Mapping[str, Any]
    is_named: bool
    cap: int
    cells: Cells | None = None
    tensor_most: int = 1

    @cached_property
    def players(self) -> int:
        return int(self.game.num_players())

    @cached_property
    def is_open(self) -> bool:
        """Whether every seat sees everything."""
        return self.game.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION

    @cached_property
    def recalls(self) -> bool:
        """Whether a seat is shown what it has seen before, too."""
        return bool(self.game.get_type().provides_information_state_string)

    @cached_property
    def recalls_in_numbers(self) -> bool:
        """Whether a tensor has what the seat has seen before, too."""
        return bool(self.game.get_type().provides_information_state_tensor)

    @cached_property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The text of every action by its number, for each seat."""
        numbers = range(self.game.num_distinct_actions())
        if not self.is_named:
            return (tuple(map(str, numbers)),) * self.players
        state = self.game.new_initial_state()
        return tuple(tuple(state.action_to_string(seat, one) for one in numbers) for seat in range(self.players))

    @cached_property
    def tensor_size(self) -> int:
        """How many numbers a seat sees, see ``Position.tensor``."""
        return len(self.opening().tensor(0)) // FLOAT_BYTES

    def opening(self) -> "Position":
        return Position(self, self.game.new_initial_state(), 0, None)

    def after(self, history: Iterable[int]) -> "Position":
        """Return the position after these actions of seats and chance.

        Raises:
            ValueError: one of them is not legal.
        """
        position = self.opening()
        for number in history:
            position = position.play(position.action(number))
        return position


class Position(State):
    """A state of a ``Board`` after ``moves`` actions of seats; ``last``: of the last one the seat, the number and the
    state of OpenSpiel before it.

    ``held``, the state of OpenSpiel, is changed by nobody: playing begins with a copy.
    """

    __slots__ = ("_actions", "_board", "_held", "_last", "_moves", "_numbers", "actor", "is_over")

    def __init__(self, board: Board, held: Any, moves: int, last: tuple[int, int, Any] | None) -> None:
        self._board = board
        self._held = held
        self._moves = moves
        self._last = last
        actor = held.current_player()
        self.is_over = actor == OVER or moves >= board.cap
        self.actor = CHANCE if self.is_over else actor
        self._actions: tuple[str, ...] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self._board, self.facts()) == (other._board, other.facts())

    def __hash__(self) -> int:
        return hash(self.facts())

    @property
    def turn(self) -> int:
        return self._moves + (self.actor != CHANCE)

    def actions(self) -> tuple[str, ...]:
        found = self._actions
        if found is None:
            self._numbers = numbers = [] if self.is_over else self._held.legal_actions()
            if self.actor == CHANCE:
                found = tuple([f"draw {one}" for one in numbers])
            else:
                found = tuple(map(self._board.texts[self.actor].__getitem__, numbers))
            self._actions = found
        return found

    def weight(self, action: str) -> int:
        return self._odds()[1][self.actions().index(action)] if self.actor == CHANCE else 1

    def _odds(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        numbers, probabilities = zip(*self._held.chance_outcomes(), strict=True)
        return numbers, whole_weights(probabilities)

    def chance(self) -> Chance | None:
        if self.actor != CHANCE or self.is_over:
            return None
        # By who moved last and how often chance has had a part: in another rotation the same seat has the same luck.
        last = CHANCE if self._last is None else self._last[0]
        drawn = len(self._held.history()) - self._moves
        return request(f"{self._board.game.get_type().short_name}/{last}/{drawn}", *self._odds())

    def play(self, action: str) -> "Position":
        number = self._number(action)
        held = self._held.clone()
        held.apply_action(number)
        if self.actor == CHANCE:
            return Position(self._board, held, self._moves, self._last)
        return Position(self._board, held, self._moves + 1, (self.actor, number, self._held))

    def action(self, number: int) -> str:
        """Return the text of a legal action.

        Raises:
            ValueError: it is not legal.
        """
        texts = self.actions()
        return texts[self._numbers.index(number)]

    def _number(self, action: str) -> int:
        at = self.actions().index(action)
        return self._numbers[at]  # type: ignore[index]  # actions() has listed them

    def view(self, seat: int | None) -> dict[str, Any]:
        lines = self._seen_by(seat).splitlines()
        cells = self._board.cells
        is_to_act = seat is not None and seat == self.actor
        return whole(
            *(self._board.ruleset, self, self, seat),
            turn=self.turn,
            board=lines,
            cells=cells.rows(lines) if cells else [],
            last=self._last and {"seat": self._last[0], "action": _name(self._last[2], self._last[1])},
            names=self._names() if is_to_act and not self._board.is_named else [],
            points=list(self._points()),
        )

    def _names(self) -> list[str]:
        return [_name(self._held, one) for one in self._held.legal_actions()]

    def _seen_by(self, seat: int | None) -> str:
        if seat is None or self._board.is_open:
            return str(self._held)
        seen = self._held.information_state_string if self._board.recalls else self._held.observation_string
        return str(seen(seat))

    def tensor(self, seat: int) -> bytes:
        """Return what OpenSpiel shows ``seat`` as numbers, as 32-bit floats in parts of the largest."""
        held, most = self._held, self._board.tensor_most
        seen = held.information_state_tensor if self._board.recalls_in_numbers else held.observation_tensor
        return row(seen(seat) if most == 1 else [one / most for one in seen(seat)])

    def seen(self, action: str, seat: int) -> str | None:
        """Return ``action`` as ``seat`` sees it: what chance does only where it makes a difference to what it sees."""
        if self._board.is_open or self.actor != CHANCE:
            return action
        after = {other: self.play(other)._seen_by(seat) for other in self.actions()}
        return action if list(after.values()).count(after[action]) == 1 else None

    def resample(self, seat: int, rng: Random) -> "Position":
        """Return a position that looks alike to ``seat``, see ``State.resample``: the game is played again, and what
        chance did out of its sight is drawn again, until all that it has seen is as it was.

        Raises:
            CannotDeal: no such deal was found.
        """
        if self._board.is_open:
            return self
        path = self._path(seat)
        for _ in range(DEALS_MOST):
            position: Position | None = self._board.opening()
            for seen in path:
                if position is None:
                    break
                position = position._again(seen, seat, rng)
            if position is not None and position._seen_by(seat) == self._seen_by(seat):
                return position
        raise CannotDeal(f"{self._board.ruleset}: what seat {seat} has seen was not dealt again")

    def _again(self, seen: str | None, seat: int, rng: Random) -> "Position | None":
        if seen is not None:
            return self.play(seen) if seen in self.actions() else None
        hidden = [one for one in self.actions() if self.seen(one, seat) is None]
        return self.play(rng.choices(hidden, [self.weight(one) for one in hidden])[0]) if hidden else None

    def _path(self, seat: int) -> list[str | None]:
        position, path = self._board.opening(), list[str | None]()
        for number in self._held.history():
            action = position.action(number)
            path.append(position.seen(action, seat))
            position = position.play(action)
        return path

    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        points = self._points()
        return Outcome.by_points(points, "end" if self._held.is_terminal() else "length")

    def _points(self) -> tuple[int, ...]:
        """Return what OpenSpiel calls the returns, once the game is over."""
        if not self._held.is_terminal():
            return (0,) * self._board.players
        return tuple(round(one) for one in self._held.returns())

    def facts(self) -> tuple[Hashable, ...]:
        return (str(self._board.game), tuple(self._held.history()))

    @property
    def players(self) -> int:
        return self._board.players

    def options(self) -> Mapping[str, Any]:
        return dict(self._board.options)


def _name(held: Any, number: int) -> str:
    """Return OpenSpiel's name of an action, without the number that some games put before it."""
    return str(held.action_to_string(number)).removeprefix(f"{number} - ")

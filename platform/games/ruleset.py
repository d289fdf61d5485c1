"""A ruleset: a game with its rules frozen, and the options that an organiser may set."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from games.state import State

Options: TypeAlias = Mapping[str, Any]  # every option of the ruleset, by name


class OptionError(ValueError):
    """An option that does not exist, or a value it does not allow."""

    def __init__(self, field: str, value: object, allowed: tuple[Any, ...]) -> None:
        self.field = field
        self.value = value
        self.allowed = allowed
        choice = ", ".join(json.dumps(one) for one in allowed)
        super().__init__(f"option {field!r}: {value!r:.80} is not allowed; allowed: {choice}")


class SeatError(ValueError):
    """A number of players the game is not made for."""

    def __init__(self, players: object, seats: range) -> None:
        self.players = players
        self.seats = seats
        super().__init__(f"players: {players!r:.80} is not allowed; allowed: {seats.start} to {seats.stop - 1}")


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of rules. ``label`` and ``help`` are English prose for an organiser."""

    default: Any
    allowed: tuple[Any, ...]
    label: str
    help: str

    def accepts(self, value: object) -> bool:
        """Whether ``value`` is one of the allowed ones, of the same type: 1 is not True."""
        return any(type(value) is type(one) and value == one for one in self.allowed)

    def read(self, text: str) -> Any:
        """The allowed value written ``text`` in a form or on a command line; ``text`` itself if there is none."""
        return next((one for one in self.allowed if text == one or text == json.dumps(one)), text)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game with its rules frozen: any change of behaviour is a new ``version``."""

    name: str
    version: int
    title: str  # English
    seats: range
    options: Mapping[str, Option]
    view_schema: Mapping[str, Any]  # JSON schema of every view
    opening: Callable[[int, Options], State]  # from validated players and options
    vocabulary: Callable[[Options], tuple[str, ...]]  # all player actions in a fixed order: their place is their number
    max_actions: Callable[[int, Options], int]  # proven: no game has more player actions

    @property
    def id(self) -> str:
        return f"{self.name}/{self.version}"

    def __str__(self) -> str:
        return self.id

    def validate(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """``options`` made complete with the defaults, in the ruleset's order.

        Raises:
            SeatError: the game is not for so many.
            OptionError: an unknown option, or a value it does not allow.
        """
        if type(players) is not int or players not in self.seats:
            raise SeatError(players, self.seats)
        for name in options:
            if name not in self.options:
                raise OptionError(str(name)[:80], options[name], tuple(self.options))
        full = {name: options.get(name, option.default) for name, option in self.options.items()}
        for name, option in self.options.items():
            if not option.accepts(full[name]):
                raise OptionError(name, full[name], option.allowed)
        return full

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        """The state before the first action.

        Raises:
            SeatError, OptionError: see ``validate``.
        """
        return self.opening(players, self.validate(players, options))

"""A ruleset: one frozen version of a game's rules, and the options that an organiser may set."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from games.state import State

if TYPE_CHECKING:
    from games.in_numbers import InNumbers

Options: TypeAlias = Mapping[str, Any]  # every option of the ruleset, by name
NO_OR_YES: Final = ("no", "yes")  # words for False and True
POINTS: Final = "Points"
NOT_FOR_SO_MANY: Final = "%(value)r is not for %(players)d players"


class FormError(ValueError):
    """An invalid value of a form. ``sentence`` is English prose that says why, with placeholders for ``details``."""

    def __init__(self, sentence: str, **details: object) -> None:
        self.sentence = str(sentence)
        self.details = details
        super().__init__(sentence % details)


class OptionError(ValueError):
    """An unknown option, or a value that the option does not allow. ``allowed`` has the valid values, or a description
    of them; ``why`` is an additional reason, if there is one.
    """

    def __init__(self, field: str, value: object, allowed: tuple[Any, ...] | str, why: FormError | None = None) -> None:
        self.field = field
        self.value = value
        self.allowed = allowed
        self.why = why
        choice = allowed if isinstance(allowed, str) else ", ".join(json.dumps(one) for one in allowed)
        super().__init__(f"option {field!r}: {why or f'{value!r:.80} is not allowed'}; allowed: {choice}")


class SeatError(ValueError):
    """A number of players that the game does not support."""

    def __init__(self, players: object, seats: range) -> None:
        self.players = players
        self.seats = seats
        super().__init__(f"players: {players!r:.80} is not allowed; allowed: {seats.start} to {seats.stop - 1}")


@dataclass(frozen=True, slots=True)
class Form:
    """The type of an option with too many values to list, such as a deck. Each value is stored as JSON and has a text
    form.
    """

    allowed: str  # English prose that describes a valid value
    schema: Mapping[str, Any]  # JSON schema of the stored values
    read: Callable[[object], Any]  # converts a JSON value or a text to the value to store; raises FormError
    write: Callable[[Any], str]  # converts a value to a text that ``read`` converts back
    wrong: tuple[str, ...]  # every sentence that its errors may have


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of rules. ``label``, ``help`` and ``words`` are English prose for an organiser."""

    default: Any
    # All values, immutable. An option with a ``form`` has too many: then these are examples of extreme values.
    allowed: tuple[Any, ...]
    label: str
    help: str
    form: Form | None = None
    words: tuple[str, ...] = ()  # names for the values of ``allowed``, in the same order; empty for numbers
    fewest: int = 0  # a new contest with fewer players must use the default

    def settle(self, name: str, value: object) -> Any:
        """Return ``value`` in its stored form. A listed value must have the same type: 1 is not True.

        Raises:
            OptionError: the option, whose name is ``name``, does not allow it.
        """
        if self.form is None:
            if any(type(value) is type(one) and value == one for one in self.allowed):
                return value
            raise OptionError(name, value, self.allowed)
        try:
            return self.form.read(value)
        except FormError as error:
            raise OptionError(name, value, self.form.allowed, error) from error

    def usual(self) -> Any:
        """Return a copy of the default in its stored form."""
        return deepcopy(self.default) if self.form else self.default

    def read(self, text: str) -> Any:
        """Parse ``text`` from a form or a command line into a value for ``settle``. Text that is not JSON is returned
        unchanged.
        """
        if self.form is None:
            return next((one for one in self.allowed if text == one or text == json.dumps(one)), text)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text

    def write(self, value: Any) -> str:
        """Return a text for ``value``: ``settle`` accepts what ``read`` makes of it."""
        return self.form.write(value) if self.form else json.dumps(value)

    def say(self, value: object) -> str:
        """Return ``value`` for people: its English words if it has some, otherwise its text form."""
        words = zip(self.allowed, self.words, strict=False)
        return next((word for one, word in words if one == value), None) or self.write(value)

    def schema(self) -> Mapping[str, Any]:
        """Return the JSON schema of the stored values."""
        return self.form.schema if self.form else {"enum": list(self.allowed)}


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """One frozen version of a game's rules. Any change of behaviour is a new ``version``. Compares equal only to
    itself.
    """

    name: str
    version: int
    title: str  # English
    seats: range
    options: Mapping[str, Option]
    view_schema: Mapping[str, Any]  # JSON schema of every view
    opening: Callable[[int, Options], State]  # called with validated players and options
    vocabulary: Callable[[Options], tuple[str, ...]]  # all player actions in a fixed order, which numbers them
    max_actions: Callable[[int, Options], int]  # a proven upper bound on player actions in a game
    points: str = POINTS  # English name for the points of an outcome
    # For a number of seats that requires an option: the option, and the value that it must have. This setting only
    # permits that number of players; it has no other effect.
    seats_with: Mapping[int, tuple[str, Any]] = field(default_factory=dict)
    in_numbers: "InNumbers | None" = None  # for programs that learn: see games.numbered

    @property
    def usual_seats(self) -> range:
        """The numbers of players that require no option: the smallest, and all up to the first that requires one."""
        return range(self.seats.start, min((*self.seats_with, self.seats.stop)))

    @property
    def id(self) -> str:
        return f"{self.name}/{self.version}"

    def __str__(self) -> str:
        return self.id

    def validate(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``options`` with all defaults, in the ruleset's order, each a copy in its stored form.

        An option of ``seats_with`` is left out if this number of players does not require it, because it has no effect
        then.

        Raises:
            SeatError: the game does not support this number of players.
            OptionError: an option is unknown, or its value is not allowed for this number of players.
        """
        if type(players) is not int or players not in self.seats:
            raise SeatError(players, self.seats)
        for name in options:
            if name not in self.options:
                raise OptionError(str(name)[:80], options[name], tuple(self.options))
        full = {
            name: option.settle(name, options[name]) if name in options else option.usual()
            for name, option in self.options.items()
        }
        leave, needed = self.seats_with.get(players, ("", None))
        if leave and full[leave] != needed:
            why = FormError(NOT_FOR_SO_MANY, value=full[leave], players=players)
            raise OptionError(leave, full[leave], (needed,), why)
        idle = {name for name, _ in self.seats_with.values()} - {leave}
        return {name: value for name, value in full.items() if name not in idle}

    def offer(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``options`` for a new contest: like ``validate``, but refuse values that are meant for more players.

        Existing contests and records are checked with ``validate``, so they may keep such values.

        Raises:
            SeatError, OptionError: see ``validate``; or a value is not offered for so few players.
        """
        full = self.validate(players, options)
        for name, value in full.items():
            option = self.options[name]
            if players < option.fewest and value != option.default:
                why = FormError(NOT_FOR_SO_MANY, value=value, players=players)
                raise OptionError(name, value, (option.default,), why)
        return full

    def start(self, players: int, options: Mapping[str, Any]) -> State:
        """Return the state before the first action.

        Raises:
            SeatError, OptionError: see ``validate``.
        """
        return self.opening(players, self.validate(players, options))


START_PLAYER: Final = Option(
    "seat0",
    ("seat0", "random"),
    "Start player",
    "The first seat, or one drawn by lot.",
    words=("the first seat", "drawn by lot"),
)


def ruleset_options_with_needed(ruleset: Ruleset, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``options`` with the option that this number of players requires (``Ruleset.seats_with``), unless it is
    set.
    """
    return dict([ruleset.seats_with[players]]) | dict(options) if players in ruleset.seats_with else dict(options)

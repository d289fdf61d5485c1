"""A ruleset: a game with its rules frozen, and the options that an organiser may set."""

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
    """A value is not what it should be. ``sentence`` is English prose that says how, with places for ``details``."""

    def __init__(self, sentence: str, **details: object) -> None:
        self.sentence = str(sentence)
        self.details = details
        super().__init__(sentence % details)


class OptionError(ValueError):
    """An option that does not exist, or a value it does not allow. ``allowed``: the values, or what a form says;
    ``why`` it does not allow it, where that is not all."""

    def __init__(self, field: str, value: object, allowed: tuple[Any, ...] | str, why: FormError | None = None) -> None:
        self.field = field
        self.value = value
        self.allowed = allowed
        self.why = why
        choice = allowed if isinstance(allowed, str) else ", ".join(json.dumps(one) for one in allowed)
        super().__init__(f"option {field!r}: {why or f'{value!r:.80} is not allowed'}; allowed: {choice}")


class SeatError(ValueError):
    """A number of players the game is not made for."""

    def __init__(self, players: object, seats: range) -> None:
        self.players = players
        self.seats = seats
        super().__init__(f"players: {players!r:.80} is not allowed; allowed: {seats.start} to {seats.stop - 1}")


@dataclass(frozen=True, slots=True)
class Form:
    """Values too many to list, such as a deck. Each has one JSON value that is stored, and a text that people type."""

    allowed: str  # English prose: what such a value looks like
    schema: Mapping[str, Any]  # JSON schema of the stored values
    read: Callable[[object], Any]  # the value to keep, from a JSON value or a text; FormError says what is wrong
    write: Callable[[Any], str]  # the text that reads back as the value
    wrong: tuple[str, ...]  # every sentence of its errors


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of rules. ``label``, ``help`` and ``words`` are English prose for an organiser."""

    default: Any
    allowed: tuple[Any, ...]  # every value, none of which can be changed; with a ``form``, examples of its extremes
    label: str
    help: str
    form: Form | None = None
    words: tuple[str, ...] = ()  # for the values of ``allowed``, in their order; none where they are numbers
    fewest: int = 0  # players from which on a new contest may have another value than the default

    def settle(self, name: str, value: object) -> Any:
        """Return ``value`` as it is stored. A listed value must be of the same type: 1 is not True.

        Raises:
            OptionError: it is not allowed for the option, whose name is ``name``.
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
        """Return a copy of the default as it is stored."""
        return deepcopy(self.default) if self.form else self.default

    def read(self, text: str) -> Any:
        """Return what ``text`` means in a form or on a command line, yet to be settled; ``text`` itself if it is no
        JSON.
        """
        if self.form is None:
            return next((one for one in self.allowed if text == one or text == json.dumps(one)), text)
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text

    def write(self, value: Any) -> str:
        """Return a text whose meaning is ``value``: ``settle`` what ``read`` makes of it."""
        return self.form.write(value) if self.form else json.dumps(value)

    def say(self, value: object) -> str:
        """Return ``value`` as people read it: in English words if it has some, else as it is written."""
        words = zip(self.allowed, self.words, strict=False)
        return next((word for one, word in words if one == value), None) or self.write(value)

    def schema(self) -> Mapping[str, Any]:
        """Return the JSON schema of the stored values."""
        return self.form.schema if self.form else {"enum": list(self.allowed)}


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """A game with its rules frozen: any change of behaviour is a new ``version``. Equal to itself alone."""

    name: str
    version: int
    title: str  # English
    seats: range
    options: Mapping[str, Option]
    view_schema: Mapping[str, Any]  # JSON schema of every view
    opening: Callable[[int, Options], State]  # from validated players and options
    vocabulary: Callable[[Options], tuple[str, ...]]  # all player actions in a fixed order: their place is their number
    max_actions: Callable[[int, Options], int]  # proven: no game has more player actions
    points: str = POINTS  # English: what the points of an outcome are called
    # Which of ``seats`` need which option; it lets so many sit down and does nothing else.
    seats_with: Mapping[int, tuple[str, Any]] = field(default_factory=dict)
    in_numbers: "InNumbers | None" = None  # for programs that learn: see games.numbered

    @property
    def usual_seats(self) -> range:
        """The numbers of players that need no option: the fewest and all up to the first that does."""
        return range(self.seats.start, min((*self.seats_with, self.seats.stop)))

    @property
    def id(self) -> str:
        return f"{self.name}/{self.version}"

    def __str__(self) -> str:
        return self.id

    def validate(self, players: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``options`` with all defaults, in the ruleset's order, each a copy of its stored form.

        An option of ``seats_with`` is left out for fewer players: theirs is the same game with it and without.

        Raises:
            SeatError: the game is not for so many.
            OptionError: an unknown option, a value it does not allow, or not the one that so many players need.
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
        """Return ``options`` for a new contest: see ``validate``, but what is meant for more players is refused.

        Nothing is played differently by this: what was announced or recorded with such options is validated as ever.

        Raises:
            SeatError, OptionError: see ``validate``; or fewer players than the value of an option is offered for.
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
    """Return ``options`` with what so many players need, see ``Ruleset.seats_with``, unless it is among them."""
    return dict([ruleset.seats_with[players]]) | dict(options) if players in ruleset.seats_with else dict(options)

"""A game in numbers, for programs that learn: actions and chance as integers, what a seat sees as floats."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games.chance import Odds
from games.in_numbers import FLOAT, InNumbers, numbers_tuples_of_lists
from games.ruleset import Ruleset, ruleset_options_with_needed
from games.state import CHANCE, Outcome, Seat, State

FLOAT_BYTES: Final = 4
MASKS_MOST: Final = 1 << 12  # that are kept
Buffer: TypeAlias = Any  # what memoryview takes: an array("f"), a bytearray, a numpy array


class NotNumbered(TypeError):
    """A ruleset that has no ``in_numbers``."""


class NumberedGame:
    """A ruleset at a table of so many players, with its options settled.

    ``names`` are the players' actions: an action's number is its place, the same in every state. ``layout`` says which
    part of an observation is what: ``observation[layout["grill"]]``.

    Raises:
        SeatError, OptionError: see ``Ruleset.validate``.
        NotNumbered: the ruleset has no encoding in numbers.
    """

    def __init__(self, ruleset: Ruleset, players: int, options: Mapping[str, Any] | None = None) -> None:
        if ruleset.in_numbers is None:
            raise NotNumbered(f"{ruleset} has no encoding in numbers")
        self.ruleset = ruleset
        self.players = players
        self.options = ruleset.validate(players, ruleset_options_with_needed(ruleset, players, options or {}))
        self.names = ruleset.vocabulary(self.options)
        self.number = {name: at for at, name in enumerate(self.names)}
        self.opening = ruleset.opening(players, self.options)
        self.longest = ruleset.max_actions(players, self.options)
        self.chance_ways = ruleset.in_numbers.chance_ways(players, self.options)
        self._told: InNumbers = ruleset.in_numbers
        self._code = self.number.__getitem__
        self._masks: dict[tuple[str, ...], bytes] = {}  # by what is legal
        self._tell: Callable[[Any, Seat], Any] = ruleset.in_numbers.tell
        self.layout: dict[str, slice] = {}
        end = 0
        for name, size in ruleset.in_numbers.layout(players, self.options).items():
            self.layout[name] = slice(end, end := end + size)
        self.observation_shape = (end,)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The least and the most of ``utilities``."""
        return -1.0, 1.0

    @staticmethod
    def utilities(outcome: Outcome) -> tuple[float, ...]:
        """Return by seat the part of its opponents that it beat, less the part that beat it. They sum to 0.

        It is what the site's ratings and standings count, the share of opponents beaten with ties half, from -1 to 1.
        """
        places, rivals = outcome.places, len(outcome.places) - 1
        return tuple([sum([(own < other) - (own > other) for other in places]) / rivals for own in places])

    def legal(self, state: State) -> list[int]:
        """Return the numbers of the legal actions of the seat to act, rising; empty at chance and at the end."""
        return [] if state.actor == CHANCE else sorted(map(self._code, state.actions()))

    def mask(self, state: State) -> bytes:
        """Return a byte for each action, 1 if it is legal for the seat to act."""
        return self.mask_of(state.actions() if state.actor != CHANCE else ())

    def mask_of(self, legal: tuple[str, ...]) -> bytes:
        """Return a byte for each action, 1 if it is one of ``legal``."""
        return self._masks.get(legal) or self._new_mask(legal)

    def _new_mask(self, legal: tuple[str, ...]) -> bytes:
        if len(self._masks) >= MASKS_MOST:
            self._masks.clear()
        mask = bytearray(len(self.names))
        for name in legal:
            mask[self._code(name)] = 1
        return self._masks.setdefault(legal, bytes(mask))

    def play(self, state: State, code: int) -> State:
        """Return the state after action ``code``: the number of a legal action, or of what chance does (see
        ``chance_outcomes``). Whether it is legal is not checked.
        """
        return state.play(state.actions()[code] if state.actor == CHANCE else self.names[code])

    def chance_outcomes(self, state: State) -> Odds:
        """See ``State.chance_outcomes``."""
        return state.chance_outcomes()

    def observation(self, state: State, seat: Seat) -> bytes:
        """Return what ``seat`` sees as 32-bit floats from -1 to 1, ``observation_shape`` of them."""
        return b"".join(self._tell(state, seat))

    def observe_into(self, state: State, seat: Seat, buffer: Buffer) -> None:
        """Write ``observation`` into a buffer of exactly so many bytes, such as an ``array("f")`` or a numpy row.

        Raises:
            ValueError: it is of another size.
            TypeError: it is not contiguous, or cannot be written.
        """
        memoryview(buffer).cast("B")[:] = b"".join(self._tell(state, seat))

    def buffer(self) -> "memoryview[float]":
        """Return a buffer of floats that an observation fits in."""
        return memoryview(bytearray(FLOAT_BYTES * self.observation_shape[0])).cast(FLOAT)

    def from_facts(self, facts: Any) -> State:
        """Return the state of this game whose ``State.facts`` these are, as they were or from JSON.

        What is allowed and what follows from it is as it was. A view's ``last`` may be None, if the facts lack it.
        That the position can be reached is not checked.

        Raises:
            ValueError: they are not the facts of a state, or of a game of other rules.
        """
        given = numbers_tuples_of_lists(facts)
        try:
            state = self._told.restore(given)
            right = state.facts() == given and _table_of(state) == _table_of(self.opening)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            raise ValueError(f"not the facts of a state of {self.ruleset}") from error
        if not right:
            raise ValueError(f"not the facts of a state of {self.ruleset} with these players and options")
        return state


def _table_of(state: State) -> tuple[object, ...]:
    view = state.view(None)
    return tuple([view[name] for name in ("game", "players", "options")])

"""A game in numbers, for programs that learn: actions and chance as integers, observations as floats."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games.chance import Odds
from games.in_numbers import FLOAT, InNumbers, numbers_tuples_of_lists
from games.ruleset import Ruleset, ruleset_options_with_needed
from games.state import CHANCE, Outcome, Seat, State

FLOAT_BYTES: Final = 4
MASKS_MOST: Final = 1 << 12  # cached masks at most
Buffer: TypeAlias = Any  # anything that memoryview accepts: an array("f"), a bytearray, a numpy array


class NotNumbered(TypeError):
    """The ruleset has no ``in_numbers``."""


class NumberedGame:
    """A ruleset with a fixed number of players and fixed options.

    ``names`` are the players' actions. The number of an action is its index, in every state. ``layout`` maps the parts
    of an observation to slices: ``observation[layout["grill"]]``.

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
        self._numbers: InNumbers = ruleset.in_numbers
        self._code = self.number.__getitem__
        self._masks: dict[tuple[str, ...], bytes] = {}  # by legal actions
        self._observe: Callable[[Any, Seat], Any] = ruleset.in_numbers.tell
        self.layout: dict[str, slice] = {}
        end = 0
        for name, size in ruleset.in_numbers.layout(players, self.options).items():
            self.layout[name] = slice(end, end := end + size)
        self.observation_shape = (end,)

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The minimum and maximum of ``utilities``."""
        return -1.0, 1.0

    @staticmethod
    def utilities(outcome: Outcome) -> tuple[float, ...]:
        """Return for each seat the share of its opponents that it beat, minus the share that beat it. They sum to 0.

        The site's ratings and standings use the share of opponents beaten, where a tie counts one half. A utility is
        that share, scaled to the range from -1 to 1.
        """
        places, rivals = outcome.places, len(outcome.places) - 1
        return tuple([sum([(own < other) - (own > other) for other in places]) / rivals for own in places])

    def legal(self, state: State) -> list[int]:
        """Return the numbers of the acting seat's legal actions in ascending order; empty at chance and at the end."""
        return [] if state.actor == CHANCE else sorted(map(self._code, state.actions()))

    def mask(self, state: State) -> bytes:
        """Return a byte for each action, 1 if it is legal for the seat to act."""
        return self.mask_of(state.actions() if state.actor != CHANCE else ())

    def mask_of(self, legal: tuple[str, ...]) -> bytes:
        """Return a byte for each action, 1 if it is in ``legal``."""
        return self._masks.get(legal) or self._new_mask(legal)

    def _new_mask(self, legal: tuple[str, ...]) -> bytes:
        if len(self._masks) >= MASKS_MOST:
            self._masks.clear()
        mask = bytearray(len(self.names))
        for name in legal:
            mask[self._code(name)] = 1
        return self._masks.setdefault(legal, bytes(mask))

    def play(self, state: State, code: int) -> State:
        """Return the state after action ``code``: the number of a legal action, or of an outcome of chance (see
        ``chance_outcomes``). Legality is not checked.
        """
        return state.play(state.actions()[code] if state.actor == CHANCE else self.names[code])

    def chance_outcomes(self, state: State) -> Odds:
        """See ``State.chance_outcomes``."""
        return state.chance_outcomes()

    def observation(self, state: State, seat: Seat) -> bytes:
        """Return what ``seat`` sees as 32-bit floats from -1 to 1, of shape ``observation_shape``."""
        return b"".join(self._observe(state, seat))

    def observe_into(self, state: State, seat: Seat, buffer: Buffer) -> None:
        """Write ``observation`` into a buffer of exactly its size, such as an ``array("f")`` or a numpy row.

        Raises:
            ValueError: the buffer has another size.
            TypeError: the buffer is not contiguous or not writable.
        """
        memoryview(buffer).cast("B")[:] = b"".join(self._observe(state, seat))

    def buffer(self) -> "memoryview[float]":
        """Return a new buffer of floats for one observation."""
        return memoryview(bytearray(FLOAT_BYTES * self.observation_shape[0])).cast(FLOAT)

    def from_facts(self, facts: Any) -> State:
        """Return the state of this game with these ``State.facts``, which may come from JSON.

        Its legal actions and all later play are the same as in the original state. A view's ``last`` may be None if the
        facts lack it. Whether the position can be reached is not checked.

        Raises:
            ValueError: these are not the facts of a state, or they are the facts of a state of another ruleset.
        """
        given = numbers_tuples_of_lists(facts)
        try:
            state = self._numbers.restore(given)
            right = state.facts() == given and _table_of(state) == _table_of(self.opening)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError) as error:
            raise ValueError(f"not the facts of a state of {self.ruleset}") from error
        if not right:
            raise ValueError(f"not the facts of a state of {self.ruleset} with these players and options")
        return state


def _table_of(state: State) -> tuple[object, ...]:
    view = state.view(None)
    return tuple([view[name] for name in ("game", "players", "options")])

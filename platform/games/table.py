"""One game in progress: seats act in turn, chance is dealt at once, and everything that a replay needs is recorded."""

from collections.abc import Mapping
from copy import copy
from typing import Any

from games.dealer import Dealer, block_seed
from games.record import Intervention, Record
from games.ruleset import Ruleset
from games.state import Outcome, Seat


class Table:
    """A game of ``ruleset`` from its first action to its last. After every call, a seat must act or the game is over.

    >>> from games.catalogue import find
    >>> table = Table(find("pickomino/1"), players=2, options={}, seed=bytes(16))
    >>> table.actor, table.state.actions()
    (0, ('take 1', 'take 2', 'take 5', 'take W'))
    >>> table.play("take W")
    >>> table.state.actions()
    ('roll', 'stop')
    >>> table.record().actions
    ('take W',)

    Raises:
        SeatError, OptionError: see ``Ruleset.validate``.
        ValueError: the seed is not 16 bytes.
    """

    __slots__ = (
        "_actions",
        "_dealer",
        "_interventions",
        "_of_one_seed",
        "options",
        "players",
        "ruleset",
        "seed",
        "state",
    )

    def __init__(self, ruleset: Ruleset, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        self.ruleset = ruleset
        self.players = players
        self.options = ruleset.validate(players, options)
        self.seed = seed
        self._dealer = Dealer(seed)
        self._actions: list[str] = []
        self._interventions: list[Intervention] = []
        self._of_one_seed = True
        state = ruleset.opening(players, self.options)
        while (request := state.chance()) is not None:
            state = state.play(self._dealer.deal(request))
        self.state = state

    @property
    def actor(self) -> Seat:
        """The seat to act. Undefined once the game is over."""
        return self.state.actor

    @property
    def over(self) -> bool:
        return not self.state.actions()

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome()

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of the seats so far, in order."""
        return tuple(self._actions)

    @property
    def interventions(self) -> tuple[Intervention, ...]:
        return tuple(self._interventions)

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """See ``State.view``."""
        return self.state.view(seat)

    def facts(self, seat: Seat) -> dict[str, Any]:
        """Return the facts that the bot in ``seat`` receives before its first action. ``seed`` is for the bot's own
        randomness.
        """
        return {
            "ruleset": self.ruleset.id,
            "options": dict(self.options),
            "players": self.players,
            "seat": seat,
            # The bot's seed is derived by a one-way function, so it reveals nothing about the dice.
            "seed": int.from_bytes(block_seed(self.seed, "bot", seat)[:4]),
        }

    def play(self, text: str, *, intervention: str | None = None) -> None:
        """Play the actor's action ``text``. ``intervention`` is a verdict: from here on, a stand-in plays this seat.

        Raises:
            IllegalAction: ``text`` is not legal. The table is unchanged.
        """
        state = self.state
        # The usual case is handled inline, because this function takes half of a game's time.
        action = text if type(text) is str and text in state.actions() else state.read(text)
        if intervention is not None:
            self._intervene(intervention)
        self._actions.append(action)
        state = state.play(action)
        dealer = self._dealer
        while (request := state.chance()) is not None:
            state = state.play(request.draw(dealer))
        self.state = state

    def fork(self, seed: bytes | None = None) -> "Table":
        """Return a copy of this table that can be played on independently.

        With a ``seed``, all further chance follows from that seed. Such a game has no record, because it has two seeds.

        Raises:
            ValueError: the seed is not 16 bytes.
        """
        other = copy(self)
        other._actions, other._interventions = self._actions[:], self._interventions[:]
        if seed is not None and seed != self.seed:
            other._dealer, other.seed, other._of_one_seed = Dealer(seed), seed, False
        return other

    def record(self, legal: tuple[tuple[str, ...], ...] | None = None) -> Record:
        """Return the record of the game so far. ``legal`` has the legal actions before each action, if the caller
        stored them.

        Raises:
            ValueError: the table was forked with another seed.
        """
        if not self._of_one_seed:
            raise ValueError("a game with two seeds has no record")
        fields = (self.ruleset.id, self.players, self.options, self.seed)
        return Record.of(*fields, self.actions, self.interventions, self.state, legal)

    def _intervene(self, cause: str) -> None:
        seat = self.actor
        if all(seat != earlier.seat for earlier in self._interventions):
            self._interventions.append(Intervention(len(self._actions), seat, cause))

"""One game in progress: seats act in turn, chance is dealt at once, everything needed to replay it is kept."""

from collections.abc import Mapping
from typing import Any

from games.dealer import Dealer
from games.record import Intervention, Record
from games.ruleset import Ruleset
from games.state import Outcome, Seat


class Table:
    """A game of ``ruleset`` from its first action to its last. After every call a seat is to act, or the game is over.

    Raises:
        SeatError, OptionError: see ``Ruleset.validate``.
        ValueError: the seed is not 16 bytes.
    """

    __slots__ = ("_actions", "_dealer", "_interventions", "options", "players", "ruleset", "seed", "state")

    def __init__(self, ruleset: Ruleset, players: int, options: Mapping[str, Any], seed: bytes) -> None:
        self.ruleset = ruleset
        self.players = players
        self.options = ruleset.validate(players, options)
        self.seed = seed
        self._dealer = Dealer(seed)
        self._actions: list[str] = []
        self._interventions: list[Intervention] = []
        state = ruleset.opening(players, self.options)
        while (request := state.chance()) is not None:
            state = state.play(self._dealer.deal(request))
        self.state = state

    @property
    def actor(self) -> Seat:
        """The seat to act. Meaningless once the game is over."""
        return self.state.actor

    @property
    def over(self) -> bool:
        return not self.state.actions()

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """See ``State.view``."""
        return self.state.view(seat)

    def play(self, text: str, *, intervention: str | None = None) -> None:
        """Play the actor's action ``text``. ``intervention``, a verdict: a stand-in plays this seat from here on.

        Raises:
            IllegalAction: ``text`` is not legal; nothing has changed.
        """
        state = self.state
        # What most calls are, in one frame: this is half of the time that a game takes.
        action = text if type(text) is str and text in state.actions() else state.read(text)
        if intervention is not None:
            self._intervene(intervention)
        self._actions.append(action)
        state = state.play(action)
        dealer = self._dealer
        while (request := state.chance()) is not None:
            state = state.play(request.draw(dealer))
        self.state = state

    def record(self) -> Record:
        """Return the game so far."""
        fields = (self.ruleset.id, self.players, self.options, self.seed)
        return Record.of(*fields, tuple(self._actions), tuple(self._interventions), self.state)

    def _intervene(self, cause: str) -> None:
        seat = self.actor
        if all(seat != earlier.seat for earlier in self._interventions):
            self._interventions.append(Intervention(len(self._actions), seat, cause))

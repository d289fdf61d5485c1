"""House bots as bots of OpenSpiel, for ``pyspiel.evaluate_bots`` and similar functions. Requires open_spiel."""

import pyspiel

from research.house import HousePlayer
from research.openspiel import PeckGame, PeckState


class SpielHouseBot(pyspiel.Bot):
    """The house bot ``name``, such as ``wise-owl``, as ``player`` of ``game``. Its random numbers follow from ``seed``.

    Raises:
        LookupError: the game has no house bot with this name.
    """

    def __init__(self, game: PeckGame, player: int, name: str, seed: int = 0) -> None:
        super().__init__()
        self._number = game.numbered.number
        self._player = player
        self._bot = HousePlayer(game.ruleset.name, name)
        self._seed = f"{seed} {player}".encode()
        self.restart()

    def restart(self) -> None:
        self._bot.begin(self._seed)

    def restart_at(self, state: PeckState) -> None:
        self.restart()

    def step(self, state: PeckState) -> int:
        return self._number[self._bot.act(state.held.at.view(self._player))]

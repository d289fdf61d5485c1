"""What the ways to end a turn are worth: the board after them, and the best choice where there still is one."""

from functools import cached_property
from typing import Final

from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.components import CANNED_POINTS, CANNED_WORM, HEN, NOBODY
from games.catalogue.heckmeck.position import HeckmeckPosition, fail, stolen, taken
from games.catalogue.heckmeck.turn import WHITE, Hand, HeckmeckPhase
from luck.grill.dice import MOST, Pays
from luck.grill.facts import worth
from luck.grill.value import BoardValue

# The dice are done; what remains is to say what to make of them.
SETTLING: Final = frozenset({HeckmeckPhase.CANNED, HeckmeckPhase.STEAL, HeckmeckPhase.RAVEN, HeckmeckPhase.KEEP})


class Stops:
    """The ends of a turn of ``board.seat``, each the share that this seat then expects."""

    def __init__(self, board: HeckmeckBoard, value: BoardValue[HeckmeckBoard]) -> None:
        self._board = board
        self._value = value
        self._known: dict[int, int] = {}

    def ended(self, position: HeckmeckPosition) -> int:
        """Return what a position is worth in which no more dice are thrown in this turn."""
        if position.phase in SETTLING:
            return max(self.ended(position.play(choice)) for choice in position.choices)
        return self._value.share(position.board, self._board.seat)

    @cached_property
    def pays(self) -> Pays:
        """What stopping pays, see ``Pays``. As ``resolve`` and ``settle`` of the game's positions have it."""
        totals = range(MOST + 1)
        return (*map(self._pay, totals), *map(self._canned, totals), self._failed)

    def tile(self, total: int, *, worm: bool) -> int | None:
        """Return the tile that stopping wins, 0 for none; None where it is a specialist alone that is won."""
        board = self._board
        if not worm:
            if not board.has(CANNED_WORM):
                return 0
            total += CANNED_POINTS
        if board.may_take(total):
            return total
        if (rival := board.rival_with(total)) == NOBODY:
            return board.lower(total)
        return None if board.places[HEN] == rival else total

    @cached_property
    def _failed(self) -> int:
        return self.ended(fail(self._board, WHITE, "no_face"))

    def _canned(self, total: int) -> int:
        if not self._board.has(CANNED_WORM):
            return self._failed
        pays = self._pay(total + CANNED_POINTS)
        return max(pays, self._failed) if self._board.rules.canned == "choice" else pays

    def _pay(self, total: int) -> int:
        """Return what the turn pays that is worth ``total``, a worm being there."""
        if self._board.may_take(total):
            return self._take(total)
        if self._board.rival_with(total) == NOBODY:
            return self._lower(total)
        steal = self.ended(stolen(self._board, Hand(worth(total), "", -1)))
        rule = self._board.rules.steal
        if rule == "mandatory":
            return steal
        return max(steal, self._failed if rule == "optional_or_fail" else self._lower(total))

    def _lower(self, total: int) -> int:
        tile = self._board.lower(total)
        return self._take(tile) if tile else self._failed

    def _take(self, tile: int) -> int:
        if tile not in self._known:
            self._known[tile] = self.ended(taken(self._board, WHITE, tile))
        return self._known[tile]

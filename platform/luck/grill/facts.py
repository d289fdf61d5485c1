"""Numbers for a sentence about dice that are set aside."""

from typing import Final

from games.catalogue.grill.aside import Aside, aside
from luck.shares import rounded

MILLION: Final = 10**6


def told(own: Aside, tile: int | None, golden: tuple[int, ...] = ()) -> dict[str, int]:
    """Return their sum, the dice left, the ``tile`` that stopping wins (0: none; None: not told), and of a million
    rolls of the dice left how many show no new face. ``golden``: the faces, by number, of a golden die that is one of
    those.
    """
    facts = {"total": own.total, "left": own.left} | ({} if tile is None else {"tile": tile})
    if own.full:
        return facts
    ways, among = own.rolls ** (own.left - bool(golden)), 6**own.left
    if golden:
        ways *= sum(own.used >> face & 1 for face in golden)
    return facts | {"bust": rounded(MILLION * ways, among)}


def worth(total: int) -> Aside:
    """Return dice aside that make ``total``: worms, and one die for the rest."""
    fives, rest = divmod(total, 5)
    return aside((*(int(face == rest) for face in range(1, 6)), fives))

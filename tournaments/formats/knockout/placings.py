"""Final places of a knockout: whoever went out later stands higher, those of one round share a place."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.formats.knockout.match import BracketMatch
from tournaments.formats.knockout.plan import BracketSlot, Part


@dataclass(frozen=True, slots=True)
class Placing:
    """``rank`` is shared by everyone who went out in the same round; ``out`` is the match that ended the way, None for
    those who are still in and for the winner."""

    entrant: int
    seed: int
    rank: int
    out: BracketSlot | None


def placings_of(seeds: Sequence[int], bouts: Sequence[BracketMatch], defeats: int) -> tuple[Placing, ...]:
    """Return a placing for each entrant, the best first; who is in lost fewer than ``defeats`` matches. A match for the
    third place is no way out: it only parts the two who lost before.
    """
    lost = dict.fromkeys(seeds, 0)
    out: dict[int, BracketMatch] = {}
    for bout in bouts:
        if bout.verdict is not None and bout.place.part is not Part.THIRD:
            loser = bout.verdict.loser
            lost[loser] += 1
            if lost[loser] == defeats:
                out[loser] = bout
    third = next((bout.verdict for bout in bouts if bout.place.part is Part.THIRD and bout.verdict), None)

    def strength(entrant: int) -> tuple[int, int]:
        gone = out.get(entrant)
        return (gone.level, third is not None and third.winner == entrant) if gone else (len(bouts) + 1, 0)

    ordered = sorted(range(len(seeds)), key=lambda place: (*(-part for part in strength(seeds[place])), place))
    ranks: dict[tuple[int, int], int] = {}
    for number, place in enumerate(ordered, start=1):
        ranks.setdefault(strength(seeds[place]), number)
    return tuple(
        Placing(
            entrant=seeds[place],
            seed=place + 1,
            rank=ranks[strength(seeds[place])],
            out=out[seeds[place]].place if seeds[place] in out else None,
        )
        for place in ordered
    )

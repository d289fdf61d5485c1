"""A knockout at tables of three to seven: rounds of heats, of each of which the best go on, until one table is left;
and what changes of a bracket when results change.

The field of a round is dealt to its tables by its seeds like a snake: the best to the first table, the next to the
second, and back again, so that the best meet late. Where it does not divide, tables are one seat apart and the better
seeds sit at the smaller ones; who finds no seat at all, the best of them, goes on without a match.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cmp_to_key
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeAlias

from tournaments.formats.knockout.bracket import Bracket, BracketMatch, DecidedBy, HeatShare, Placing, verdict_of
from tournaments.formats.knockout.plan import BracketSlot, Part, seeds_dealt
from tournaments.formats.seating import EntrantsError, Sizes, table_sizes


def going_on(smallest: int) -> int:
    """Return how many of a table go on: all but one of the smallest, which is half of a full one unless the game asks
    for more. With one fewer, two tables, or one and the byes, could not always fill the last table.
    """
    return smallest - 1


@dataclass(frozen=True, slots=True)
class Heat:
    """``entrants`` in seat order, which is that of their ``seeds``. ``passing``: who goes on from this round without a
    match. ``order``: once it is decided, the best first; ``by``: what told the last of the ``going`` who go on from the
    first who does not, or the winner of the last table from the second."""

    place: BracketSlot
    entrants: tuple[int, ...]
    seeds: tuple[int, ...]
    going: int
    passing: tuple[int, ...] = ()
    drawn: bool = False
    order: tuple[int, ...] = ()
    by: DecidedBy | None = None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Heat":
        """Return the heat of which ``write`` gave ``data``."""
        by = DecidedBy(data["by"]) if data["by"] else None
        entrants, seeds, passing, order = (tuple(data[name]) for name in ("entrants", "seeds", "passing", "order"))
        return cls(BracketSlot.read(data["place"]), entrants, seeds, data["going"], passing, data["drawn"], order, by)

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return nothing: exports tell no more of a seat than its place in the bracket."""
        return {}

    @property
    def seating(self) -> tuple[int, ...]:
        return self.entrants

    @property
    def empty(self) -> bool:
        return False

    @property
    def goes_on(self) -> tuple[int, ...]:
        """Who goes on; the winner of the last table is the winner of all."""
        return self.order[: self.going]

    @property
    def decided(self) -> bool:
        return bool(self.order)


@dataclass(frozen=True, slots=True)
class Heats:
    """Every heat so far, round by round, those to be drawn now included, and the places so far."""

    bouts: tuple[Heat, ...]
    placings: tuple[Placing, ...]

    @property
    def next_round(self) -> tuple[Heat, ...]:
        """The heats to draw now; none while one is being played, and when all is decided."""
        if any(heat.drawn and not heat.order for heat in self.bouts):
            return ()
        return tuple(heat for heat in self.bouts if not heat.drawn)

    @property
    def finished(self) -> bool:
        return all(heat.decided for heat in self.bouts)

    @property
    def byes(self) -> tuple[tuple[int, ...], ...]:
        """Who passed each round that was drawn without a table, in the order of the rounds."""
        return tuple({heat.place.round: heat.passing for heat in self.bouts if heat.drawn}.values())


def heats_of(
    seeds: Sequence[int],
    seats: int,
    smallest: int,
    results: Mapping[BracketSlot, Sequence[HeatShare]],
    undecided: Collection[BracketSlot] = (),
    passed: Mapping[int, Collection[int]] = MappingProxyType({}),
    gone: Collection[int] = (),
) -> Heats:
    """Return the heats of entrants given from the best seed down, at tables of ``smallest`` to ``seats``.

    ``results`` has the shares of every heat drawn so far; those that are ``undecided`` are being played; ``passed`` has
    by round who went on without a match. Entrants that are ``gone`` are in no later draw. When too few for a
    table are left, the one that did best before wins.

    Raises:
        EntrantsError: fewer than ``smallest``.
    """
    if len(seeds) < smallest:
        raise EntrantsError(len(seeds), smallest)
    rounds: list[tuple[Heat, ...]] = []
    out: dict[int, _Out] = {}
    field = list(seeds)
    while True:
        number = len(rounds) + 1
        there = _there(number, results, passed)
        out |= {one: (number, 0) for one in field if one in gone and one not in there}
        field = [one for one in field if one not in out]
        sizes = table_sizes(len(field), seats, smallest)
        if sizes is None:
            out |= _without_a_table(field, rounds)
            break
        heats = tuple(
            _as_played(heat, results, undecided) for heat in _round(number, field, sizes, seeds, going_on(smallest))
        )
        rounds.append(heats)
        last = len(heats) == 1 and not sizes.byes
        out |= {
            one: (number, len(heat.order) - at)
            for heat in heats
            for at, one in enumerate(heat.order)
            if last or at >= heat.going
        }
        if last or not all(heat.order for heat in heats):
            break
        field = [one for one in field if one not in out]
    return Heats(tuple(chain(*rounds)), tuple(_placings(seeds, out, rounds)))


# How one went out: in which round, and how many sat at the same table and were not ahead; 0 who had left before it.
_Out: TypeAlias = tuple[int, int]


def _there(
    number: int, results: Mapping[BracketSlot, Sequence[HeatShare]], passed: Mapping[int, Collection[int]]
) -> frozenset[int]:
    """Return who is in a round that was drawn."""
    sitting = (share.entrant for place, shares in results.items() if place.round == number for share in shares)
    return frozenset(sitting).union(passed.get(number, ()))


def _round(number: int, field: Sequence[int], sizes: Sizes, seeds: Sequence[int], going: int) -> Iterator[Heat]:
    """Yield the heats of a field given from the best seed down, before they are drawn."""
    passing, tables = tuple(field[: sizes.byes]), seeds_dealt(field[sizes.byes :], len(sizes.tables))
    last = len(tables) == 1 and not passing
    for slot, table in enumerate(tables):
        yield Heat(
            BracketSlot(Part.HEATS, number, slot, len(tables)),
            entrants=tuple(table),
            seeds=tuple(seeds.index(one) + 1 for one in table),
            going=1 if last else going,
            passing=passing,
        )


def _without_a_table(field: Sequence[int], rounds: Sequence[Sequence[Heat]]) -> dict[int, _Out]:
    """Return the places of those who are left when they no longer fill a table: as they did in the last round."""
    before = rounds[-1] if rounds else ()
    ahead = {one: len(heat.order) - at for heat in before for at, one in enumerate(heat.order)}
    best = sorted(field, key=lambda one: -ahead.get(one, 0))
    return {one: (len(rounds) + 1, len(best) - at) for at, one in enumerate(best)}


def _as_played(
    heat: Heat, results: Mapping[BracketSlot, Sequence[HeatShare]], undecided: Collection[BracketSlot]
) -> Heat:
    """Return the heat as far as it is drawn and decided."""
    if heat.place not in results:
        return heat
    if heat.place in undecided:
        return replace(heat, drawn=True)
    best = sorted(results[heat.place], key=cmp_to_key(_compared))
    by = verdict_of(best[heat.going - 1], best[heat.going]).by if heat.going < len(best) else None
    return replace(heat, drawn=True, order=tuple(share.entrant for share in best), by=by)


def _compared(one: HeatShare, other: HeatShare) -> int:
    return -1 if verdict_of(one, other).winner == one.entrant else 1


def _way_out(entrant: int, number: int, rounds: Sequence[Sequence[Heat]]) -> BracketSlot | None:
    """Return the heat in which an entrant went out in the round of that number; one of its round for who had left."""
    heats = rounds[min(number, len(rounds)) - 1] if rounds else ()
    return next((heat.place for heat in heats if entrant in heat.entrants), heats[0].place if heats else None)


def _placings(seeds: Sequence[int], out: Mapping[int, _Out], rounds: Sequence[Sequence[Heat]]) -> Iterator[Placing]:
    """Yield placings: entrants that are still in come first, then those who came further, then who was further ahead at
    its last table.
    """
    still_in = (len(seeds) + 1, 0)
    came = [out.get(one, still_in) for one in seeds]
    best = sorted(range(len(seeds)), key=lambda place: (*(-part for part in came[place]), place))
    ranks: dict[_Out, int] = {}
    for rank, place in enumerate(best, start=1):
        ranks.setdefault(came[place], rank)
        one = seeds[place]
        way_out = _way_out(one, came[place][0], rounds) if rank > 1 and one in out else None
        yield Placing(one, place + 1, ranks[came[place]], way_out)


@dataclass(frozen=True, slots=True)
class BoutChange:
    """A match of a knockout as it becomes. ``instead``: who went on from it before; nobody if it was not decided.
    ``last``: who goes on from it wins what is played for, and plays no more."""

    bout: BracketMatch | Heat
    instead: tuple[int, ...]
    last: bool

    @property
    def goes_on(self) -> tuple[int, ...]:
        return self.bout.goes_on

    @property
    def same(self) -> bool:
        return set(self.goes_on) == set(self.instead)

    @property
    def meet(self) -> tuple[int, ...]:
        """Who meet in a match that is still to be drawn; nobody if it is drawn, or decided."""
        return () if self.bout.drawn or self.bout.decided else self.bout.seating


def bouts_changed(
    before: Bracket | Heats, after: Bracket | Heats, ruled: BracketSlot | None = None
) -> tuple[BoutChange, ...]:
    """Return, in the order of play, the matches from which others go on or for another reason, those that were drawn
    and are to be decided, those to be drawn in which others meet, and the one that is ``ruled`` on."""
    was = {bout.place: bout for bout in before.bouts if not bout.empty}
    double = any(bout.place.part is Part.FINAL for bout in before.bouts)
    return tuple(
        BoutChange(bout, then.goes_on if (then := was.get(bout.place)) else (), is_last(bout, double))
        for bout in after.bouts
        if not bout.empty and (bout.place == ruled or _differs(was.get(bout.place), bout))
    )


def _differs(before: BracketMatch | Heat | None, after: BracketMatch | Heat) -> bool:
    if after.decided or after.drawn:
        was = (set(before.goes_on), before.by) if before else (set(), None)
        return (set(after.goes_on), after.by) != was
    known = isinstance(after, Heat) or len(after.seating) == 2
    return known and (before is None or before.drawn or set(before.seating) != set(after.seating))


def is_last(bout: BracketMatch | Heat, double: bool) -> bool:
    """Tell whether who goes on from ``bout`` wins what is played for, and plays no more."""
    if isinstance(bout, Heat):
        return bout.place.of == 1 and not bout.passing
    return bout.place.part is Part.FINAL or (bout.place.of == 1 and not double)

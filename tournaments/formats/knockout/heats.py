"""A knockout at tables of three to seven. In each round, the best of each table go on, until one table is left.

A table of a round is called a heat. The entrants of a round are dealt to its tables in snake order of their seeds, so
that the best meet late. If the entrants do not fill all tables, the sizes of tables differ by at most one, and better
seeds sit at smaller tables. If there are not enough seats, the best seeds go on without a match.

``heat_bouts_changed`` compares two states of a knockout, before and after its results change.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cmp_to_key
from itertools import chain
from types import MappingProxyType
from typing import Any, TypeAlias

from tournaments.formats.knockout.bracket import (
    Bracket,
    BracketMatch,
    DecidedBy,
    HeatShare,
    Placing,
    bracket_decision_of,
)
from tournaments.formats.knockout.plan import BracketSlot, Part, knockout_plan_heat_seeds_dealt
from tournaments.formats.seating import EntrantsError, Sizes, seating_table_sizes


def heat_advancing(smallest: int) -> int:
    """Return how many entrants of a table go on: one less than the size of the smallest table.

    That is half of a full table, or more if the game needs more players at a table. If fewer entrants went on, they
    could be too few for the last table, e.g. when they come from only two tables.
    """
    return smallest - 1


@dataclass(frozen=True, slots=True)
class Heat:
    """A table of a round of heats.

    ``entrants`` are in seat order, which is the order of their ``seeds``. ``going`` is the number of entrants that go
    on. ``passing`` are the entrants that go on from this round without a match.

    The last two fields are set once the heat is decided. ``order`` has the entrants, the best first. ``by`` is the
    criterion that separates the last entrant that goes on from the first that does not. At the last table, it separates
    the winner from the second.
    """

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
        """Read what ``write`` has returned."""
        by = DecidedBy(data["by"]) if data["by"] else None
        entrants, seeds, passing, order = (tuple(data[name]) for name in ("entrants", "seeds", "passing", "order"))
        return cls(BracketSlot.read(data["place"]), entrants, seeds, data["going"], passing, data["drawn"], order, by)

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return no cells: exports have no further data about seats in a bracket."""
        return {}

    @property
    def seating(self) -> tuple[int, ...]:
        return self.entrants

    @property
    def empty(self) -> bool:
        return False

    @property
    def goes_on(self) -> tuple[int, ...]:
        """The entrants that go on. At the last table, this is the winner of the knockout."""
        return self.order[: self.going]

    @property
    def decided(self) -> bool:
        return bool(self.order)


@dataclass(frozen=True, slots=True)
class Heats:
    """All heats so far, round by round, and the places so far. The heats that are to be drawn now are included."""

    bouts: tuple[Heat, ...]
    placings: tuple[Placing, ...]

    @property
    def next_round(self) -> tuple[Heat, ...]:
        """The heats to draw now; none while a heat is being played, or when all are decided."""
        if any(heat.drawn and not heat.order for heat in self.bouts):
            return ()
        return tuple(heat for heat in self.bouts if not heat.drawn)

    @property
    def finished(self) -> bool:
        return all(heat.decided for heat in self.bouts)

    @property
    def byes(self) -> tuple[tuple[int, ...], ...]:
        """For each drawn round, the entrants that went on without a match."""
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
    """Return the heats of the entrants in ``seeds``, which has the best seed first.

    Tables have from ``smallest`` to ``seats`` seats. ``results`` has the results of all heats that were drawn so far.
    ``undecided`` are the heats that are still being played. ``passed`` has the entrants that went on without a match,
    by round. Entrants in ``gone`` have left, and are not drawn any more. If the remaining entrants are too few for a
    table, the one with the best result in the last round wins.

    Raises:
        EntrantsError: there are fewer entrants than ``smallest``.
    """
    if len(seeds) < smallest:
        raise EntrantsError(len(seeds), smallest)
    rounds: list[tuple[Heat, ...]] = []
    out: dict[int, _Out] = {}
    field = list(seeds)
    while True:
        number = len(rounds) + 1
        there = _round_entrants(number, results, passed)
        out |= {one: (number, 0) for one in field if one in gone and one not in there}
        field = [one for one in field if one not in out]
        sizes = seating_table_sizes(len(field), seats, smallest)
        if sizes is None:
            out |= _without_a_table(field, rounds)
            break
        heats = tuple(
            _as_played(heat, results, undecided)
            for heat in _round(number, field, sizes, seeds, heat_advancing(smallest))
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


# How an entrant went out: the number of the round, and how many entrants at its table were not ahead of it, including
# itself. At a table of four, this is 1 for the last and 4 for the winner. It is 0 if the entrant left before the round.
_Out: TypeAlias = tuple[int, int]


def _round_entrants(
    number: int, results: Mapping[BracketSlot, Sequence[HeatShare]], passed: Mapping[int, Collection[int]]
) -> frozenset[int]:
    """Return the entrants of a drawn round, including those that went on without a match."""
    sitting = (share.entrant for place, shares in results.items() if place.round == number for share in shares)
    return frozenset(sitting).union(passed.get(number, ()))


def _round(number: int, field: Sequence[int], sizes: Sizes, seeds: Sequence[int], going: int) -> Iterator[Heat]:
    """Yield the heats of a round, as they are before they are drawn. ``field`` has the best seed first."""
    passing, tables = tuple(field[: sizes.byes]), knockout_plan_heat_seeds_dealt(field[sizes.byes :], len(sizes.tables))
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
    """Return how the entrants in ``field``, which are too few for a table, go out: in their order in the last round."""
    before = rounds[-1] if rounds else ()
    ahead = {one: len(heat.order) - at for heat in before for at, one in enumerate(heat.order)}
    best = sorted(field, key=lambda one: -ahead.get(one, 0))
    return {one: (len(rounds) + 1, len(best) - at) for at, one in enumerate(best)}


def _as_played(
    heat: Heat, results: Mapping[BracketSlot, Sequence[HeatShare]], undecided: Collection[BracketSlot]
) -> Heat:
    """Return the heat with its result, if it is decided. Mark it as drawn if it is drawn."""
    if heat.place not in results:
        return heat
    if heat.place in undecided:
        return replace(heat, drawn=True)
    best = sorted(results[heat.place], key=cmp_to_key(_compared))
    by = bracket_decision_of(best[heat.going - 1], best[heat.going]).by if heat.going < len(best) else None
    return replace(heat, drawn=True, order=tuple(share.entrant for share in best), by=by)


def _compared(one: HeatShare, other: HeatShare) -> int:
    return -1 if bracket_decision_of(one, other).winner == one.entrant else 1


def _elimination_slot(entrant: int, number: int, rounds: Sequence[Sequence[Heat]]) -> BracketSlot | None:
    """Return the slot of the heat in which an entrant went out in round ``number``.

    If the entrant left before the round, return the slot of the first heat of the round.
    """
    heats = rounds[min(number, len(rounds)) - 1] if rounds else ()
    return next((heat.place for heat in heats if entrant in heat.entrants), heats[0].place if heats else None)


def _placings(seeds: Sequence[int], out: Mapping[int, _Out], rounds: Sequence[Sequence[Heat]]) -> Iterator[Placing]:
    """Yield the placings, the best first.

    The entrants that are still in come first. The others are ordered by the round in which they went out, then by their
    place at their last table.
    """
    still_in = (len(seeds) + 1, 0)
    came = [out.get(one, still_in) for one in seeds]
    best = sorted(range(len(seeds)), key=lambda place: (*(-part for part in came[place]), place))
    ranks: dict[_Out, int] = {}
    for rank, place in enumerate(best, start=1):
        ranks.setdefault(came[place], rank)
        one = seeds[place]
        way_out = _elimination_slot(one, came[place][0], rounds) if rank > 1 and one in out else None
        yield Placing(one, place + 1, ranks[came[place]], way_out)


@dataclass(frozen=True, slots=True)
class BoutChange:
    """A match of a knockout after a change.

    ``instead`` are the entrants that went on from this match before the change; empty if the match was not decided
    then. ``last`` tells whether its winner wins the knockout or the third place.
    """

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
        """The entrants that will meet, if the match is still to be drawn; empty if it is drawn or decided."""
        return () if self.bout.drawn or self.bout.decided else self.bout.seating


def heat_bouts_changed(
    before: Bracket | Heats, after: Bracket | Heats, ruled: BracketSlot | None = None
) -> tuple[BoutChange, ...]:
    """Return the matches that change, in the order of play.

    A match changes in four cases: other entrants go on from it; another criterion decides it; it is no longer decided;
    or it is still to be drawn, and other entrants will meet. ``ruled`` is the match that the ruling is about. This
    match is always included.
    """
    was = {bout.place: bout for bout in before.bouts if not bout.empty}
    double = any(bout.place.part is Part.FINAL for bout in before.bouts)
    return tuple(
        BoutChange(bout, then.goes_on if (then := was.get(bout.place)) else (), is_last_heat_or_bout(bout, double))
        for bout in after.bouts
        if not bout.empty and (bout.place == ruled or _differs(was.get(bout.place), bout))
    )


def _differs(before: BracketMatch | Heat | None, after: BracketMatch | Heat) -> bool:
    if after.decided or after.drawn:
        was = (set(before.goes_on), before.by) if before else (set(), None)
        return (set(after.goes_on), after.by) != was
    known = isinstance(after, Heat) or len(after.seating) == 2
    return known and (before is None or before.drawn or set(before.seating) != set(after.seating))


def is_last_heat_or_bout(bout: BracketMatch | Heat, double: bool) -> bool:
    """Return whether the winner of ``bout`` plays no further match."""
    if isinstance(bout, Heat):
        return bout.place.of == 1 and not bout.passing
    return bout.place.part is Part.FINAL or (bout.place.of == 1 and not double)

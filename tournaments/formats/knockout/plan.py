"""The slots of a knockout before anybody plays: from which seed or match each player comes.

The size of a bracket is a power of two. If there are fewer entrants, the last seeds are empty, and the best seeds have
a bye in the first round.

In a double elimination, the losers of each round of the winners' bracket enter the losers' bracket, which has two
rounds for each of these rounds. Losers enter at other slots than those in which they played: the first two bits of the
slot are combined by exclusive or with a value that differs between rounds. So, with up to 64 entrants, two entrants
that have met cannot meet again in the losers' bracket until only two of its tables are left.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final, TypeAlias

from tournaments.formats.seating import EntrantsError, seating_table_sizes

# The values that are combined with the first two bits of a slot. One for each round of the winners' bracket, repeated.
DROPS: Final = (0b00, 0b11, 0b10, 0b01)


class EliminationType(StrEnum):
    SINGLE = "single"
    DOUBLE = "double"


class Part(StrEnum):
    """A part of a bracket.

    ``FINAL`` is the grand final of a double elimination. Its second round is called the reset.
    """

    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    THIRD = "third"
    HEATS = "heats"  # all rounds at tables larger than two


@dataclass(frozen=True, slots=True)
class BracketSlot:
    """The slot of a match in a knockout.

    ``round`` is the number of the round in the ``part``, from 1. The round has ``of`` matches, of which this is number
    ``slot``, from 0.
    """

    part: Part
    round: int
    slot: int
    of: int

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "BracketSlot":
        """Read what ``write`` has returned."""
        return cls(Part(data["part"]), data["round"], data["slot"], data["of"])

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)

    @property
    def is_reset(self) -> bool:
        """Whether this is the second grand final, which is played only if the undefeated entrant lost the first."""
        return self.part is Part.FINAL and self.round == 2


class SourceKind(StrEnum):
    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class SlotSource:
    """Where a player of a match comes from: a seed (the best is 1), or the winner or loser of another match."""

    way: SourceKind
    seed: int = 0
    place: BracketSlot | None = None

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "SlotSource":
        """Read what ``write`` has returned."""
        return cls(SourceKind(data["way"]), data["seed"], BracketSlot.read(data["place"]) if data["place"] else None)

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Node:
    """A slot and its two sources.

    Slots of the same ``level`` are played at the same time. If a source is another slot, that slot has a lower level.
    """

    place: BracketSlot
    level: int
    first: SlotSource
    second: SlotSource


@lru_cache(maxsize=32)
def knockout_plan_of(kind: EliminationType, entrants: int, third_place: bool = False) -> tuple[Node, ...]:
    """Return all slots of a knockout, the lowest level first.

    There is a match for the third place only in a single elimination with at least four entrants.

    Raises:
        EntrantsError: there are fewer than two entrants.
    """
    if entrants < 2:
        raise EntrantsError(entrants, 2)
    rounds = (entrants - 1).bit_length()
    nodes = list(_winners(rounds))
    if kind is EliminationType.DOUBLE:
        nodes += [*_losers(rounds), *_finals(rounds)]
    elif third_place and entrants > 3:
        one, other = (
            SlotSource(SourceKind.LOSER, place=BracketSlot(Part.WINNERS, rounds - 1, slot, 2)) for slot in range(2)
        )
        nodes.append(Node(BracketSlot(Part.THIRD, 1, 0, 1), rounds, one, other))
    return tuple(sorted(nodes, key=lambda node: node.level))


def knockout_plan_heat_seeds_dealt(field: Sequence[int], tables: int) -> list[list[int]]:
    """Deal entrants to this number of tables in snake order. ``field`` has the best seed first."""
    tables_dealt: list[list[int]] = [[] for _ in range(tables)]
    whole = len(field) - len(field) % tables
    for index, one in enumerate(field):
        row, at = divmod(index, tables)
        backwards = row % 2 == 1 or index >= whole  # the remainder goes to the last tables
        tables_dealt[-1 - at if backwards else at].append(one)
    return tables_dealt


@cache
def knockout_plan_seed_order(rounds: int) -> tuple[int, ...]:
    """Return the seeds from the top of a bracket to its bottom, e.g. (1, 4, 2, 3) for two rounds.

    The seeds of the two players of a first-round match add up to one more than the number of seeds. The first two seeds
    are in different halves, so they can meet only in the final. Each half is ordered in the same way.
    """
    if rounds == 0:
        return (1,)
    total = 2**rounds + 1
    return tuple(seed for upper in knockout_plan_seed_order(rounds - 1) for seed in (upper, total - upper))


def _winners(rounds: int) -> Iterator[Node]:
    order = knockout_plan_seed_order(rounds)
    for slot in range(2 ** (rounds - 1)):
        one, other = (SlotSource(SourceKind.SEED, seed) for seed in order[2 * slot : 2 * slot + 2])
        yield Node(BracketSlot(Part.WINNERS, 1, slot, 2 ** (rounds - 1)), 1, one, other)
    for number in range(2, rounds + 1):
        yield from _joined(Part.WINNERS, number, number, 2 ** (rounds - number), Part.WINNERS, SourceKind.WINNER)


def _losers(rounds: int) -> Iterator[Node]:
    """Yield the losers' bracket.

    It has two rounds for each round r of the winners' bracket, from r = 2 on. In round 2r - 3, neighbours meet. In
    round 2r - 2, the winners of these matches meet the losers of round r of the winners' bracket.
    """
    for number in range(2, rounds + 1):
        tables = 2 ** (rounds - number)
        bits = rounds - number
        drop = DROPS[(number - 1) % len(DROPS)] << bits >> 2
        way, part = (SourceKind.LOSER, Part.WINNERS) if number == 2 else (SourceKind.WINNER, Part.LOSERS)
        yield from _joined(Part.LOSERS, 2 * number - 3, 2 * number - 2, tables, part, way)
        for slot in range(tables):
            yield Node(
                BracketSlot(Part.LOSERS, 2 * number - 2, slot, tables),
                2 * number - 1,
                SlotSource(SourceKind.LOSER, place=BracketSlot(Part.WINNERS, number, slot ^ drop, tables)),
                SlotSource(SourceKind.WINNER, place=BracketSlot(Part.LOSERS, 2 * number - 3, slot, tables)),
            )


def _finals(rounds: int) -> Iterator[Node]:
    """Yield both grand finals.

    If the undefeated entrant loses the first, both players have one defeat, and the second grand final decides.
    """
    best = SlotSource(SourceKind.WINNER, place=BracketSlot(Part.WINNERS, rounds, 0, 1))
    if rounds == 1:
        rest = SlotSource(SourceKind.LOSER, place=BracketSlot(Part.WINNERS, 1, 0, 1))
    else:
        rest = SlotSource(SourceKind.WINNER, place=BracketSlot(Part.LOSERS, 2 * rounds - 2, 0, 1))
    first = BracketSlot(Part.FINAL, 1, 0, 1)
    yield Node(first, 2 * rounds, best, rest)
    again = BracketSlot(Part.FINAL, 2, 0, 1)
    yield Node(
        again, 2 * rounds + 1, SlotSource(SourceKind.LOSER, place=first), SlotSource(SourceKind.WINNER, place=first)
    )


def _joined(part: Part, number: int, level: int, tables: int, of: Part, way: SourceKind) -> Iterator[Node]:
    """Yield a round of which each match has the winners, or the losers, of two neighbouring matches as players."""
    before = number - 1 if of is part else 1
    for slot in range(tables):
        one, other = (SlotSource(way, place=BracketSlot(of, before, 2 * slot + side, 2 * tables)) for side in range(2))
        yield Node(BracketSlot(part, number, slot, tables), level, one, other)


Path: TypeAlias = tuple[int, ...]  # the half of the bracket, the quarter in this half, and so on; in heats, the table
Place: TypeAlias = tuple[int, Path]  # the tier and the path of a seed; a seed can be moved only within its tier
ROOT: Final[Path] = ()


def knockout_plan_bracket_places(entrants: int) -> list[Place]:
    """Return the place of each seed in a bracket. The best seed comes first."""
    rounds = (entrants - 1).bit_length()
    at = {seed: place for place, seed in enumerate(knockout_plan_seed_order(rounds))}
    return [
        ((seed - 1).bit_length(), tuple(at[seed] >> bit & 1 for bit in reversed(range(rounds))))
        for seed in range(1, entrants + 1)
    ]


def knockout_plan_heat_places(entrants: int, seats: int, smallest: int) -> list[Place]:
    """Return the place of each seed in the first round of heats. The best seed comes first.

    Each seed with a bye has a tier of its own, so that it is not moved.
    """
    sizes = seating_table_sizes(entrants, seats, smallest)
    if sizes is None:
        return [(seed, (0,)) for seed in range(entrants)]
    places: dict[int, Place] = {seed: (-1 - seed, (-1 - seed,)) for seed in range(sizes.byes)}
    for table, seeds in enumerate(knockout_plan_heat_seeds_dealt(range(sizes.byes, entrants), len(sizes.tables))):
        places |= {seed: ((seed - sizes.byes) // len(sizes.tables), (table,)) for seed in seeds}
    return [places[seed] for seed in range(entrants)]


def knockout_plan_seeds_apart(
    order: Sequence[int], groups: Collection[Collection[int]], places: Sequence[Place]
) -> list[int]:
    """Return the entrants in a new seed order that separates the members of each group as far as their tiers allow.

    ``order`` has the best seed first. No entrant is in two of the ``groups``. ``places`` has the place of each seed.

    Each member moves to the half of the bracket that has the fewest members of its group; then to the quarter of this
    half that has the fewest, and so on. If two parts have equally few, the member stays in its own part. If its own
    part is neither of them, it moves to the upper one.
    """
    group_of = {one: number for number, group in enumerate(groups) for one in group}
    sharing = Counter(group_of[one] for one in order if one in group_of)
    mates: Counter[tuple[int, Path]] = Counter()
    placed: dict[int, int] = {}
    for _tier, members in groupby(range(len(order)), key=lambda at: places[at][0]):
        tier = list(members)
        free = _Free({places[at][1]: at for at in tier})
        alone = []
        for at in tier:
            group = group_of.get(order[at], -1)
            if sharing[group] < 2:
                alone.append(at)
                continue
            path = free.take(mates, group, places[at][1])
            mates.update((group, part) for part in _parts(path))
            placed[free.seeds[path]] = order[at]
        moved = [at for at in alone if at in placed]
        placed |= {at: order[at] for at in alone if at not in placed}
        placed |= dict(zip((at for at in tier if at not in placed), (order[at] for at in moved), strict=True))
    return [placed[at] for at in range(len(order))]


class _Free:
    """The free places of a tier. ``left`` has the number of free places in each part of the bracket."""

    def __init__(self, seeds: Mapping[Path, int]) -> None:
        self.seeds = seeds
        self.left = Counter(part for path in seeds for part in _parts(path))
        self.within: dict[Path, list[Path]] = {}
        for part in sorted(self.left):
            self.within.setdefault(part[:-1], []).append(part)

    def take(self, mates: Mapping[tuple[int, Path], int], group: int, own: Path) -> Path:
        """Take a free place for a member of ``group``, and return the path of this place.

        ``own`` is the path of the member's own place. ``mates`` has the number of members of each group in each part.
        """
        part = ROOT
        while part in self.within:
            open_ = [one for one in self.within[part] if self.left[one]]
            part = min(open_, key=lambda one: (mates[group, one], one != own[: len(one)], one))
        self.left.subtract(_parts(part))
        return part


def _parts(path: Path) -> Iterator[Path]:
    return (path[:end] for end in range(1, len(path) + 1))

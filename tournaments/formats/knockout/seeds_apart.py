"""Bots of one author are seeded into different halves of a bracket, its quarters and so on; in heats to different
tables. Seeds change places only within a tier (3 and 4, 5 to 8, 9 to 16, ...; in heats those who are dealt in one
turn), so that the better ones keep what they have earned."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from tournaments.formats.knockout.heats import dealt
from tournaments.formats.knockout.plan import seed_order
from tournaments.formats.sizes import table_sizes

Path: TypeAlias = tuple[int, ...]  # from the whole bracket down: which half, which quarter of it, ...; or which table
Place: TypeAlias = tuple[int, Path]  # of a seed: its tier, and where it stands
ROOT: Final[Path] = ()


def bracket_places(entrants: int) -> list[Place]:
    """Return the place of each seed in a bracket, the best first."""
    rounds = (entrants - 1).bit_length()
    at = {seed: place for place, seed in enumerate(seed_order(rounds))}
    return [
        ((seed - 1).bit_length(), tuple(at[seed] >> bit & 1 for bit in reversed(range(rounds))))
        for seed in range(1, entrants + 1)
    ]


def heat_places(entrants: int, seats: int, smallest: int) -> list[Place]:
    """Return the place of each seed in the first round of heats, the best first; who passes it stays."""
    sizes = table_sizes(entrants, seats, smallest)
    if sizes is None:
        return [(seed, (0,)) for seed in range(entrants)]
    places: dict[int, Place] = {seed: (-1 - seed, (-1 - seed,)) for seed in range(sizes.byes)}
    for table, seeds in enumerate(dealt(range(sizes.byes, entrants), len(sizes.tables))):
        places |= {seed: ((seed - sizes.byes) // len(sizes.tables), (table,)) for seed in seeds}
    return [places[seed] for seed in range(entrants)]


def seeds_apart(order: Sequence[int], groups: Collection[Collection[int]], places: Sequence[Place]) -> list[int]:
    """Return entrants, given from the best seed down, with those of each of the ``groups``, which share nobody, as far
    apart as their tiers allow; ``places``: of the seeds. Each goes where the fewest of its group are, first by halves,
    then by quarters; where that is equal it stays, or goes nearest to the top.
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
    """The places of a tier that are free: ``left`` counts them by each part of the bracket."""

    def __init__(self, seeds: Mapping[Path, int]) -> None:
        self.seeds = seeds
        self.left = Counter(part for path in seeds for part in _parts(path))
        self.within: dict[Path, list[Path]] = {}
        for part in sorted(self.left):
            self.within.setdefault(part[:-1], []).append(part)

    def take(self, mates: Mapping[tuple[int, Path], int], group: int, own: Path) -> Path:
        """Take the place for one of a ``group`` with so many ``mates`` in each part, who would stand at ``own``."""
        part = ROOT
        while part in self.within:
            open_ = [one for one in self.within[part] if self.left[one]]
            part = min(open_, key=lambda one: (mates[group, one], one != own[: len(one)], one))
        self.left.subtract(_parts(part))
        return part


def _parts(path: Path) -> Iterator[Path]:
    return (path[:end] for end in range(1, len(path) + 1))

"""A Swiss round: what is known of each entrant before it, and its tables and byes with the reasons, as data."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tournaments.formats.seating import Seating


@dataclass(frozen=True, slots=True)
class Past:
    """A round that was drawn: its tables in seat order, and who had a bye. Who is in neither was not there."""

    tables: tuple[Seating, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedEntrant:
    """``met``: meetings by opponent. ``sat``: how often in each seat. ``short``: tables smaller than a full one."""

    entrant: int
    score: float
    met: Mapping[int, int]
    sat: tuple[int, ...]
    short: int = 0
    byes: int = 0


def contenders(scores: Mapping[int, float], rounds: Iterable[Past], seats: int) -> list[RankedEntrant]:
    """Return a contender for each entrant that has a score; those who left stay among the opponents of others. Full
    tables have ``seats``.
    """
    met: dict[int, dict[int, int]] = {entrant: {} for entrant in scores}
    sat = {entrant: [0] * seats for entrant in scores}
    short: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    for past in rounds:
        byes.update(past.byes)
        for table in past.tables:
            _sit(table, met, sat)
            if len(table) < seats:
                short.update(table)
    return [
        RankedEntrant(entrant, score, met[entrant], tuple(sat[entrant]), short[entrant], byes[entrant])
        for entrant, score in scores.items()
    ]


def _sit(table: Seating, met: Mapping[int, dict[int, int]], sat: Mapping[int, list[int]]) -> None:
    for seat, entrant in enumerate(table):
        if entrant in met:
            sat[entrant][seat] += 1
            opponents = met[entrant]
            for other in table:
                opponents[other] = opponents.get(other, 0) + 1
            del opponents[entrant]


class Float(StrEnum):
    """How a bot comes to a table whose score group is not its own."""

    NONE = ""
    UP = "up"  # it has fewer points than the group it plays in
    DOWN = "down"  # more


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """One seat, and why: the entrant's points and how often it had had each seat."""

    entrant: int
    score: float
    float: Float
    sat: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rematch:
    """Two entrants who have met ``times`` before."""

    one: int
    other: int
    times: int


@dataclass(frozen=True, slots=True)
class PairedTable:
    """Seats in order, and why they are together.

    ``group`` is the score most of them have (of several, the highest). ``avoided``: whom a bot of this table would have
    met again, had the score groups only been cut in order; that bot comes first. ``repeated``: who meets again here.
    ``despite``: who of a group that is kept apart meets here all the same.
    """

    group: float
    chairs: tuple[SeatAssignment, ...]
    avoided: tuple[Rematch, ...]
    repeated: tuple[Rematch, ...]
    despite: tuple[tuple[int, int], ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "PairedTable":
        """Return the table of which ``write`` gave ``data``."""
        return cls(
            group=data["group"],
            chairs=tuple(
                SeatAssignment(one["entrant"], one["score"], Float(one["float"]), tuple(one["sat"]))
                for one in data["chairs"]
            ),
            avoided=tuple(Rematch(**one) for one in data["avoided"]),
            repeated=tuple(Rematch(**one) for one in data["repeated"]),
            despite=tuple((one, other) for one, other in data.get("despite", ())),
        )

    def write(self) -> dict[str, Any]:
        """Return it as JSON; without ``despite`` where there is nothing to tell, as before there were groups."""
        data = asdict(self)
        if not self.despite:
            del data["despite"]
        return data

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return what exports tell of a seat."""
        chair = next(one for one in self.chairs if one.entrant == entrant)
        return {
            "points_before": chair.score,
            "score_group": self.group,
            "float": chair.float.value,
            "rematches_avoided": sum(one.one == entrant for one in self.avoided),
            "rematches": sum(entrant in (one.one, one.other) for one in self.repeated),
        }

    @property
    def seating(self) -> tuple[int, ...]:
        return tuple(chair.entrant for chair in self.chairs)


@dataclass(frozen=True, slots=True)
class PairedBye:
    """Who sits out and why: nobody had fewer than ``before`` byes, and of those who had as few, ``lowest`` is the
    lowest score."""

    entrant: int
    score: float
    before: int
    lowest: float

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "PairedBye":
        """Return the bye of which ``write`` gave ``data``."""
        return cls(**data)

    def write(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RoundPairings:
    """A round of a Swiss, the best table first."""

    tables: tuple[PairedTable, ...]
    byes: tuple[PairedBye, ...]

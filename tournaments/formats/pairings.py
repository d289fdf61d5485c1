"""The data of a Swiss round: each entrant before the round, and the tables and byes of the round with their reasons."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tournaments.formats.seating import Seating


@dataclass(frozen=True, slots=True)
class Past:
    """A drawn round. Its tables are in seat order. An entrant that has neither a seat nor a bye was absent."""

    tables: tuple[Seating, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedEntrant:
    """An entrant before a round.

    ``met`` has, for each opponent, how often the entrant has met it. ``sat`` has, for each seat, how often the entrant
    has had it. ``short`` is the number of tables with fewer players than a full table at which the entrant has sat.
    """

    entrant: int
    score: float
    met: Mapping[int, int]
    sat: tuple[int, ...]
    short: int = 0
    byes: int = 0


def pairings_contenders_of(scores: Mapping[int, float], rounds: Iterable[Past], seats: int) -> list[RankedEntrant]:
    """Return the points and the history of each entrant that has a score in ``scores``.

    Entrants that left still count as opponents of others. ``seats`` is the number of seats at a full table.
    """
    met: dict[int, dict[int, int]] = {entrant: {} for entrant in scores}
    sat = {entrant: [0] * seats for entrant in scores}
    short: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    for past in rounds:
        byes.update(past.byes)
        for table in past.tables:
            _meetings_count(table, met, sat)
            if len(table) < seats:
                short.update(table)
    return [
        RankedEntrant(entrant, score, met[entrant], tuple(sat[entrant]), short[entrant], byes[entrant])
        for entrant, score in scores.items()
    ]


def _meetings_count(table: Seating, met: Mapping[int, dict[int, int]], sat: Mapping[int, list[int]]) -> None:
    for seat, entrant in enumerate(table):
        if entrant in met:
            sat[entrant][seat] += 1
            opponents = met[entrant]
            for other in table:
                opponents[other] = opponents.get(other, 0) + 1
            del opponents[entrant]


class Float(StrEnum):
    """Whether a bot plays in a score group that is not its own."""

    NONE = ""
    UP = "up"  # the bot has fewer points than the group in which it plays
    DOWN = "down"  # the bot has more points than the group in which it plays


@dataclass(frozen=True, slots=True)
class SeatAssignment:
    """An entrant in its seat, with its points and the number of times that it had each seat before the round."""

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
    """The seats of a table in order, and the reasons why these entrants meet.

    ``group`` is the most frequent score at the table; the highest one if several are equally frequent. ``repeated`` are
    the rematches at this table. ``despite`` are the pairs that meet although their group is kept apart.

    At first, tables are cut from the score groups in order. Then players are swapped to avoid rematches. ``avoided``
    are the rematches that this has avoided for entrants of this table. In each, the entrant of this table comes first.
    """

    group: float
    chairs: tuple[SeatAssignment, ...]
    avoided: tuple[Rematch, ...]
    repeated: tuple[Rematch, ...]
    despite: tuple[tuple[int, int], ...] = ()

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "PairedTable":
        """Read what ``write`` has returned."""
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
        """Return a value for JSON.

        An empty ``despite`` is left out, because rounds that were stored before groups existed do not have it either.
        """
        data = asdict(self)
        if not self.despite:
            del data["despite"]
        return data

    def of_seat(self, entrant: int) -> dict[str, Any]:
        """Return the cells of a seat for exports."""
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
    """A bye and its reasons.

    ``before`` is the number of byes that the entrant had before. ``lowest`` is the lowest score among the entrants with
    at most this number of byes.
    """

    entrant: int
    score: float
    before: int
    lowest: float

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "PairedBye":
        """Read what ``write`` has returned."""
        return cls(**data)

    def write(self) -> dict[str, Any]:
        """Return a value for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RoundPairings:
    """A round of a Swiss, the best table first."""

    tables: tuple[PairedTable, ...]
    byes: tuple[PairedBye, ...]

"""Random pairings as tournaments know them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.contest_luck import contest_luck_lots_drawn
from tournaments.formats.draw_position import (
    Drawn,
    DrawnBye,
    DrawnRound,
    DrawnTable,
    DrawPosition,
    Over,
    StageFacts,
    StageTerms,
)
from tournaments.formats.format import SOME_MEET, Format, Plan, Reasons
from tournaments.formats.seating import EntrantsError


@dataclass(frozen=True, slots=True)
class Lots:
    """Why these met: their places in the order of the lots of the round."""

    places: tuple[int, ...]

    def write(self) -> dict[str, Any]:
        return asdict(self)

    def of_seat(self, entrant: int) -> dict[str, Any]:
        return {}


@dataclass(frozen=True, slots=True)
class Shuffled(DrawPosition):
    """Those present are shuffled and cut into tables; who is left over has a bye."""

    entries: frozenset[int]
    seats: int
    secret: bytes
    number: int

    def draw(self) -> Drawn:
        if len(self.entries) < self.seats:
            raise EntrantsError(len(self.entries), self.seats)
        order = contest_luck_lots_drawn(self.secret, f"random/{self.number}", self.entries)
        full = len(order) - len(order) % self.seats
        tables = [
            DrawnTable(tuple(order[at : at + self.seats]), Lots(tuple(range(at + 1, at + self.seats + 1))).write())
            for at in range(0, full, self.seats)
        ]
        return [DrawnRound(tables, [DrawnBye(entry, {}) for entry in order[full:]])]


class RandomPairing(Format):
    """A number of rounds, each drawn by lot."""

    def plan(self, terms: StageTerms, entries: int) -> Plan | None:
        tables, byes = divmod(entries, terms.players_per_table)
        matches = terms.rounds * tables
        games = matches * terms.blocks * terms.players_per_table
        return Plan(terms.rounds, matches, games, byes=byes) if tables else None

    def position(self, terms: StageTerms, known: StageFacts) -> DrawPosition:
        if known.drawn >= terms.rounds:
            return Over()
        return Shuffled(frozenset(known.present), terms.players_per_table, known.luck, known.next_round)

    def reasons(self, data: Mapping[str, Any]) -> Reasons | None:
        return Lots(tuple(data["places"]))

    def matches_each(self, terms: StageTerms, rounds: int, tables: int, entrants: int, byes: int) -> int | None:
        return rounds - byes


RANDOM_PAIRING: Final = RandomPairing(
    code="random_pairing",
    label="Random pairings",
    summary="Each round is drawn by lot.",
    family="random_pairing",
    tie_breaks=SOME_MEET,
    takes_rounds=True,
    draws_one_by_one=True,
)

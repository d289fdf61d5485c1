"""The luck of every game of a proof, taken again from its records, and the shares with it taken off."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.record import Record
from luck import UNIT, GameAccount, analyse
from luck.adjusting import Adjusted, adjusted
from matches.proof.reading import at
from matches.proof.witness import Watcher
from matches.referee.rotation import block_of, by_seat
from matches.referee.scoring import shares_beaten
from tournaments.facts import TableFact, TableState
from tournaments.proof.state import ChainState


@dataclass(slots=True)
class LuckTaker:
    """Notes the luck of every game by ``value``, by match and by its seats; None of a game that cannot be analysed.
    ``other`` looks too."""

    other: Watcher | None = None
    value: str = ""
    games: dict[str, list[tuple[int, ...] | None]] = field(default_factory=dict)

    def look(self, label: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record) -> None:
        """Analyse one game."""
        found = analyse(record, self.value)
        luck = by_seat(found.luck, index) if isinstance(found, GameAccount) else None
        self.games.setdefault(label, []).append(luck)
        if self.other is not None:
            self.other.look(label, seating, packages, index, record)

    def adjusted(self, state: ChainState) -> dict[int, Adjusted | None]:
        """Return the adjusted results by entry, as the site has them: see ``selectors.adjusted``."""
        shares: defaultdict[int, list[float]] = defaultdict(list)
        luck: defaultdict[int, list[float]] = defaultdict(list)
        lacking: set[int] = set()
        held = state.held
        for table in sorted(state.tables.values(), key=lambda one: (one.round, one.table, one.attempt)):
            if table.state is not TableState.FINISHED or not held.counts(table.match) or table.match in held.given:
                continue
            games = self.games.get(at((table.round, table.table, table.attempt)), [])
            if not games or None in games:
                lacking.update(table.seating)
                continue
            for entry, own, lucky in _blocks(table, [game for game in games if game is not None]):
                shares[entry].append(own)
                luck[entry].append(lucky)
        return {
            entry: None if entry in lacking else adjusted(shares[entry], luck[entry])
            for entry in state.entries
            if not held.annulled(entry)
        }


def _blocks(table: TableFact, games: Sequence[tuple[int, ...]]) -> list[tuple[int, float, float]]:
    """Return of each seat and block its entry, its mean share and its mean luck."""
    seats = len(table.seats)
    beaten = [shares_beaten([seat.places[index] for seat in table.seats]) for index in range(len(games))]
    found = []
    for block in range(block_of(len(games), seats)):
        rotations = range(block * seats, (block + 1) * seats)
        for place, seat in enumerate(table.seats):
            share = sum(float(beaten[index][place]) for index in rotations) / seats
            lucky = sum(games[index][place] for index in rotations) / seats / UNIT
            found.append((seat.entrant, share, lucky))
    return found

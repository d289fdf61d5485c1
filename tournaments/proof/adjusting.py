"""The luck of every game of a proof, taken again from its records, and the shares with it taken off."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.record import Record
from luck import GameAccount, analyse
from luck.adjusting import Adjusted
from matches.proof.played import Watcher
from matches.proof.reading import at
from matches.referee.block_luck import Moments, adjusted_of, blocks_of
from tournaments.facts import TableFact, TableState
from tournaments.proof.state import ChainState


@dataclass(slots=True)
class LuckTaker:
    """Notes the luck of every game by ``value``, by match and by table position; None of a game that cannot be
    analysed. ``other`` looks too."""

    other: Watcher | None = None
    value: str = ""
    games: dict[str, list[Moments | None]] = field(default_factory=dict)

    def look(self, label: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record) -> None:
        """Analyse one game."""
        found = analyse(record, self.value)
        moments = found.luck_moments if isinstance(found, GameAccount) else None
        self.games.setdefault(label, []).append(moments)
        if self.other is not None:
            self.other.look(label, seating, packages, index, record)

    def adjusted(self, state: ChainState) -> dict[int, Adjusted | None]:
        """Return the adjusted results by entry, as the site has them: see ``selectors.adjusted``."""
        blocks: defaultdict[int, list[tuple[float, Sequence[float]]]] = defaultdict(list)
        lacking: set[int] = set()
        held = state.held
        for table in sorted(state.tables.values(), key=lambda one: (one.round, one.table, one.attempt)):
            if table.state is not TableState.FINISHED or not held.counts(table.match) or table.match in held.given:
                continue
            games = self.games.get(at((table.round, table.table, table.attempt)), [])
            if not games or None in games:
                lacking.update(table.seating)
                continue
            for entry, share, moments in _blocks(table, [game for game in games if game is not None]):
                blocks[entry].append((share, moments))
        return {
            entry: None if entry in lacking else adjusted_of(blocks[entry])
            for entry in state.entries
            if not held.annulled(entry)
        }


def _blocks(table: TableFact, games: Sequence[Moments]) -> Iterator[tuple[int, float, Sequence[float]]]:
    """Yield of each block and seat its entry, its mean share and its mean moments of luck."""
    places = [[seat.places[index] for seat in table.seats] for index in range(len(games))]
    for block in blocks_of(list(zip(places, games, strict=True))):
        yield from zip((seat.entrant for seat in table.seats), block.shares, block.moments, strict=True)

"""A knockout stage as a bracket, from the tables drawn so far."""

from collections.abc import Callable, Iterable, Sequence

from tournaments.facts.tables import SeatFact, TableFact, TableState
from tournaments.formats.format import Format
from tournaments.formats.knockout import Bracket, BracketSlot, Heats, HeatShare
from tournaments.formats.terms import StageTerms
from tournaments.standings import Corrections


def bracket(
    kind: Format,
    terms: StageTerms,
    seeds: Sequence[int],
    tables: Iterable[TableFact],
    gone: Sequence[int],
    held: Corrections,
) -> Bracket | Heats:
    """Return the bracket of a stage of the format ``kind``. ``gone``: who plays on no more, in the order in which they
    left.

    Raises:
        EntrantsError: too few have a seed.
    """
    numbers = {entry: number for number, entry in enumerate(seeds, start=1)}
    shares: dict[BracketSlot, list[HeatShare]] = {}
    undecided: set[BracketSlot] = set()
    passed: dict[int, tuple[int, ...]] = {}
    for table in tables:
        if table.match in held.undone:
            continue
        place = place_of(table)
        ruled = table.match in held.given or table.match in held.void
        if table.match in held.open or (table.state is TableState.OPEN and not ruled):
            undecided.add(place)
        passed[place.round] = tuple((table.reasons or {}).get("passing", ()))
        shares[place] = [_share(table, seat, numbers, held) for seat in table.seats]
    return kind.bracket(terms, seeds, shares, undecided, passed, gone)


def misplaced(
    tables: Iterable[TableFact], bracket_without: Callable[[frozenset[int]], Bracket | Heats]
) -> list[TableFact]:
    """Return the tables whose players are not those whom the bracket would put there, in order. ``bracket_without``: as
    if these matches had never been drawn; what follows from a misplaced one may be misplaced too.
    """
    lost: list[TableFact] = []
    rest = list(tables)
    while True:
        bouts = bracket_without(frozenset(one.match for one in lost)).bouts
        players = {bout.place: set(bout.seating) for bout in bouts if not bout.empty}
        wrong = [one for one in rest if set(one.seating) != players.get(place_of(one), set())]
        if not wrong:
            return sorted(lost, key=lambda one: (one.round, one.table))
        lost += wrong
        rest = [one for one in rest if one not in wrong]


def place_of(table: TableFact) -> BracketSlot:
    """Return where in the bracket a table of a knockout stands."""
    assert table.reasons is not None  # noqa: S101  a knockout says of each match where it stands
    return BracketSlot.read(table.reasons["place"])


def _share(table: TableFact, seat: SeatFact, numbers: dict[int, int], held: Corrections) -> HeatShare:
    """Return a player's share of a table; a match that was called off or does not count is decided by the seeds."""
    score, points, forfeited = seat.score, seat.points, seat.forfeited
    if table.match in held.given:
        score, points, forfeited = held.given[table.match].get(seat.entrant, 0), 0, False
    elif table.match in held.void:
        score, points, forfeited = 0, 0, False
    out = held.annulled(seat.entrant) or forfeited
    return HeatShare(seat.entrant, score, points, numbers[seat.entrant], out)

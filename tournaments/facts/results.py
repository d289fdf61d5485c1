"""The results of a stage that count, as they count."""

from collections.abc import Iterable
from fractions import Fraction

from tournaments.facts.tables import TableFact, TableState
from tournaments.standings import Corrections, Result, SeatResult, corrected


def results(tables: Iterable[TableFact], held: Corrections, full: int) -> list[Result]:
    """Return a result for every match that is finished or was given a result by a ruling. Full tables have ``full``
    seats.
    """
    played = [
        Result(
            games=table.blocks * len(table.seats),
            worth=Fraction(full - 1, len(table.seats) - 1),
            seats=tuple(
                SeatResult(
                    *(seat.entrant, seat.score, seat.points, seat.wins, seat.faulty_games, seat.forfeited),
                    places=seat.places,
                )
                for seat in table.seats
            ),
            match=table.match,
            round=table.round,
        )
        for table in tables
        if table.state is TableState.FINISHED or table.match in held.given
    ]
    return corrected(played, held)

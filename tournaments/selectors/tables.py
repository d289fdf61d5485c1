"""The tables of a stage with what was played there, read in one query."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.facts import ByeGiven, Seat, State, Table
from tournaments.models import Bye, Stage

STATES = {MatchState.FINISHED: State.FINISHED, MatchState.CANCELLED: State.CANCELLED}
PLACE = ("match__fixture__round__number", "match__fixture__table", "match__fixture__attempt")
MADE = ("score", "points", "wins", "faulty_games", "forfeited")


def tables_of(
    stage: Stage, entrants: Mapping[int, int], *, annulled: Sequence[int] = (), reasons: bool = False
) -> list[Table]:
    """In the order of their matches; ``entrants`` as by ``results.entrants_of``. Places are read where one of the
    ``annulled`` entries sat, reasons if asked for."""
    match = ("match_id", *PLACE, "match__state", "match__blocks_played")
    more = ("match__fixture__reasons",) if reasons else ()
    rows = (
        MatchSeat.objects.filter(match__fixture__round__stage=stage)
        .order_by("match_id", "index")
        .values_list(*match, "version_id", *MADE, *more)
    )
    places = _places(stage, [version for version, entry in entrants.items() if entry in annulled])
    tables = []
    for number, group in groupby(rows, key=itemgetter(0)):
        seats = list(group)
        _, round_, table, attempt, state, blocks = seats[0][:6]
        tables.append(
            Table(
                match=number,
                round=round_,
                table=table,
                attempt=attempt,
                state=STATES.get(state, State.OPEN),
                blocks=blocks or 0,
                seats=tuple(
                    Seat(
                        *(entrants[version], score or 0, points or 0, wins or 0, faulty, forfeited),
                        places=places.get((number, version), ()),
                    )
                    for version, score, points, wins, faulty, forfeited in (seat[6:12] for seat in seats)
                ),
                reasons=seats[0][12] if reasons else None,
            )
        )
    return tables


def byes_given(stage: Stage) -> list[ByeGiven]:
    """In the order of their rounds."""
    rows = Bye.objects.filter(round__stage=stage).order_by("round__number", "entry")
    return [ByeGiven(*row) for row in rows.values_list("round__number", "entry_id", "points")]


def _places(stage: Stage, annulled: Sequence[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """By match and version, game by game, in the matches at which the ``annulled`` versions sat."""
    if not annulled:
        return {}
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage)
    with_them = seats.filter(match__in=seats.filter(version__in=annulled).values("match"))
    rows = with_them.values_list("match_id", "version_id", "places")
    return {(match, version): tuple(places) for match, version, places in rows}

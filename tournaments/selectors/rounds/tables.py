"""The tables of a stage with what was played there, read in one query."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from django.db.models import Q

from matches.models import MatchState
from matches.models import Seat as MatchSeat
from tournaments.facts import ByeGiven, SeatFact, TableFact, TableState
from tournaments.models import Bye, Stage, SupersededMatch
from tournaments.standings import Corrections

STATES = {MatchState.FINISHED: TableState.FINISHED, MatchState.CANCELLED: TableState.CANCELLED}
MADE = ("score", "points", "wins", "faulty_games", "has_forfeited")


def tables_of(
    stage: Stage,
    entrants: Mapping[int, int],
    *,
    annulled: Sequence[int] = (),
    reasons: bool = False,
    held: Corrections | None = None,
) -> list[TableFact]:
    """Return the tables in force, in the order of their matches; ``entrants`` as by ``results.entrants_of``. Places are
    read where one of the ``annulled`` entries sat, reasons if asked for. ``held``: as if its ``restored`` matches were
    in force too, and its ``released`` ones still to be played.
    """
    places = _places(stage, [version for version, entry in entrants.items() if entry in annulled])
    held = held or Corrections()
    found = _read("fixture", Q(match__fixture__round__stage=stage), entrants, places, reasons, held.released)
    if held.restored:
        gone = Q(match__superseded__stage=stage, match__in=held.restored)
        found += _read("superseded", gone, entrants, places, reasons, held.restored)
    return sorted(found, key=lambda one: one.match)


def tables_gone(stage: Stage, entrants: Mapping[int, int]) -> list[TableFact]:
    """Return those that have lost their place by a ruling and can come back, in the order in which they did."""
    found = {
        one.match: one
        for one in _read("superseded", Q(match__superseded__stage=stage), entrants, {}, True, frozenset())
    }
    rows = SupersededMatch.objects.filter(stage=stage, match__in=found).order_by("pk")
    return [found[match] for match in rows.values_list("match", flat=True)]


def _read(
    where: str,
    which: Q,
    entrants: Mapping[int, int],
    places: Mapping[tuple[int, int], tuple[int, ...]],
    reasons: bool,
    to_play: frozenset[int],
) -> list[TableFact]:
    """Read tables from the rows of "fixture" or "superseded"; called-off matches that are ``to_play`` count as open."""
    at = f"match__{where}__"
    place = (f"{at}round__number" if where == "fixture" else f"{at}round", f"{at}table", f"{at}attempt")
    match = ("match_id", *place, "match__state", "match__blocks_played")
    more = (f"{at}reasons",) if reasons else ()
    rows = MatchSeat.objects.filter(which).order_by("match_id", "index").values_list(*match, "version_id", *MADE, *more)
    tables = []
    for number, group in groupby(rows, key=itemgetter(0)):
        seats = list(group)
        _, round_, table, attempt, state, blocks = seats[0][:6]
        tables.append(
            TableFact(
                match=number,
                round=round_,
                table=table,
                attempt=attempt,
                state=_state(state, number in to_play),
                blocks=blocks or 0,
                seats=tuple(
                    SeatFact(
                        *(entrants[version], score or 0, points or 0, wins or 0, faulty, forfeited),
                        places=places.get((number, version), ()),
                    )
                    for version, score, points, wins, faulty, forfeited in (seat[6:12] for seat in seats)
                ),
                reasons=seats[0][12] if reasons else None,
            )
        )
    return tables


def _state(state: str, to_play: bool) -> TableState:
    known = STATES.get(MatchState(state), TableState.OPEN)
    return TableState.OPEN if to_play and known is TableState.CANCELLED else known


def byes_given(stage: Stage) -> list[ByeGiven]:
    """Return the byes in the order of their rounds."""
    rows = Bye.objects.filter(round__stage=stage).order_by("round__number", "entry")
    return [ByeGiven(*row) for row in rows.values_list("round__number", "entry_id", "points")]


def _places(stage: Stage, annulled: Sequence[int]) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the places by match and version, game by game, in the matches at which the ``annulled`` versions sat."""
    if not annulled:
        return {}
    seats = MatchSeat.objects.filter(match__fixture__round__stage=stage)
    with_them = seats.filter(match__in=seats.filter(version__in=annulled).values("match"))
    rows = with_them.values_list("match_id", "version_id", "places")
    return {(match, version): tuple(places) for match, version, places in rows}

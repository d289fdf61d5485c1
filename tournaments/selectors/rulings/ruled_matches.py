"""What was ruled of single matches of any tournaments, for the pages of bots."""

from collections import defaultdict
from collections.abc import Mapping

from matches.bot_history.selectors import MatchRuling, Ruled
from matches.models import Seat
from tournaments.contest import TOURNAMENT
from tournaments.models import Ruling, SupersededMatch
from tournaments.selectors.rulings.corrections import fact_of
from tournaments.standings import corrections


def matches_corrected(contests: Mapping[int, str]) -> dict[int, MatchRuling]:
    """Return what holds of matches by their number; ``contests``: the name of the contest of each. Three queries at
    most, one where nothing was ruled, none where they are of no tournament.
    """
    cups = {
        int(number): name
        for name in set(contests.values())
        for kind, _, number in [name.partition(".")]
        if kind == TOURNAMENT.name
    }
    made: defaultdict[int, list[Ruling]] = defaultdict(list)
    for ruling in Ruling.objects.filter(tournament__in=cups).order_by("number") if cups else ():
        made[ruling.tournament_id].append(ruling)
    if not made:
        return {}
    gone = set(SupersededMatch.objects.filter(match__in=contests).values_list("match", flat=True))
    found: dict[int, MatchRuling] = {}
    given: dict[int, Mapping[int, float]] = {}
    for cup, rulings in made.items():
        numbers = {one.pk: one.number for one in rulings}
        held = corrections(fact_of(one, numbers) for one in rulings)
        for match in (match for match, name in contests.items() if name == cups[cup]):
            if match in held.void:
                found[match] = MatchRuling(Ruled.VOID)
            elif match in held.open:
                found[match] = MatchRuling(Ruled.REPLAY)
            elif match in gone or match in held.orphans:
                found[match] = MatchRuling(Ruled.SUPERSEDED)
            elif match in held.given:
                given[match] = held.given[match]
    return found | {match: MatchRuling(Ruled.REPLACE, scores) for match, scores in _by_seat(given).items()}


def _by_seat(given: Mapping[int, Mapping[int, float]]) -> dict[int, dict[int, float]]:
    """Return the scores that were given, by seat instead of by entry."""
    entries = {entry for scores in given.values() for entry in scores}
    sat = Seat.objects.filter(match__in=given, version__bot__entries__in=entries)
    seats = sat.values_list("match_id", "index", "version__bot__entries__pk") if given else ()
    found: dict[int, dict[int, float]] = {match: {} for match in given}
    for match, index, entry in seats:
        if entry in given[match]:
            found[match][index] = given[match][entry]
    return found

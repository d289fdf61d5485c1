"""The rulings in effect: how they change a tournament, and how they change single matches on the pages of bots."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import Q

from matches.bot_history.selectors import MatchRuling, Ruled
from matches.models import Seat
from tournaments.models import Ruling, SupersededMatch, Tournament
from tournaments.models.tournament import TOURNAMENT
from tournaments.selectors.rulings.ruling_log import ruling_fact_of, rulings_of
from tournaments.standings import (
    Corrections,
    RulingCode,
    standings_corrections,
    standings_rulings_active,
)


def entries_shut_out_by_rulings(tournament: Tournament, held: Corrections | None = None) -> frozenset[int]:
    """Return the entries that are disqualified, or that the rules withdrew.

    They forfeit the matches that they have not begun, until a ruling reverses this. ``held`` has the corrections to
    use; by default, these are the corrections of the rulings that were made.
    """
    held = ruling_corrections_of(tournament) if held is None else held
    by_rules = tournament.entries.exclude(withdrawn_because="").values_list("pk", flat=True)
    return frozenset(held.disqualified) | frozenset(by_rules)


def entries_kept_out_by_rulings(tournament: Tournament) -> Q:
    """Return the condition for entries that their authors cannot enter again.

    These are the entries that are shut out, or that a ruling withdrew.
    """
    held = ruling_corrections_of(tournament)
    return Q(pk__in=[*held.disqualified, *held.out]) | ~Q(withdrawn_because="")


def ruling_corrections_of(tournament: Tournament) -> Corrections:
    """Return the corrections of all rulings that were made so far."""
    return standings_corrections(rulings_of(tournament))


def matches_corrected_by_rulings(contests: Mapping[int, str]) -> dict[int, MatchRuling]:
    """Return the ruling in effect on each match that has one. ``contests`` maps ids of matches to names of contests.

    Takes at most three queries. Takes one query if there are no rulings, and none if no match belongs to a tournament.
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
        held = standings_corrections(ruling_fact_of(one, numbers) for one in rulings)
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
    """Convert scores by entry to scores by seat."""
    entries = {entry for scores in given.values() for entry in scores}
    sat = Seat.objects.filter(match__in=given, version__bot__entries__in=entries)
    seats = sat.values_list("match_id", "index", "version__bot__entries__pk") if given else ()
    found: dict[int, dict[int, float]] = {match: {} for match in given}
    for match, index, entry in seats:
        if entry in given[match]:
            found[match][index] = given[match][entry]
    return found


def rulings_reversible(tournament: Tournament) -> list[Ruling]:
    """Return the rulings in effect that can be taken back, the last one first.

    Remarks cannot be taken back, because they change nothing.
    """
    numbers = {one.number for one in standings_rulings_active(rulings_of(tournament))}
    found = tournament.rulings.exclude(kind=RulingCode.NOTE.value).select_related("names").order_by("-number")
    return [ruling for ruling in found if ruling.number in numbers]

"""Rulings in effect: what they change of a tournament, and of single matches for the pages of bots."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import Q

from matches.bot_history.selectors import MatchRuling, Ruled
from matches.models import Seat
from tournaments.models import Ruling, SupersededMatch, Tournament
from tournaments.models import Ruling as RulingRow
from tournaments.models.tournament import TOURNAMENT
from tournaments.standings import Corrections, RulingCode, StandingRuling, rulings_corrections


def rulings_of(tournament: Tournament) -> list[StandingRuling]:
    """Return all of them, in order."""
    rows = list(tournament.rulings.all())  # one query for pages, which read them several times
    numbers = {row.pk: row.number for row in rows}
    return [fact_of(row, numbers) for row in rows]


def fact_of(row: RulingRow, numbers: Mapping[int, int]) -> StandingRuling:
    """Return a ruling; ``numbers``: those of all rulings by key."""
    return StandingRuling(
        number=row.number,
        kind=RulingCode(row.kind),
        match=row.match_id,
        entrant=row.entry_id,
        scores={int(entry): score for entry, score in row.data.get("scores", {}).items()},
        annul=row.data.get("annul", False),
        new=row.data.get("new"),
        names=numbers[row.names_id] if row.names_id else None,
    )


def shut_out_of(tournament: Tournament, held: Corrections | None = None) -> frozenset[int]:
    """Return the entries that play nothing more until somebody rules otherwise: disqualified, or withdrawn by the
    rules. What they have not begun to play is lost. ``held``: as if the rulings were these instead of those that were
    made.
    """
    held = corrections_of(tournament) if held is None else held
    by_rules = tournament.entries.exclude(withdrawn_because="").values_list("pk", flat=True)
    return frozenset(held.disqualified) | frozenset(by_rules)


def kept_out_of(tournament: Tournament) -> Q:
    """Return which of its entries cannot enter again by themselves: those that are shut out, or withdrawn by a
    ruling."""
    held = corrections_of(tournament)
    return Q(pk__in=[*held.disqualified, *held.out]) | ~Q(withdrawn_because="")


def corrections_of(tournament: Tournament) -> Corrections:
    """Return what holds after all rulings so far."""
    return rulings_corrections(rulings_of(tournament))


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
        held = rulings_corrections(fact_of(one, numbers) for one in rulings)
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

"""The divisions of the next season, by the final ladder of one, or as a running one stands."""

from collections.abc import Iterable

from bots.models import VersionState
from leagues.divisions import DivisionsFormed, DivisionStanding, DivisionTerms, divisions_formed
from leagues.models import League, Membership, MembershipState, Season, SeasonEntry
from leagues.selectors.ladder import LadderRow, ladder_of


def divisions_next(league: League, last: Season, rows: Iterable[LadderRow] | None = None) -> DivisionsFormed:
    """Return the divisions that the members of ``league`` will be in after ``last``. ``rows``: its ladder, if it has
    been read. How many go up and down was announced with the season; the number and the size of divisions are those
    that the league has now."""
    active = Membership.objects.filter(
        league=league, state=MembershipState.ACTIVE, bot__current__state=VersionState.ACCEPTED
    )
    there = dict.fromkeys(active.order_by("joined_at", "pk").values_list("pk", flat=True))
    if rows is None:
        rows = ladder_of(last, people=False).rows
    ladder = [
        DivisionStanding(row.entry.membership_id, row.entry.division, row.rank, row.is_benched)
        for row in rows
        if row.entry.membership_id in there
    ]
    known = {one.member for one in ladder}
    moves = min(last.division_moves, league.division_size // 2)
    terms = DivisionTerms(league.divisions, league.division_size, moves)
    return divisions_formed(ladder, [one for one in there if one not in known], terms)


def moves_of(season: Season, rows: Iterable[LadderRow]) -> dict[int, int]:
    """Return -1 for members that go up after ``season``, 1 for those that go down, as things stand or as they went;
    nothing for others. ``rows``: its ladder. No query for a season without divisions."""
    if season.divisions == 1:
        return {}
    went: dict[int, tuple[int | None, int]] = {}
    if not season.is_running:
        later = SeasonEntry.objects.filter(season__league=season.league_id, season__number=season.number + 1)
        found = later.values_list("membership", "division_before", "division")
        went = {member: (before, now) for member, before, now in found}
    if not went and season.league.takes_bots:
        formed = divisions_next(season.league, season, rows)
        went = {member: (before, formed.division[member]) for member, before in formed.before.items()}
    moved = ((member, before, now) for member, (before, now) in went.items() if before is not None)
    return {member: (now > before) - (now < before) for member, before, now in moved if now != before}

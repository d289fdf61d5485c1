"""What is believed of an entry before it has played."""

from collections.abc import Collection
from typing import Final

from django.db.models import OuterRef, Subquery

from leagues.models import Membership, Rating, RatingSnapshot, Season, SeasonEntry
from ratings import Prior, new_version

NEWCOMER: Final = Prior()
CARRIED_SD: Final = 0.5  # logits: what a season leaves uncertain about the next, at least


def starting_prior(season: Season, member: Membership, parent: SeasonEntry | None) -> Prior:
    """Start a new version from its parent; a bot that stood on the ladder before from where it stood last, in this
    season or the one before; anyone else as a newcomer."""
    if parent is not None:
        return new_version(parent.pk)
    last = (
        Rating.objects.filter(entry__membership=member, snapshot__season__league=season.league_id)
        .order_by("-snapshot__season__number", "-snapshot__number")
        .first()
    )
    return NEWCOMER if last is None else _carried(last.mean, last.se)


def starting_priors(season: Season) -> dict[int, Prior]:
    """Return the same for bots that have not played in the season, by membership, with four queries; newcomers are left
    out.

    Nearly all stand on the last ladder. All that were kept are gone through only for who does not: of 10,000 bots and
    120 ladders that took PostgreSQL 20 s.
    """
    ladders = RatingSnapshot.objects.filter(season__league=season.league_id)
    newest = Rating.objects.filter(snapshot=ladders.order_by("-season__number", "-number").first())
    carried = {member: _carried(*rating) for member, *rating in newest.values_list("entry__membership", "mean", "se")}
    before = Rating.objects.filter(snapshot__season__league=season.league_id, entry__membership=OuterRef("pk"))
    last = before.order_by("-snapshot__season__number", "-snapshot__number").values("pk")[:1]
    others = Membership.objects.filter(league=season.league_id).exclude(pk__in=newest.values("entry__membership"))
    rated = others.annotate(last=Subquery(last)).filter(last__isnull=False)
    by_rating = dict(rated.values_list("last", "pk"))
    rows = Rating.objects.filter(pk__in=rated.values("last")).values_list("pk", "mean", "se")
    return carried | {by_rating[pk]: _carried(mean, se) for pk, mean, se in rows}


def _carried(mean: float, se: float) -> Prior:
    return Prior(mean=mean, sd=max(se, CARRIED_SD))


def priors_of(entries: Collection[SeasonEntry]) -> dict[int, Prior]:
    """Return the priors as the fit takes them, by entry. One that came back is two: as it was before, by ``earlier``,
    and what it has been since, which starts from that like a new version. So luck that made its author choose it counts
    as much as a parent's rating, and no more.
    """
    priors: dict[int, Prior] = {}
    known = {one.pk: one for one in entries}
    for one in entries:
        parent = None if one.parent_id is None else known[one.parent_id]
        came_from = None if parent is None else parent.pk
        if parent is not None and parent.returned_at and one.joined_at < parent.returned_at:
            came_from = parent.earlier
        priors[one.earlier if one.returned_at else one.pk] = Prior(one.prior_mean, one.prior_sd, came_from)
        if one.returned_at:
            priors[one.pk] = new_version(one.earlier)
    return priors

"""What is believed of a contender before it has played."""

from collections.abc import Collection
from typing import Final

from leagues.models import Contender, Membership, Rating, Season
from ratings import Prior, new_version

CARRIED_SD: Final = 0.5  # logits: what a season leaves uncertain about the next, at least


def starting_prior(season: Season, member: Membership, parent: Contender | None) -> Prior:
    """Start a new version from its parent; a bot that stood on the ladder before from where it stood last, in this
    season or the one before; anyone else as a newcomer."""
    if parent is not None:
        return new_version(parent.pk)
    last = (
        Rating.objects.filter(contender__membership=member, refit__season__league=season.league_id)
        .order_by("-refit__season__number", "-refit__number")
        .first()
    )
    return Prior() if last is None else Prior(mean=last.mean, sd=max(last.se, CARRIED_SD))


def priors_of(contenders: Collection[Contender]) -> dict[int, Prior]:
    """As the fit takes them, by contender. One that came back is two: as it was before, by ``earlier``, and what it has
    been since, which starts from that like a new version. So luck that made its author choose it counts as much as a
    parent's rating, and no more."""
    priors: dict[int, Prior] = {}
    known = {one.pk: one for one in contenders}
    for one in contenders:
        parent = None if one.parent_id is None else known[one.parent_id]
        came_from = None if parent is None else parent.pk
        if parent is not None and parent.returned and one.joined < parent.returned:
            came_from = parent.earlier
        priors[one.earlier if one.returned else one.pk] = Prior(one.prior_mean, one.prior_sd, came_from)
        if one.returned:
            priors[one.pk] = new_version(one.earlier)
    return priors

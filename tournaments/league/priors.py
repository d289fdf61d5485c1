"""What is believed of a contender before it has played."""

from typing import Final

from tournaments.league.models import Contender, Membership, Rating, Season
from tournaments.ratings import Prior, new_version

CARRIED_SD: Final = 0.5  # logits: what a season leaves uncertain about the next, at least


def starting_prior(season: Season, member: Membership, parent: Contender | None) -> Prior:
    """A new version starts from its parent; a bot that stood on the ladder before from where it stood last, in this
    season or the one before; anyone else as a newcomer."""
    if parent is not None:
        return new_version(parent.pk)
    last = (
        Rating.objects.filter(contender__membership=member, refit__season__league=season.league_id)
        .order_by("-refit__season__number", "-refit__number")
        .first()
    )
    return Prior() if last is None else Prior(mean=last.mean, sd=max(last.se, CARRIED_SD))


def prior_of(contender: Contender) -> Prior:
    """As the fit takes it."""
    return Prior(mean=contender.prior_mean, sd=contender.prior_sd, parent=contender.parent_id)

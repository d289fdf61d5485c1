"""Who keeps order beside the organiser, who chooses them."""

from django.contrib.auth import get_user_model
from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext as _

from contests.audience import may_know
from tournaments.errors import TournamentError
from tournaments.models import Tournament


class ArbiterRefused(TournamentError):
    """This user cannot become an arbiter."""

    code = "no_arbiter"
    field = "username"


def arbiter_add(*, tournament: Tournament, username: str) -> None:
    """Let a user rule in the tournament, pause it and withdraw bots; at once, in any state.

    Raises:
        ArbiterRefused: nobody has this name, or who has it may do all that already.
    """
    try:
        user = get_user_model().objects.get_by_natural_key(username)
    except ObjectDoesNotExist:
        user = None
    if user is None or not user.is_active:
        raise ArbiterRefused(_("Nobody here is called “%(name)s”: check the spelling.") % {"name": username})
    if not may_know(user, tournament):
        raise ArbiterRefused(_("%(name)s is no member of the group whose tournament this is.") % {"name": username})
    if user.pk == tournament.organiser_id:
        raise ArbiterRefused(_("%(name)s is the organiser, who may do all that anyway.") % {"name": username})
    if tournament.arbiters.filter(pk=user.pk).exists():
        raise ArbiterRefused(_("%(name)s is an arbiter already.") % {"name": username})
    tournament.arbiters.add(user)


def arbiter_remove(*, tournament: Tournament, user_id: int) -> None:
    """Remove an arbiter; what they have ruled stands."""
    tournament.arbiters.remove(*tournament.arbiters.filter(pk=user_id))

"""Who may look at a match: its page, its records, and the broadcast."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Audience, Game, Match, MatchState, Seat

# The numbers of the matches in which the user with a primary key keeps order beside the organiser.
Ruled: TypeAlias = Callable[[int], QuerySet[Any, Any]]
_RULED: Final[list[Ruled]] = []


def arbiters_register(ruled: Ruled) -> None:
    """Let whoever keeps order in a contest see its matches. A room above, which knows its arbiters, calls this once."""
    if ruled not in _RULED:
        _RULED.append(ruled)


def matches_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Match]:
    """Return those that ``user`` may look at: what is everyone's; what is the authors', if a bot of theirs plays in it;
    and all of them for staff and for whoever organises them or keeps order there."""
    if getattr(user, "is_staff", False):
        return Match.objects.all()
    own = Q(Exists(Seat.objects.filter(match=OuterRef("pk"), version__bot__owner=user.pk)))
    shown = Q(audience=Audience.EVERYONE)
    if user.pk is not None:
        shown |= Q(organiser=user.pk) | _ruled(user.pk) | Q(own, audience=Audience.AUTHORS)
    return Match.objects.filter(shown)


def runs_match(user: AbstractBaseUser | AnonymousUser, match: Match) -> bool:
    """Tell whether ``user`` is staff, organises the match or keeps order there: who is told what went wrong with it."""
    if getattr(user, "is_staff", False):
        return True
    if user.pk is None:
        return False
    return match.organiser_id == user.pk or Match.objects.filter(_ruled(user.pk), pk=match.pk).exists()


def games_shown(match: Match) -> QuerySet[Game]:
    """Return the games of a match that is over. Those of slices before are to be followed live, but keep their
    seeds.
    """
    return match.games.filter(match__state=MatchState.FINISHED)


def matches_public() -> QuerySet[Match]:
    """Return what everyone may look at: for lists."""
    return matches_shown_to(Audience.EVERYONE)


def matches_shown_to(audience: Audience) -> QuerySet[Match]:
    """Return what ``audience`` may look at, and everyone too: for the broadcast, which does not know who is
    listening.
    """
    return Match.objects.filter(audience__in={Audience.EVERYONE, audience})


def _ruled(user: int) -> Q:
    found = Q(pk__in=[])
    for ruled in _RULED:
        found |= Q(pk__in=ruled(user))
    return found

"""Permissions: which tournaments a user may see and list, and who may see results, rule or own a tournament."""

from collections.abc import Container

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from bots.models import Bot
from contests.audience import (
    OPEN,
    audience_groups_managed_by,
    audience_listed_to,
    audience_public,
    audience_shown_to,
    may_see_contest,
)
from contests.permissions import may_organise
from matches.visibility import matches_visible
from teams.selectors import team_owners_of
from tournaments.models import Entry, Fixture, Publication, Tournament, TournamentState, TournamentTemplate


def may_own_tournament(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Return whether ``user`` may change the tournament, as its organiser or as staff."""
    return user.pk is not None and (user.pk == tournament.organiser_id or bool(getattr(user, "is_staff", False)))


def may_rule_tournament(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Return whether ``user`` may make rulings in the tournament, as its organiser, an arbiter or staff."""
    if user.pk is None:
        return False
    return may_own_tournament(user, tournament) or tournament.arbiters.filter(pk=user.pk).exists()


def may_see_tournament_results(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Return whether ``user`` may see pairings, standings and everything derived from them."""
    if not may_see_contest(user, tournament):
        return False
    if tournament.publication == Publication.EVERYONE or may_rule_tournament(user, tournament):
        return True
    takes_part = tournament.publication == Publication.PARTICIPANTS and user.pk is not None
    return takes_part and tournament.entries.filter(bot__owner__in=team_owners_of(user)).exists()


class _Every:
    """A container that contains every id."""

    def __contains__(self, match_id: object) -> bool:
        return True


def tournament_matches_visible(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> Container[int]:
    """Return the ids of the tournament's matches that ``user`` may see.

    If the results are public, the result contains every id. So use it only for tables that ``user`` may see.
    """
    if tournament.publication == Publication.EVERYONE:
        return _Every()
    of_tournament = Q(fixture__round__tournament=tournament) | Q(superseded__ruling__tournament=tournament)
    return frozenset(matches_visible(user).filter(of_tournament).values_list("pk", flat=True))


def tournament_matches_visible_to_arbiter(user: int) -> QuerySet[Fixture, int]:
    """Return the ids of all matches of tournaments in which the user with this id is an arbiter."""
    return Fixture.objects.filter(round__tournament__arbiters=user).values_list("match", flat=True)


def tournaments_for_everyone(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tournament]:
    """Return the tournaments of which ``user`` sees the same as anonymous visitors. ``user`` must not be staff.

    Everyone with the address of such a tournament may see it and its results, and ``user`` has no part in it.
    """
    found = Tournament.objects.filter(publication=Publication.EVERYONE, audience__in=OPEN)
    found = found.exclude(state=TournamentState.DRAFT)
    if user.pk is None:
        return found
    own = Entry.objects.filter(
        tournament=OuterRef("pk"), bot__in=Bot.objects.filter(owner__in=team_owners_of(user)).values("pk")
    )
    return found.exclude(organiser=user.pk).exclude(arbiters=user.pk).exclude(Exists(own))


def tournaments_public_for_everyone() -> QuerySet[Tournament]:
    """Return the tournaments that are listed publicly and whose results are public."""
    return tournaments_for_everyone(AnonymousUser()).filter(audience_public())


def tournaments_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tournament]:
    """Return the tournaments that ``user`` may see if they have the address, newest first.

    Drafts of other organisers and tournaments of groups to which ``user`` does not belong are left out. Do not use it
    for lists: see ``tournaments_listed``.
    """
    return _tournaments(user, audience_shown_to(user))


def tournaments_listed(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tournament]:
    """Return ``tournaments_visible`` without unlisted tournaments of others, for lists, searches and feeds."""
    return _tournaments(user, audience_listed_to(user))


def _tournaments(user: AbstractBaseUser | AnonymousUser, shown: Q) -> QuerySet[Tournament]:
    found = (
        Tournament.objects.select_related("organiser", "ladder_cup", "group")
        .prefetch_related("stages")
        .order_by("-created_at", "-pk")
    )
    if getattr(user, "is_staff", False):
        return found
    return found.filter(~Q(state=TournamentState.DRAFT) & shown | Q(organiser=user.pk))


def tournament_templates_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[TournamentTemplate]:
    """Return the templates that ``user`` may use, rename and delete.

    These are the user's own templates, and those of groups in which the user is an organiser.
    """
    if not may_organise(user):
        return TournamentTemplate.objects.none()
    theirs = Q(organiser=user.pk) | Q(group__in=audience_groups_managed_by(user))
    return TournamentTemplate.objects.filter(theirs).select_related("group")

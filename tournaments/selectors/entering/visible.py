"""Permissions: who sees which tournaments, and who runs them."""

from collections.abc import Container
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from bots.models import Bot
from contests.audience import OPEN, groups_managed_by, listed_to, may_know, public_alone, shown_to, takes_bots_of
from contests.permissions import may_organise
from leagues.models import Membership, MembershipState
from matches.visibility import matches_visible
from teams.selectors import owners_of
from tournaments.models import Entry, Fixture, Publication, Tournament, TournamentState, TournamentTemplate


def may_own(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Tell whether ``user`` decides what the tournament is: its organiser, and staff."""
    return user.pk is not None and (user.pk == tournament.organiser_id or bool(getattr(user, "is_staff", False)))


def may_rule(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Tell whether ``user`` keeps order in the tournament: who may own it, and its arbiters."""
    if user.pk is None:
        return False
    return may_own(user, tournament) or tournament.arbiters.filter(pk=user.pk).exists()


def may_see_results(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> bool:
    """Tell whether pairings, standings and what is made of them are shown to ``user`` yet."""
    if not may_know(user, tournament):
        return False
    if tournament.publication == Publication.EVERYONE or may_rule(user, tournament):
        return True
    takes_part = tournament.publication == Publication.PARTICIPANTS and user.pk is not None
    return takes_part and tournament.entries.filter(bot__owner__in=owners_of(user)).exists()


def bots_offered(tournament: Tournament) -> Q:
    """Return which bots its organiser may enter beside their own: house bots, those whose authors let organisers enter
    them, and in a cup of a league those in the league, if who joins that has agreed to it. Of a group's tournament only
    those of its members."""
    agreed = Membership.objects.filter(
        state=MembershipState.ACTIVE, league__enters_cups=True, league__seasons__cups__tournament=tournament
    )
    offered = Q(is_house=True) | Q(organisers_may_enter=True) | Q(pk__in=agreed.values("bot"))
    return offered & takes_bots_of(tournament)


class _Every:
    """Holds everything."""

    def __contains__(self, match_id: object) -> bool:
        return True


def matches_readable(user: AbstractBaseUser | AnonymousUser, tournament: Tournament) -> Container[int]:
    """Return the numbers of those matches of the tournament that ``user`` may look at, of all whose tables are shown
    to it.
    """
    if tournament.publication == Publication.EVERYONE:
        return _Every()
    of_tournament = Q(fixture__round__tournament=tournament) | Q(superseded__ruling__tournament=tournament)
    return frozenset(matches_visible(user).filter(of_tournament).values_list("pk", flat=True))


def matches_ruled(user: int) -> QuerySet[Fixture, int]:
    """Return the numbers of all matches of tournaments that the user with this primary key is an arbiter of."""
    return Fixture.objects.filter(round__tournament__arbiters=user).values_list("match", flat=True)


def everyones(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tournament]:
    """Return the tournaments that anyone with their address may see with their results, and in which ``user``, who is
    not of the staff, has no part: of those it is told what strangers are."""
    found = Tournament.objects.filter(publication=Publication.EVERYONE, audience__in=OPEN)
    found = found.exclude(state=TournamentState.DRAFT)
    if user.pk is None:
        return found
    own = Entry.objects.filter(
        tournament=OuterRef("pk"), bot__in=Bot.objects.filter(owner__in=owners_of(user)).values("pk")
    )
    return found.exclude(organiser=user.pk).exclude(arbiters=user.pk).exclude(Exists(own))


def entries_counted(**which: Any) -> Coalesce:
    """Return how many such entries an outer tournament has. To join them would group by all of its columns."""
    entries = Entry.objects.filter(tournament=OuterRef("pk"), **which).order_by()
    return Coalesce(Subquery(entries.values("tournament").annotate(count=Count("pk")).values("count")), 0)


def everyones_public() -> QuerySet[Tournament]:
    """Return the tournaments that are listed with their results to everyone."""
    return everyones(AnonymousUser()).filter(public_alone())


def tournaments_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tournament]:
    """Return the tournaments that ``user`` may see who has their address, newest first: without other people's drafts,
    and those of other people's groups. Not for lists."""
    return _tournaments(user, shown_to(user))


def tournaments_listed(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Tournament]:
    """Return what ``tournaments_visible`` does for lists, searches and feeds: without other people's unlisted ones."""
    return _tournaments(user, listed_to(user))


def _tournaments(user: AbstractBaseUser | AnonymousUser, shown: Q) -> QuerySet[Tournament]:
    found = (
        Tournament.objects.select_related("organiser", "ladder_cup", "group")
        .prefetch_related("stages")
        .order_by("-created_at", "-pk")
    )
    if getattr(user, "is_staff", False):
        return found
    return found.filter(~Q(state=TournamentState.DRAFT) & shown | Q(organiser=user.pk))


def with_counts(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Return ``tournaments``, each with ``entry_count``: how many bots take part."""
    return tournaments.annotate(entry_count=entries_counted(is_withdrawn=False))


def templates_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[TournamentTemplate]:
    """Return the templates that ``user`` may start tournaments from, rename and delete: their own, and those of the
    groups in which they organise."""
    if not may_organise(user):
        return TournamentTemplate.objects.none()
    theirs = Q(organiser=user.pk) | Q(group__in=groups_managed_by(user))
    return TournamentTemplate.objects.filter(theirs).select_related("group")

"""Who may look at a match: its page, its records, and the broadcast."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, TypedDict

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from contests.audience import ContestAudience, WithAudience, audience_groups_of_team
from groups.models import GroupMember
from groups.selectors import groups_of, is_in_groups
from matches.models import OPEN_AUDIENCES, Audience, Game, Match, MatchState, Seat
from teams.selectors import team_owners_of, team_people_behind

# The numbers of the matches in which the user with a primary key keeps order beside the organiser.
Ruled: TypeAlias = Callable[[int], QuerySet[Any, Any]]
_RULED: Final[list[Ruled]] = []
_SHARED: Final[list[Ruled]] = []


def visibility_arbiters_register(ruled: Ruled) -> None:
    """Let the arbiters of a contest see its matches. A room above, which knows its arbiters, calls this once."""
    if ruled not in _RULED:
        _RULED.append(ruled)


def visibility_sharers_register(shared: Ruled) -> None:
    """Let who has a share in what a bot played for see the match as its authors do, whosever the bot is by now. A room
    above, which knows them, calls this once."""
    if shared not in _SHARED:
        _SHARED.append(shared)


def matches_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Match]:
    """Return those that ``user`` may look at: what anyone with the address may; what is a group's, if they are in it;
    what is the authors', if a bot of theirs plays in it; and all of them for staff and for those who organise them or
    keeps order there. Of a group's nobody looks at any who is not in it, but its organiser and staff."""
    if getattr(user, "is_staff", False):
        return Match.objects.all()
    own = Q(Exists(Seat.objects.filter(match=OuterRef("pk"), version__bot__owner__in=team_owners_of(user))))
    shown = Q(audience__in=OPEN_AUDIENCES)
    if user.pk is not None:
        in_group = matches_visible_in_group_of(user)
        as_author = (own | _of(_SHARED, user.pk)) & Q(audience=Audience.AUTHORS)
        shown |= Q(organiser=user.pk) | (Q(audience=Audience.GROUP) | _of(_RULED, user.pk) | as_author) & in_group
    return Match.objects.filter(shown)


def matches_visible_in_group_of(user: AbstractBaseUser | AnonymousUser, path: str = "") -> Q:
    """Return which matches ``user`` may be shown as far as their group goes: of no group, or of one of theirs. ``path``
    leads to the match."""
    of_none = Q((f"{path}group__isnull", True))
    return of_none | Q((f"{path}group__in", groups_of(user))) if is_in_groups(user) else of_none


def visibility_runs_match(user: AbstractBaseUser | AnonymousUser, match: Match) -> bool:
    """Tell whether ``user`` is staff, organises the match or keeps order there: who is told what went wrong with it."""
    if getattr(user, "is_staff", False):
        return True
    if user.pk is None:
        return False
    return match.organiser_id == user.pk or Match.objects.filter(_of(_RULED, user.pk), pk=match.pk).exists()


def match_games_visible(match: Match) -> QuerySet[Game]:
    """Return the games of a match that is over. Those of slices before are to be followed live, but keep their
    seeds.
    """
    return match.games.filter(match__state=MatchState.FINISHED)


def matches_visible_to_everyone() -> QuerySet[Match]:
    """Return what is listed to everyone: for lists."""
    return Match.objects.filter(audience=Audience.EVERYONE)


def matches_visible_to_audience(audience: Audience) -> QuerySet[Match]:
    """Return what ``audience`` may look at, and anyone with the address too: for the broadcast, which does not know who
    is listening.
    """
    return Match.objects.filter(audience__in={*OPEN_AUDIENCES, audience})


class MatchAudience(TypedDict):
    """Who may look at matches, as ``matches.services`` take it."""

    audience: Audience
    group_id: int | None


_OF_CONTESTS: Final = {
    ContestAudience.PUBLIC: Audience.EVERYONE,
    ContestAudience.UNLISTED: Audience.UNLISTED,
    ContestAudience.GROUP: Audience.GROUP,
}


def visibility_audience(contest: WithAudience, narrower: Audience | None = None) -> MatchAudience:
    """Return who may look at matches of ``contest``: who sees it, or of those fewer."""
    audience = narrower or _OF_CONTESTS[ContestAudience(contest.audience)]
    return {"audience": audience, "group_id": contest.group_id}


def matches_visible_to_author(author_id: int, path: str = "match__") -> Q:
    """Return which matches the author with this key may look at, of those with a bot of theirs. ``path`` leads to the
    match. A team looks at those of a group only as long as all of its people are in it."""
    groups = GroupMember.objects.filter(person=author_id).values("group")
    of_team = audience_groups_of_team(author_id).values("pk")
    in_group = Q((f"{path}group__isnull", True)) | Q((f"{path}group__in", groups)) | Q((f"{path}group__in", of_team))
    return Q((f"{path}audience__in", [*OPEN_AUDIENCES, Audience.AUTHORS, Audience.GROUP])) & in_group


def visibility_recipients(people: Iterable[int], match: Match) -> set[int]:
    """Return those of ``people``, by their keys, who may be told of ``match`` as far as its group goes; of a group's,
    the members of teams in place of the teams."""
    told = set(people)
    if match.group_id is None:
        return told
    told = team_people_behind(told)
    members = set(GroupMember.objects.filter(group=match.group_id, person__in=told).values_list("person", flat=True))
    return {person for person in told if person in members or person == match.organiser_id}


def _of(registered: Iterable[Ruled], user: int) -> Q:
    found = Q(pk__in=[])
    for one in registered:
        found |= Q(pk__in=one(user))
    return found

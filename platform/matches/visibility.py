"""Who may see a match: its page, its records and its broadcast."""

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, TypedDict

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from contests.audience import ContestAudience, WithAudience, audience_groups_of_team
from groups.models import GroupMember
from groups.selectors import groups_of, is_in_groups
from matches.models import OPEN_AUDIENCES, Audience, Game, Match, MatchState, Seat
from teams.selectors import team_owners_of, team_people_behind

# Takes the primary key of a user, and returns the ids of matches.
Ruled: TypeAlias = Callable[[int], QuerySet[Any, Any]]
_RULED: Final[list[Ruled]] = []
_SHARED: Final[list[Ruled]] = []


def visibility_arbiters_register(ruled: Ruled) -> None:
    """Let arbiters see and run their matches. ``ruled`` takes an arbiter and returns the ids of the matches.

    The room above that knows the arbiters calls this once.
    """
    if ruled not in _RULED:
        _RULED.append(ruled)


def visibility_sharers_register(shared: Ruled) -> None:
    """Let users see matches as authors do, if they have a share in what a bot played for.

    They may see these matches even if another user owns the bot now. ``shared`` takes a user and returns the ids of the
    matches. The room above calls this once.
    """
    if shared not in _SHARED:
        _SHARED.append(shared)


def matches_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Match]:
    """Return the matches that ``user`` may see.

    Everyone sees open matches. If the audience allows it, members see matches of their groups, and authors see matches
    of their bots. Organisers, arbiters and staff see the matches that they run, whatever the audience. If a match has a
    group, only its members, the organiser and staff may see the match.
    """
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
    """Return a filter for matches without a group, or of a group of ``user``.

    ``path`` is the path of lookups to the match.
    """
    of_none = Q((f"{path}group__isnull", True))
    return of_none | Q((f"{path}group__in", groups_of(user))) if is_in_groups(user) else of_none


def visibility_runs_match(user: AbstractBaseUser | AnonymousUser, match: Match) -> bool:
    """Return whether ``user`` is staff, or the organiser or an arbiter of the match.

    Such users may see the faults in the match and run it.
    """
    if getattr(user, "is_staff", False):
        return True
    if user.pk is None:
        return False
    return match.organiser_id == user.pk or Match.objects.filter(_of(_RULED, user.pk), pk=match.pk).exists()


def match_games_visible(match: Match) -> QuerySet[Game]:
    """Return the games of a finished match; none for other matches.

    A running match may only be followed live, because the seeds of its games must stay secret.
    """
    return match.games.filter(match__state=MatchState.FINISHED)


def matches_visible_to_everyone() -> QuerySet[Match]:
    """Return the matches that are listed publicly."""
    return Match.objects.filter(audience=Audience.EVERYONE)


def matches_visible_to_audience(audience: Audience) -> QuerySet[Match]:
    """Return the matches that ``audience`` may see, including those for anyone with the address.

    Broadcasts use this, because they do not know the reader.
    """
    return Match.objects.filter(audience__in={*OPEN_AUDIENCES, audience})


class MatchAudience(TypedDict):
    """The audience of matches, as arguments for ``matches.services``."""

    audience: Audience
    group_id: int | None


_OF_CONTESTS: Final = {
    ContestAudience.PUBLIC: Audience.EVERYONE,
    ContestAudience.UNLISTED: Audience.UNLISTED,
    ContestAudience.GROUP: Audience.GROUP,
}


def visibility_audience(contest: WithAudience, narrower: Audience | None = None) -> MatchAudience:
    """Return the audience for matches of ``contest``: ``narrower`` if it is given, otherwise that of the contest."""
    audience = narrower or _OF_CONTESTS[ContestAudience(contest.audience)]
    return {"audience": audience, "group_id": contest.group_id}


def matches_visible_to_author(author_id: int, path: str = "match__") -> Q:
    """Return a filter for the matches that this author may see, among those with a bot of theirs.

    ``path`` is the path of lookups to the match. A team sees matches of a group only while all of its members are in
    the group.
    """
    groups = GroupMember.objects.filter(person=author_id).values("group")
    of_team = audience_groups_of_team(author_id).values("pk")
    in_group = Q((f"{path}group__isnull", True)) | Q((f"{path}group__in", groups)) | Q((f"{path}group__in", of_team))
    return Q((f"{path}audience__in", [*OPEN_AUDIENCES, Audience.AUTHORS, Audience.GROUP])) & in_group


def visibility_recipients(people: Iterable[int], match: Match) -> set[int]:
    """Return those of ``people`` who may be notified of ``match``. People are given as primary keys.

    If the match has a group, teams are replaced by those of their members who are in the group.
    """
    recipients = set(people)
    if match.group_id is None:
        return recipients
    recipients = team_people_behind(recipients)
    members = set(
        GroupMember.objects.filter(group=match.group_id, person__in=recipients).values_list("person", flat=True)
    )
    return {person for person in recipients if person in members or person == match.organiser_id}


def _of(registered: Iterable[Ruled], user: int) -> Q:
    found = Q(pk__in=[])
    for one in registered:
        found |= Q(pk__in=one(user))
    return found

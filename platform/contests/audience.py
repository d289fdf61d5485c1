"""Who may see a contest. Pages, lists, feeds and services of tournaments and leagues all use this one rule.

The functions that return a condition take a ``path`` from the filtered rows to the contest, e.g. ``"tournament__"``.
The conditions add no queries, because the groups of a person are a subquery.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.template import Context
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bots.aliases import owners_under_alias
from bots.models import Bot
from groups.models import Group, GroupMember, GroupRole
from groups.selectors import groups_of, is_in_groups
from teams.models import TeamMember
from teams.selectors import acts_for_owner

Visitor = AbstractBaseUser | AnonymousUser


class ContestAudience(models.TextChoices):
    """Who may see a contest, in addition to its organiser and staff.

    ``OPENING`` has the values in order. The value with the fewest people comes first.
    """

    PUBLIC = "public", _("everyone")
    UNLISTED = "unlisted", _("anyone with the link")
    GROUP = "group", _("members of a group")


OPENING: Final = (ContestAudience.GROUP, ContestAudience.UNLISTED, ContestAudience.PUBLIC)
OPEN: Final = (ContestAudience.PUBLIC, ContestAudience.UNLISTED)  # visible to everybody with the address


def audience_widens(contest: "WithAudience", audience: str, group_id: int | None) -> bool:
    """Return whether everybody who may see ``contest`` may still see it with this audience and group."""
    if audience == contest.audience:
        return group_id == contest.group_id
    return OPENING.index(ContestAudience(audience)) > OPENING.index(ContestAudience(contest.audience))


class WithAudience(models.Model):
    """A model with an audience. ``group`` is set exactly if the audience is a group."""

    audience = models.CharField(
        _("who can see it"),
        max_length=10,
        choices=ContestAudience.choices,
        default=ContestAudience.PUBLIC,
        db_default=ContestAudience.PUBLIC.value,
    )
    group = models.ForeignKey(
        Group, models.PROTECT, null=True, blank=True, related_name="%(class)ss", verbose_name=_("group")
    )

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        """Whether everybody with the address may see the contest, even without signing in."""
        return self.audience != ContestAudience.GROUP

    @property
    def is_unlisted(self) -> bool:
        return self.audience == ContestAudience.UNLISTED


def audience_group_data(contest: WithAudience) -> dict[str, str]:
    """Return {"group": slug} for event data if the contest belongs to a group; otherwise {}."""
    return {} if contest.group is None else {"group": contest.group.slug}


def audience_constraints(name: str) -> list[models.CheckConstraint]:
    """Return the constraints of a model with an audience. ``name`` is the prefix of their names."""
    of_group = Q(audience=ContestAudience.GROUP)
    return [
        models.CheckConstraint(condition=Q(audience__in=ContestAudience.values), name=f"{name}_audience_known"),
        models.CheckConstraint(
            condition=(of_group & Q(group__isnull=False)) | (~of_group & Q(group__isnull=True)),
            name=f"{name}_of_a_group_has_it",
        ),
    ]


def audience_public(path: str = "") -> Q:
    """Return the condition for contests that everybody finds in lists, searches and feeds, and on other pages."""
    return Q((f"{path}audience", ContestAudience.PUBLIC))


def audience_listed_to(user: Visitor, path: str = "") -> Q:
    """Return the condition for contests in the lists of ``user``: public ones, and those of the user's groups."""
    return audience_public(path) | _of_groups(user, path)


def audience_shown_to(user: Visitor, path: str = "") -> Q:
    """Return the condition for contests that ``user`` may see with their address.

    It does not cover what ``user`` may see as an organiser or as staff.
    """
    return Q((f"{path}audience__in", OPEN)) | _of_groups(user, path)


def _of_groups(user: Visitor, path: str) -> Q:
    return Q((f"{path}group__in", groups_of(user))) if is_in_groups(user) else Q(pk__in=[])


def audience_shown_beside(user: Visitor, owner_id: int, path: str = "") -> Q:
    """Return the condition for contests that pages about a bot of ``owner_id`` show to ``user``.

    These are the contests that ``user`` finds in lists. The owner of the bot sees all contests that the owner may see.
    """
    return audience_shown_to(user, path) if acts_for_owner(user, owner_id) else audience_listed_to(user, path)


def may_see_contest(user: Visitor, contest: Any) -> bool:
    """Return whether ``user`` is in the audience of ``contest``, or is its organiser or staff.

    Takes a query only for a contest of a group.
    """
    if contest.is_open or contest.organiser_id == user.pk or getattr(user, "is_staff", False):
        return True
    return user.pk is not None and audience_members_of(contest).filter(person=user.pk).exists()


def people_who_may_see_contest(people: Collection[int], contest: Any) -> set[int]:
    """Return those of ``people`` for whom ``may_see_contest`` is true. People are given by primary keys.

    Teams are not replaced by their members; call ``team_people_behind`` for this before. Takes no query for an open
    contest.
    """
    known = set(people)
    if contest.is_open:
        return known
    members = set(audience_members_of(contest).values_list("person", flat=True))
    staff = get_user_model().objects.filter(pk__in=known - members, is_staff=True)
    return known & {contest.organiser_id, *members, *staff.values_list("pk", flat=True)}


def audience_members_of(contest: WithAudience) -> QuerySet[GroupMember]:
    """Return the members of the contest's group."""
    return GroupMember.objects.filter(group=contest.group_id)


def audience_bots(contest: WithAudience) -> Q:
    """Return the condition for bots that may enter because of their owner.

    An open contest accepts all bots without an alias. A contest of a group accepts house bots, bots of members, and
    bots of teams whose people are all members. If the group uses aliases, the bot of a member needs an alias of this
    group. No contest accepts a bot with an alias of another group.
    """
    if contest.is_open:
        return Q(alias_group=None)
    of_members = Q(owner__in=audience_members_of(contest).values("person"))
    inside = of_members | _is_team_within(OuterRef("owner"), contest.group_id)
    known = Q(alias_group=contest.group_id) | (Q(alias_group=None) & ~owners_under_alias(contest.group_id))
    return Q(is_house=True) | (inside & known)


def audience_refusal(contest: WithAudience, bot: Bot) -> tuple[str, str] | None:
    """Return a code and a message if ``bot`` may not enter because of its owner; None if it may.

    See ``audience_bots``. Takes no query for an open contest.
    """
    if bot.alias_group_id not in (None, contest.group_id):
        sentence = gettext("%(bot)s has an alias for events of another group: upload another bot for this one.")
    elif contest.is_open or Bot.objects.filter(audience_bots(contest), pk=bot.pk).exists():
        return None
    elif bot.alias_group_id or not Bot.objects.filter(owners_under_alias(contest.group_id), pk=bot.pk).exists():
        return "not_a_member", audience_members_only_message(bot.name)
    else:
        sentence = gettext(
            "%(bot)s shows your user name, and this group uses aliases: upload it as a new bot, and choose your alias"
            " there under “For”."
        )
    return "alias", sentence % {"bot": bot.name}


def audience_outsiders(path: str, owner: str) -> Q:
    """Return the condition for bots in a contest of a group whose owners are not, or no longer, members of the group.

    ``path`` leads from the filtered rows to the contest, and ``owner`` leads from them to the owner of the bot.
    """
    member = GroupMember.objects.filter(group=OuterRef(f"{path}group"), person=OuterRef(owner))
    team = _is_team_within(OuterRef(owner), OuterRef(OuterRef(f"{path}group")))
    house = f"{owner.removesuffix('owner')}is_house"
    return Q(~Exists(member), ~team, (f"{path}audience", ContestAudience.GROUP), (house, False))


def _is_team_within(account: Any, group: Any) -> Q:
    """Return the condition that ``account`` is a team whose people are all members of ``group``.

    If they refer to an outer query, ``account`` must be an ``OuterRef``, and ``group`` an ``OuterRef(OuterRef())``.
    """
    people = TeamMember.objects.filter(team=account)
    inside = GroupMember.objects.filter(group=group, person=OuterRef("person"))
    return Q(Exists(people), ~Exists(people.filter(~Exists(inside))))


def audience_groups_of_team(team_id: int) -> QuerySet[Group]:
    """Return the groups that have all people of the team as members; none if ``team_id`` is not a team."""
    return Group.objects.filter(_is_team_within(team_id, OuterRef(OuterRef("pk"))))


def audience_members_only_message(bot: str) -> str:
    """Return the message that a bot with this name may not enter."""
    return gettext("%(bot)s cannot take part: only bots of the group's members can.") % {"bot": bot}


def audience_groups_managed_by(user: Visitor) -> QuerySet[Group]:
    """Return the open groups for which ``user`` may hold contests, as their owner or as a member of their staff."""
    managed = GroupMember.objects.filter(person=user.pk, role__in=[GroupRole.OWNER, GroupRole.STAFF])
    return Group.objects.filter(pk__in=managed.values("group"), closed_at__isnull=True).order_by("name", "pk")


def audience_contest_count_panel_of(
    kind: str, listed: Callable[[Visitor], QuerySet[Any]], counted: Any
) -> Callable[[Context, Group], dict[str, Any]]:
    """Return the description of a panel that says how many contests of ``kind`` a group has; see ``web.panels``.

    ``listed`` returns the contests in the lists of a user. ``counted`` is an ``ngettext_lazy`` text with the number
    "count". The contests of all groups on a page are counted once.
    """
    cached_as = f"contests.{kind}.counts"

    def describe(context: Context, group: Group) -> dict[str, Any]:
        cache = context.render_context
        if cached_as not in cache:
            found = listed(context["user"]).filter(group__in=[one.group_id for one in context["mine"]])
            rows = found.model._default_manager.filter(pk__in=found.order_by().values("pk")).order_by()
            cache[cached_as] = dict(rows.values_list("group").annotate(Count("pk")))
        count = cache[cached_as].get(group.pk, 0)
        return {"contests": counted % {"count": count} if count else ""}

    return describe

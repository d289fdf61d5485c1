"""Aliases: bots whose author is shown under an alias in a group.

The alias is chosen when a bot is created, and never changes. A bot that was shown with its author's name can get no
alias. For a bot with an alias, pages, files and messages never show the author's name. ``contests.audience`` lets a bot
with an alias enter only contests of its group.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from bots.bot_names import BadName
from bots.models import AUTHOR_ALIAS_MOST
from groups.models import Group, GroupMember, GroupRole
from teams.models import TeamMember
from teams.selectors import team_people_by_account
from web.name_keys import name_key

SHORT: Final = 2  # characters; user names of this length or shorter are ignored, because they occur in too many words


@dataclass(frozen=True, slots=True)
class AuthorAlias:
    """The alias of an author, a person or a team, in a group. The alias of a team joins the aliases of its members."""

    group: Group
    name: str


def author_aliases(owner_id: int) -> list[AuthorAlias]:
    """Return the aliases of a person or a team, sorted by the names of the groups. Two queries.

    People who manage a group have no alias in it. A team has an alias if all its people are members of the group, and
    at least one of them has an alias.
    """
    people = team_people_by_account([owner_id])[owner_id]
    members: dict[Group, list[GroupMember]] = {}
    found = GroupMember.objects.filter(person__in=people, group__uses_aliases=True, group__closed_at=None)
    for one in found.select_related("group", "person").order_by("group__name", "group"):
        members.setdefault(one.group, []).append(one)
    return [
        AuthorAlias(group, _joined(of_group))
        for group, of_group in members.items()
        if len(of_group) == len(people) and any(is_under_alias(one) for one in of_group)
    ]


def is_under_alias(member: GroupMember) -> bool:
    """Return whether a member of a group with aliases is shown under an alias."""
    return bool(member.alias) and not member.manages


def _joined(members: list[GroupMember]) -> str:
    names = sorted(one.alias if is_under_alias(one) else one.person.get_username() for one in members)
    shown = ", ".join(names)
    return shown if len(shown) <= AUTHOR_ALIAS_MOST else f"{shown[: AUTHOR_ALIAS_MOST - 1]}…"


def owners_under_alias(group: Any) -> Q:
    """Return the condition that a bot's owner has an alias in ``group``, which is a key or a reference."""
    hidden = GroupMember.objects.filter(group=group, group__uses_aliases=True, role=GroupRole.MEMBER).exclude(alias="")
    people = hidden.values("person")
    return Q(owner__in=people) | Q(Exists(TeamMember.objects.filter(team=OuterRef("owner"), person__in=people)))


def alias_secrecy_require(owner_id: int, *texts: str) -> None:
    """Reject texts that are shown beside an alias if they contain a user name that the alias hides.

    Raises:
        BadName: a text contains such a name.
    """
    people = team_people_by_account([owner_id])[owner_id] | {owner_id}
    for name in get_user_model().objects.filter(pk__in=people).values_list("username", flat=True):
        key = name_key(name)
        if len(key) > SHORT and any(key in name_key(text) for text in texts):
            raise BadName(_("This contains your user name, which the alias hides. Leave it out."))

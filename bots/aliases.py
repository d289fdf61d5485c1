"""Bots whose author is known by an alias in a group.

It is chosen when a bot is created and never changes: a bot that was once seen with the author's name has no alias, and
no page, file or message of a bot with an alias ever had another name. ``contests.audience`` lets such a bot take part
in contests of its group alone.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from bots.models import AUTHOR_ALIAS_MOST
from bots.names import BadName
from groups.models import Group, GroupMember, GroupRole
from teams.models import TeamMember
from teams.selectors import people_by_account
from web.name_keys import name_key

SHORT: Final = 2  # letters of a user name that is found in too many words


@dataclass(frozen=True, slots=True)
class AuthorAlias:
    """What an author, a person or a team, is called in a group; of a team the aliases of its people."""

    group: Group
    name: str


def author_aliases(owner_id: int) -> list[AuthorAlias]:
    """Return the aliases of a person, or of a team, by the names of the groups. Those who look after a group are known
    by their names there; a team has an alias where all its people are members and somebody has one. Two queries."""
    people = people_by_account([owner_id])[owner_id]
    members: dict[Group, list[GroupMember]] = {}
    found = GroupMember.objects.filter(person__in=people, group__uses_aliases=True, group__closed_at=None)
    for one in found.select_related("group", "person").order_by("group__name", "group"):
        members.setdefault(one.group, []).append(one)
    return [
        AuthorAlias(group, _joined(of_group))
        for group, of_group in members.items()
        if len(of_group) == len(people) and any(is_hidden(one) for one in of_group)
    ]


def is_hidden(member: GroupMember) -> bool:
    """Tell whether a member of a group with aliases is known by theirs."""
    return bool(member.alias) and not member.manages


def _joined(members: list[GroupMember]) -> str:
    names = sorted(one.alias if is_hidden(one) else one.person.get_username() for one in members)
    shown = ", ".join(names)
    return shown if len(shown) <= AUTHOR_ALIAS_MOST else f"{shown[: AUTHOR_ALIAS_MOST - 1]}…"


def hidden_owners(group: Any) -> Q:
    """Return of bots which have an owner who is known by an alias in ``group`` (a key, or a reference)."""
    hidden = GroupMember.objects.filter(group=group, group__uses_aliases=True, role=GroupRole.MEMBER).exclude(alias="")
    people = hidden.values("person")
    return Q(owner__in=people) | Q(Exists(TeamMember.objects.filter(team=OuterRef("owner"), person__in=people)))


def alias_keep(owner_id: int, *texts: str) -> None:
    """Refuse texts that everybody reads beside the alias if they contain a name that it hides.

    Raises:
        BadName: one does.
    """
    people = people_by_account([owner_id])[owner_id] | {owner_id}
    for name in get_user_model().objects.filter(pk__in=people).values_list("username", flat=True):
        key = name_key(name)
        if len(key) > SHORT and any(key in name_key(text) for text in texts):
            raise BadName(_("This tells your user name, which the alias is to hide. Leave it out."))

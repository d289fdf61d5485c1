"""Aliases: what members of a group are called where their names are not to be seen."""

import secrets
from typing import Final

from groups.models import Group, GroupMember, RosterRow
from web.name_keys import name_key

BIRDS: Final = (
    *("Avocet", "Bittern", "Bunting", "Crane", "Curlew", "Dipper", "Dunlin", "Finch", "Godwit", "Heron", "Kestrel"),
    *("Lapwing", "Linnet", "Martin", "Merlin", "Osprey", "Pipit", "Plover", "Raven", "Robin", "Siskin", "Swift"),
    *("Teal", "Tern", "Thrush", "Wagtail", "Warbler", "Wren"),
)
BATCH: Final = 500  # rows


def aliases_taken(group: Group) -> set[str]:
    """Return the keys of all aliases of members and of people on the roster."""
    of_members = GroupMember.objects.filter(group=group).exclude(alias="").values_list("alias", flat=True)
    of_rows = RosterRow.objects.filter(group=group).exclude(alias="").values_list("alias", flat=True)
    return {name_key(alias) for alias in (*of_members, *of_rows)}


def alias_new(taken: set[str]) -> str:
    """Return an alias whose key is not among ``taken``, and add it there."""
    span = 90
    while True:
        alias = f"{secrets.choice(BIRDS)} {10 + secrets.randbelow(span)}"
        if name_key(alias) not in taken:
            taken.add(name_key(alias))
            return alias
        span *= 2


def aliases_fill(group: Group) -> None:
    """Give an alias to each member who has none, if the group uses them."""
    if not group.uses_aliases:
        return
    lacking = list(GroupMember.objects.filter(group=group, alias=""))
    taken = aliases_taken(group) if lacking else set()
    for member in lacking:
        member.alias = alias_new(taken)
        member.alias_key = name_key(member.alias)
    GroupMember.objects.bulk_update(lacking, ["alias", "alias_key"], batch_size=BATCH)

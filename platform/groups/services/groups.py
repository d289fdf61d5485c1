"""Services for groups: create and change them, pass them on when their owner is deleted, and tell apps who left."""

import secrets
from collections.abc import Callable
from typing import Final, TypeAlias

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from groups.errors import TooManyGroups
from groups.models import Group, GroupMember, GroupRole, MemberAct, MemberChange
from groups.selectors import group_aliases_taken, may_create_groups
from web.name_keys import name_check, name_key
from web.page_cache import pages_forget


def group_locked(group: Group) -> Group:
    """Lock the group until the end of the transaction, so that its members do not change. Return its current row."""
    return Group.objects.select_for_update(no_key=True).get(pk=group.pk)


GROUPS_MOST = 100  # groups of one person
RESERVED_SLUGS = ("new", "join")
TRIES = 5


def group_create(
    *, by: AbstractUser, name: str, kind: str, is_listed: bool = False, uses_aliases: bool = False
) -> Group:
    """Create a group with ``by`` as its owner.

    Raises:
        PermissionDenied: ``by`` is neither an organiser nor staff.
        BadName, TooManyGroups: see there.
    """
    if not may_create_groups(by):
        raise PermissionDenied
    name_check(name, owner_id=by.pk)
    for tried in range(TRIES):
        group = Group(name=name, kind=kind, is_listed=is_listed, uses_aliases=uses_aliases, created_by_id=by.pk)
        group.slug = _free_slug(name)
        try:
            with transaction.atomic():
                # With this lock, concurrent requests are counted one by one.
                get_user_model().objects.select_for_update(no_key=True).get(pk=by.pk)
                if Group.objects.filter(created_by=by.pk, closed_at=None).count() >= GROUPS_MOST:
                    raise TooManyGroups(GROUPS_MOST)
                group.save(force_insert=True)
                GroupMember.objects.create(group=group, person_id=by.pk, role=GroupRole.OWNER)
                MemberChange.objects.create(
                    group=group, person_id=by.pk, by_id=by.pk, act=MemberAct.JOINED, role=GroupRole.OWNER
                )
                group_aliases_fill(group)
        except IntegrityError:  # another group got the slug meanwhile
            if tried == TRIES - 1:
                raise
        else:
            return group
    raise AssertionError


def group_update(*, group: Group, by: AbstractUser, name: str, kind: str, is_listed: bool, uses_aliases: bool) -> Group:
    """Change a group. Its address does not change. If aliases are turned on, each member without an alias gets one.

    Raises:
        BadName: see there.
    """
    if name != group.name:
        name_check(name, owner_id=by.pk)
    with transaction.atomic():
        group = group_locked(group)
        if group.is_listed and not is_listed:
            pages_forget()
        group.name, group.kind, group.is_listed, group.uses_aliases = name, kind, is_listed, uses_aliases
        group.save(update_fields=["name", "kind", "is_listed", "uses_aliases"])
        group_aliases_fill(group)
    return group


def group_uploads_set(*, group: Group, are_large: bool) -> bool:
    """Allow the members of a group larger uploads, or no longer allow them. Existing uploads are kept. Only staff of
    the site may do this.

    Return whether anything changed.
    """
    changed = Group.objects.filter(pk=group.pk).exclude(has_large_uploads=are_large)
    return bool(changed.update(has_large_uploads=are_large))


def _free_slug(name: str) -> str:
    base = slugify(name)[:80].strip("-") or "group"
    taken = {*RESERVED_SLUGS, *Group.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


BIRDS: Final = (
    *("Avocet", "Bittern", "Bunting", "Crane", "Curlew", "Dipper", "Dunlin", "Finch", "Godwit", "Heron", "Kestrel"),
    *("Lapwing", "Linnet", "Martin", "Merlin", "Osprey", "Pipit", "Plover", "Raven", "Robin", "Siskin", "Swift"),
    *("Teal", "Tern", "Thrush", "Wagtail", "Warbler", "Wren"),
)
BATCH: Final = 500  # rows


def group_alias_new(taken: set[str]) -> str:
    """Return an alias whose key is not in ``taken``, and add this key to ``taken``."""
    span = 90
    while True:
        alias = f"{secrets.choice(BIRDS)} {10 + secrets.randbelow(span)}"
        if name_key(alias) not in taken:
            taken.add(name_key(alias))
            return alias
        span *= 2


def group_aliases_fill(group: Group) -> None:
    """Give an alias to each member without one, if the group uses aliases."""
    if not group.uses_aliases:
        return
    lacking = list(GroupMember.objects.filter(group=group, alias=""))
    taken = group_aliases_taken(group) if lacking else set()
    for member in lacking:
        member.alias = group_alias_new(taken)
        member.alias_key = name_key(member.alias)
    GroupMember.objects.bulk_update(lacking, ["alias", "alias_key"], batch_size=BATCH)


OnLeave: TypeAlias = Callable[[Group, int], None]

_CALLED: Final[list[OnLeave]] = []


def group_member_left_register(callback: OnLeave) -> None:
    """Register a callback for members who leave.

    The callback gets the group and the person's primary key. It is called in the transaction in which the person
    leaves. If it raises an error, the person stays a member. It may be called several times for the same person, who
    may come back meanwhile.
    """
    if callback not in _CALLED:
        _CALLED.append(callback)


def group_member_left_notify(group: Group, person_id: int) -> None:
    """Call all registered callbacks."""
    assert transaction.get_connection().in_atomic_block  # noqa: S101  they stand or fall together
    for callback in _CALLED:
        callback(group, person_id)

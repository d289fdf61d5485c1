"""Groups and their people, as they are read."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet

from groups.models import Group, GroupMember


def groups_of(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Group]:
    """Return the groups in which ``user`` is owner, staff or member; none for strangers. It may stand in a condition:
    ``Q(group__in=groups_of(user))``."""
    if user.pk is None:
        return Group.objects.none()
    return Group.objects.filter(pk__in=GroupMember.objects.filter(person=user.pk).values("group"))


def member_of(user: AbstractBaseUser | AnonymousUser, group: Group) -> GroupMember | None:
    """Return the membership of ``user`` in ``group``, or None."""
    if user.pk is None:
        return None
    return GroupMember.objects.filter(group=group, person=user.pk).first()

"""Who may do what with a group. Staff of the site may do what its owner may."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from groups.models import Group, GroupRole
from groups.selectors import member_of

Visitor = AbstractBaseUser | AnonymousUser


def is_member(user: Visitor, group: Group) -> bool:
    """Tell whether ``user`` belongs to the group, in whatever role."""
    return member_of(user, group) is not None


def may_see(user: Visitor, group: Group) -> bool:
    """Tell whether ``user`` may open the group's own page: members and staff of the site."""
    return is_site_staff(user) or is_member(user, group)


def may_manage(user: Visitor, group: Group) -> bool:
    """Tell whether ``user`` looks after members, the roster and the ways in: owners and staff of the group."""
    if is_site_staff(user):
        return True
    member = member_of(user, group)
    return member is not None and member.manages and user.is_active


def may_own(user: Visitor, group: Group) -> bool:
    """Tell whether ``user`` may change the group itself and the roles in it: its owners."""
    if is_site_staff(user):
        return True
    member = member_of(user, group)
    return member is not None and member.role == GroupRole.OWNER and user.is_active


def may_create(user: Visitor) -> bool:
    """Tell whether ``user`` may create groups: organisers and staff of the site."""
    return user.is_active and bool(getattr(user, "is_organiser", False) or is_site_staff(user))


def is_site_staff(user: Visitor) -> bool:
    return user.is_active and bool(getattr(user, "is_staff", False))

"""Permissions: who may see and manage assignments, and see the matches of markings and practice."""

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from assignments.models import Assignment, PracticeRun, ReferenceMark
from groups.models import Group, GroupMember, GroupRole
from groups.selectors import groups_of, is_site_staff

Visitor = AbstractBaseUser | AnonymousUser
MANAGERS = (GroupRole.OWNER, GroupRole.STAFF)


def assignments_visible(user: Visitor) -> QuerySet[Assignment]:
    """Return the assignments that ``user`` may see: opened ones of their groups, and all of groups that they manage."""
    found = Assignment.objects.select_related("group")
    if is_site_staff(user):
        return found
    if user.pk is None:
        return found.none()
    return found.filter(
        Q(group__in=groups_of(user), opens_at__lte=timezone.now()) | Q(group__in=assignment_groups_managed_by(user.pk))
    )


def assignments_in(group: Group, user: Visitor) -> QuerySet[Assignment]:
    """Return the assignments of a group that ``user`` may see, sorted by due time."""
    return assignments_visible(user).filter(group=group).order_by("due_at", "pk")


def assignment_groups_managed_by(user: int) -> QuerySet[GroupMember, int]:
    """Return the groups that the user with this primary key manages."""
    return GroupMember.objects.filter(person=user, role__in=MANAGERS).values_list("group", flat=True)


def assignment_matches_visible_to_staff(user: int) -> QuerySet[ReferenceMark, int | None]:
    """Return the primary keys of the marking matches in groups that the user manages."""
    marks = ReferenceMark.objects.filter(
        marking__assignment__group__in=assignment_groups_managed_by(user), match__isnull=False
    )
    return marks.values_list("match", flat=True)


def practice_runs_visible_to_staff(user: int) -> QuerySet[PracticeRun, int]:
    """Return the primary keys of the practice matches in groups that the user manages."""
    runs = PracticeRun.objects.filter(reference__assignment__group__in=assignment_groups_managed_by(user))
    return runs.values_list("match", flat=True)


def assignment_matches_visible_to_sharers(user: int) -> QuerySet[ReferenceMark, int | None]:
    """Return the primary keys of the marking matches whose mark the user shares. A user who has left the team keeps the
    mark.
    """
    share = {"marking__assignment__people__person": user, "marking__assignment__people__account": F("marking__student")}
    return ReferenceMark.objects.filter(match__isnull=False, **share).values_list("match", flat=True)

"""Permissions: who may see and manage assignments, see their matches, and hand in which bot."""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from assignments.models import Assignment, PracticeRun, ReferenceMark
from bots.models import Bot
from bots.selectors import bots_of, bots_of_user_and_teams
from groups.models import Group, GroupMember, GroupRole
from groups.selectors import groups_of, is_group_member, is_site_staff, may_manage_group
from teams.selectors import acts_for_owner

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


def assignment_marks_visible_to_staff(user: int) -> QuerySet[ReferenceMark, int | None]:
    """Return the primary keys of the marking matches in groups that the user manages."""
    marks = ReferenceMark.objects.filter(
        marking__assignment__group__in=assignment_groups_managed_by(user), match__isnull=False
    )
    return marks.values_list("match", flat=True)


def practice_runs_visible_to_staff(user: int) -> QuerySet[PracticeRun, int]:
    """Return the primary keys of the practice matches in groups that the user manages."""
    runs = PracticeRun.objects.filter(reference__assignment__group__in=assignment_groups_managed_by(user))
    return runs.values_list("match", flat=True)


def assignment_marks_visible_to_sharers(user: int) -> QuerySet[ReferenceMark, int | None]:
    """Return the primary keys of the marking matches whose mark the user shares, even after leaving the team."""
    share = {"marking__assignment__people__person": user, "marking__assignment__people__account": F("marking__student")}
    return ReferenceMark.objects.filter(match__isnull=False, **share).values_list("match", flat=True)


__all__ = ["bots_to_hand_in", "is_group_member", "is_own_hand_in_bot", "may_hand_in", "may_manage_group"]


def is_own_hand_in_bot(person: Any, bot: Bot) -> bool:
    """Return whether ``bot`` is the person's own: only then they may hand it in alone or use a version as a
    reference."""
    return not bot.is_house and bot.deleted_at is None and bot.owner_id == person.pk


def may_hand_in(person: Any, bot: Bot, assignment: Assignment) -> bool:
    """Return whether ``person`` may hand in ``bot``: their own, or one of their teams' if teams may hand in."""
    if assignment.team_size == 1:
        return is_own_hand_in_bot(person, bot)
    return not bot.is_house and bot.deleted_at is None and acts_for_owner(person, bot.owner_id)


def bots_to_hand_in(person: Any, assignment: Assignment) -> QuerySet[Bot]:
    """Return the bots that ``person`` may hand in; see ``may_hand_in``."""
    bots = bots_of_user_and_teams(person) if assignment.team_size > 1 else bots_of(person)
    return bots.filter(game=assignment.game, is_house=False, deleted_at=None)

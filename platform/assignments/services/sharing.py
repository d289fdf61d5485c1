"""Services that keep track of who shares a hand-in: the members of the team, until it is marked."""

from collections.abc import Collection

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from assignments.errors import AssignmentRefused
from assignments.models import Assignment, HandIn, HandInPerson, Marking, PracticeRun
from assignments.selectors.hand_ins import assignment_deadline_of, due_extensions_of
from assignments.services.assignments import assignment_locked
from groups.models import GroupMember
from teams.models import TeamMember
from teams.selectors import team_people_by_account
from web.database import database_rows


def hand_in_sharing_require(assignment: Assignment, account_id: int, people: Collection[int]) -> None:
    """Require that these people may hand in together under the account. Call it with the assignment locked.

    Raises:
        AssignmentRefused: there are too many, or one of them is not in the group, shares another hand-in, or joined the
            team too late.
    """
    if len(people) > assignment.team_size:
        sentence = ngettext(
            "A team that hands in together can have %(most)d person at most.",
            "A team that hands in together can have %(most)d people at most.",
            assignment.team_size,
        )
        raise AssignmentRefused("team_size", sentence % {"most": assignment.team_size}, "bot")
    inside = GroupMember.objects.filter(group=assignment.group_id, person__in=people).values_list("person", flat=True)
    if outside := set(people) - set(inside):
        sentence = _("%(names)s of this team is not in the group. Everybody in the team must be.")
        raise AssignmentRefused("not_member", sentence % {"names": _names(outside)}, "bot")
    elsewhere = HandInPerson.objects.filter(assignment=assignment, person__in=people).exclude(account=account_id)
    if others := set(elsewhere.values_list("person", flat=True)):
        sentence = _("%(names)s has handed in another bot already. Take that back first.")
        raise AssignmentRefused("handed_in", sentence % {"names": _names(others)}, "bot")
    if late := _came_late(assignment, account_id, people):
        sentence = _("%(names)s joined the team when it was too late to hand in.")
        raise AssignmentRefused("too_late", sentence % {"names": _names(late)}, "bot")


def hand_in_sharing_renew(assignment: Assignment, account_id: int) -> None:
    """Update who shares a hand-in, unless it is marked: the current members of the team who are in the group. New
    members get no share if they share another hand-in, if the team is too large, or if they joined too late. May be
    repeated.
    """
    team = team_people_by_account([account_id])[account_id]
    members = GroupMember.objects.filter(group=assignment.group_id, person__in=team)
    people = set(members.values_list("person", flat=True))
    rows = HandInPerson.objects.filter(assignment=assignment, account=account_id)
    if people == set(rows.values_list("person", flat=True)):
        return
    with transaction.atomic():
        now = assignment_locked(assignment.pk)
        if Marking.objects.filter(assignment=now, student=account_id).exists():
            return
        rows.exclude(person__in=people).delete()
        taken = HandInPerson.objects.filter(assignment=now).values("person")
        in_time = people - _came_late(now, account_id, people)
        free = members.filter(person__in=in_time).exclude(person__in=taken)
        room = max(0, now.team_size - rows.count())
        HandInPerson.objects.bulk_create(
            HandInPerson(assignment=now, account_id=account_id, person_id=pk)
            for pk in free.order_by("pk").values_list("person", flat=True)[:room]
        )


def hand_in_shares_forget(assignment: Assignment) -> None:
    """Delete unmarked hand-ins whose bot was deleted, with their shares."""
    marked = Marking.objects.filter(assignment=assignment).values("student")
    HandIn.objects.filter(assignment=assignment, bot__deleted_at__isnull=False).exclude(student__in=marked).delete()
    known = HandIn.objects.filter(assignment=assignment).values("student")
    HandInPerson.objects.filter(assignment=assignment).exclude(account__in=marked).exclude(account__in=known).delete()


def hand_in_sharing_marks_keep(*, account_id: int) -> None:
    """Keep the marks of people who share the hand-ins of an account that is about to be deleted. The marks pass to the
    first of these people.
    """
    marked = Marking.objects.filter(student=account_id).values("assignment")
    shares = HandInPerson.objects.filter(account=account_id, assignment__in=marked).exclude(person=account_id)
    heirs: dict[int, int] = {}
    for assignment, person in shares.order_by("pk").values_list("assignment", "person"):
        heirs.setdefault(assignment, person)
    for assignment_id, heir in heirs.items():
        Marking.objects.filter(assignment=assignment_id, student=account_id).update(student=heir)
        runs = PracticeRun.objects.filter(reference__assignment=assignment_id)
        database_rows(runs).filter(student=account_id).update(student=heir)
        HandInPerson.objects.filter(assignment=assignment_id, account=account_id).update(account=heir)


def _came_late(assignment: Assignment, account_id: int, people: Collection[int]) -> set[int]:
    """Return the people who joined the team after their own last day. The extensions of other members do not give them
    more time.
    """
    members = TeamMember.objects.filter(team=account_id, person__in=people).exclude(
        person__in=HandInPerson.objects.filter(assignment=assignment, account=account_id).values("person")
    )
    joined, extensions = dict(members.values_list("person", "joined_at")), due_extensions_of(assignment)
    return {one for one, at in joined.items() if at >= assignment_deadline_of(assignment, extensions.get(one)).ends_at}


def _names(people: Collection[int]) -> str:
    found = get_user_model().objects.filter(pk__in=people).order_by("username")
    return ", ".join(one.get_username() for one in found)

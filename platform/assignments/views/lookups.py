"""Look up the assignment of an address, if the user may see it. Outsiders get a 404."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from assignments.models import Assignment
from assignments.selectors.marks import StudentRow, student_row_of
from assignments.selectors.visible import assignments_visible
from groups.selectors import may_manage_group


def seen_assignment(request: HttpRequest, pk: int, slug: str | None = None) -> Assignment:
    """Return the assignment for the group's staff, and for members after it has opened."""
    found = get_object_or_404(assignments_visible(request.user), pk=pk)
    if slug is not None and found.group.slug != slug:
        raise Http404
    return found


def managed_assignment(request: HttpRequest, pk: int, slug: str | None = None) -> Assignment:
    """Return the assignment for owners and staff of its group. Members get a 403."""
    found = seen_assignment(request, pk, slug)
    if not may_manage_group(request.user, found.group):
        raise PermissionDenied(_("Only owners and staff of this group may do this."))
    return found


def seen_student_row(assignment: Assignment, **person: Any) -> StudentRow:
    """Return the row of a student for staff. The student is found by fields of their account, and must be a member or
    have been marked.
    """
    found = get_object_or_404(get_user_model(), **person)
    row = student_row_of(assignment, found, published_only=False)
    if row.member is None and row.marking is None:
        raise Http404
    return row

"""Services that change assignments, hand-ins and marks, for views, the API and tasks."""

from assignments.errors import AssignmentRefused
from assignments.services.assignments import (
    ReferenceChosen,
    assignment_create,
    assignment_delete,
    assignment_update,
)
from assignments.services.handing_in import hand_in_extension_create, hand_in_submit, hand_in_withdraw
from assignments.services.marking import (
    assignment_secret_publish,
    mark_decide,
    marking_renew,
    marking_start,
    marks_decide_by_share,
    marks_publish,
)
from assignments.services.sharing import hand_in_sharing_marks_keep
from assignments.services.sweep import assignment_practice_start, assignments_tend

__all__ = [
    "AssignmentRefused",
    "ReferenceChosen",
    "assignment_create",
    "assignment_delete",
    "assignment_practice_start",
    "assignment_secret_publish",
    "assignment_update",
    "assignments_tend",
    "hand_in_extension_create",
    "hand_in_sharing_marks_keep",
    "hand_in_submit",
    "hand_in_withdraw",
    "mark_decide",
    "marking_renew",
    "marking_start",
    "marks_decide_by_share",
    "marks_publish",
]

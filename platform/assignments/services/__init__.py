"""Change assignments: what views, the API and tasks call."""

from assignments.errors import AssignmentRefused
from assignments.services.assignments import (
    ReferenceChosen,
    assignment_create,
    assignment_delete,
    assignment_update,
)
from assignments.services.handing_in import extension_create, hand_in_submit, hand_in_withdraw
from assignments.services.marking import (
    mark_decide,
    marking_renew,
    marking_start,
    marks_decide_by_share,
    marks_publish,
    secret_publish,
)
from assignments.services.sharing import marks_keep
from assignments.services.tending import assignments_tend, practice_start

__all__ = [
    "AssignmentRefused",
    "ReferenceChosen",
    "assignment_create",
    "assignment_delete",
    "assignment_update",
    "assignments_tend",
    "extension_create",
    "hand_in_submit",
    "hand_in_withdraw",
    "mark_decide",
    "marking_renew",
    "marking_start",
    "marks_decide_by_share",
    "marks_keep",
    "marks_publish",
    "practice_start",
    "secret_publish",
]

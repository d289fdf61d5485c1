"""One change of an assignment at a time."""

from assignments.models import Assignment


def locked(assignment_id: int) -> Assignment:
    """Return the assignment as it is now, and keep others from changing it until this transaction ends."""
    return Assignment.objects.select_for_update(no_key=True).get(pk=assignment_id)

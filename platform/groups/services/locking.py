"""One change of a group's people at a time."""

from groups.models import Group


def locked(group: Group) -> Group:
    """Return the group as it is now, and keep others from changing its people until this transaction ends."""
    return Group.objects.select_for_update(no_key=True).get(pk=group.pk)

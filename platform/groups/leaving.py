"""What other rooms do when somebody leaves a group or is removed. They register it when they start (decision 10)."""

from collections.abc import Callable
from typing import Final, TypeAlias

from django.db import transaction

from groups.models import Group

OnLeave: TypeAlias = Callable[[Group, int], None]

_CALLED: Final[list[OnLeave]] = []


def member_left_register(callback: OnLeave) -> None:
    """Call ``callback`` with the group and the primary key of the person who left it, in the transaction of that; what
    it raises undoes it. It may be called again for the same person, who may have come back meanwhile."""
    if callback not in _CALLED:
        _CALLED.append(callback)


def others_tell(group: Group, person_id: int) -> None:
    """Tell all that have registered."""
    assert transaction.get_connection().in_atomic_block  # noqa: S101  they stand or fall together
    for callback in _CALLED:
        callback(group, person_id)

"""What other rooms do when people come into a team or a team ends. They register it when they start (decision 10)."""

from collections.abc import Callable
from typing import Final, TypeAlias

OnChange: TypeAlias = Callable[[int], None]

_DISSOLVED: Final[list[OnChange]] = []


def team_dissolved_register(callback: OnChange) -> None:
    """Call ``callback`` with the primary key of a team whose last member leaves, in the transaction of that, before its
    account is deleted."""
    if callback not in _DISSOLVED:
        _DISSOLVED.append(callback)


def dissolution_tell(team_id: int) -> None:
    """Call all that have registered."""
    for callback in _DISSOLVED:
        callback(team_id)

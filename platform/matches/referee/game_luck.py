"""The luck of a game, for a stopping rule that takes it off."""

from games.record import Record
from matches.referee.rotation import by_seat
from matches.referee.stopping import Sequential, StoppingError


def luck_of_first(record: Record, index: int, rule: Sequential | None) -> float:
    """Return the luck that the first seat had in game ``index`` of a series, as a share of opponents beaten.

    0 where ``rule`` takes no luck off, or where the value cannot tell it, as of a game that the platform ended.

    Raises:
        StoppingError: the rule's value is not that of the game.
    """
    if rule is None or not rule.luck_value:
        return 0.0
    from luck import UNIT, GameAccount, analyse  # numpy and tables of every turn: most series never need them

    found = analyse(record)
    if not isinstance(found, GameAccount):
        return 0.0
    if found.value != rule.luck_value:
        raise StoppingError("value", rule.luck_value, found.value)
    return by_seat(found.luck, index)[0] / UNIT

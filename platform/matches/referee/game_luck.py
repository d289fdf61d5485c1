"""The luck of a game, for a stopping rule that takes it off."""

from games.record import Record
from matches.referee.rotation import by_seat
from matches.referee.stopping import Sequential, StoppingError


def luck_of_first(record: Record, index: int, rule: Sequential | None) -> float:
    """Return the luck that the first seat had in game ``index`` of a series, as a share of opponents beaten.

    0 where ``rule`` takes no luck off, or where the value cannot tell it, as of a game that the platform ended.

    Raises:
        StoppingError: the rule's value is none of the game's that are known here.
    """
    if rule is None or not rule.luck_value:
        return 0.0
    from luck import (
        UNIT,
        GameAccount,
        analyse,
        is_known,
        values_of,
    )  # numpy and tables of every turn: most series never need them

    if not is_known(record.ruleset, rule.luck_value):
        raise StoppingError("value", rule.luck_value, ", ".join(values_of(record.ruleset)))
    found = analyse(record, rule.luck_value)
    if not isinstance(found, GameAccount):
        return 0.0
    return by_seat(found.luck, index)[0] / UNIT

"""Every game the platform plays, by name."""

from collections.abc import Mapping
from typing import Final

from games.ruleset import Ruleset
from games.rulesets.heckmeck import HECKMECK
from games.rulesets.karteneck import KARTENECK
from games.rulesets.laghetti import LAGHETTI
from games.rulesets.pickomino import PICKOMINO


class UnknownRuleset(LookupError):
    """No game of that name, or another version of it."""

    def __init__(self, name_or_id: str) -> None:
        self.name_or_id = name_or_id[:80]
        name = name_or_id.partition("/")[0]
        if name in RULESETS:
            super().__init__(f"ruleset {self.name_or_id!r}: this platform plays {RULESETS[name].id}")
        else:
            super().__init__(f"ruleset {self.name_or_id!r} is unknown; known: {', '.join(RULESETS)}")


RULESETS: Final[Mapping[str, Ruleset]] = {
    "pickomino": PICKOMINO,
    "heckmeck": HECKMECK,
    "laghetti": LAGHETTI,
    "karteneck": KARTENECK,
}


def find(name_or_id: str) -> Ruleset:
    """The ruleset named ``pickomino`` or ``pickomino/1``.

    Raises:
        UnknownRuleset: no such name, or another version than the platform's.
    """
    ruleset = RULESETS.get(name_or_id.partition("/")[0])
    if ruleset is None or name_or_id not in (ruleset.name, ruleset.id):
        raise UnknownRuleset(name_or_id)
    return ruleset

"""In cammino tra i laghetti as the platform knows it."""

from typing import Final

from games.catalogue.laghetti.observation import IN_NUMBERS
from games.catalogue.laghetti.position import BIDS, LEADS, PLAYS, LaghettiPosition, opening
from games.catalogue.laghetti.rules import ID, OPTIONS, SEATS, LaghettiRules
from games.catalogue.laghetti.view import schema_of
from games.ruleset import Options, Ruleset


def rules_of(players: int, options: Options) -> LaghettiRules:
    deck = tuple(tuple(card) for card in options["deck"])
    return LaghettiRules(players, **{**options, "deck": deck})


def start(players: int, options: Options) -> LaghettiPosition:
    return opening(rules_of(players, options))


def vocabulary(options: Options) -> tuple[str, ...]:
    return (*BIDS, *PLAYS, *(lead for leads in LEADS for lead in leads))


def max_actions(players: int, options: Options) -> int:
    """Return exactly how many actions a game has: in each round every player bids once and plays every card."""
    schedule = rules_of(players, options).schedule
    return players * (len(schedule) + sum(schedule))


LAGHETTI: Final = Ruleset(
    name="laghetti",
    version=1,
    title="In cammino tra i laghetti",
    seats=SEATS,
    options=OPTIONS,
    view_schema=schema_of(ID, OPTIONS),
    opening=start,
    vocabulary=vocabulary,
    max_actions=max_actions,
    in_numbers=IN_NUMBERS,
)

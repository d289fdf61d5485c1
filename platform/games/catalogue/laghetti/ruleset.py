"""The current ruleset of In cammino tra i laghetti: start position, vocabulary, and the number of actions."""

from typing import Final

from games.catalogue.laghetti.observation import IN_NUMBERS
from games.catalogue.laghetti.position import BIDS, LEADS, PLAYS, LaghettiPosition, laghetti_position_opening
from games.catalogue.laghetti.rules import ID, OPTIONS, SEATS, LaghettiRules
from games.catalogue.laghetti.view import laghetti_view_schema_of
from games.ruleset import Options, Ruleset


def laghetti_ruleset_rules_of(players: int, options: Options) -> LaghettiRules:
    deck = tuple(tuple(card) for card in options["deck"])
    return LaghettiRules(players, **{**options, "deck": deck})


def laghetti_ruleset_start(players: int, options: Options) -> LaghettiPosition:
    return laghetti_position_opening(laghetti_ruleset_rules_of(players, options))


def laghetti_ruleset_vocabulary(options: Options) -> tuple[str, ...]:
    return (*BIDS, *PLAYS, *(lead for leads in LEADS for lead in leads))


def laghetti_ruleset_max_actions(players: int, options: Options) -> int:
    """Return the exact number of actions in a game: in each round, every player bids once and plays every card."""
    schedule = laghetti_ruleset_rules_of(players, options).schedule
    return players * (len(schedule) + sum(schedule))


LAGHETTI: Final = Ruleset(
    name="laghetti",
    version=1,
    title="In cammino tra i laghetti",
    seats=SEATS,
    options=OPTIONS,
    view_schema=laghetti_view_schema_of(ID, OPTIONS),
    opening=laghetti_ruleset_start,
    vocabulary=laghetti_ruleset_vocabulary,
    max_actions=laghetti_ruleset_max_actions,
    in_numbers=IN_NUMBERS,
)

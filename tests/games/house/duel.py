"""How much better is one bot than another? Blocks: one seed, played in every seat, so that luck cancels."""

from collections.abc import Callable
from math import sqrt
from statistics import mean, stdev
from typing import Any, NamedTuple

from games.dealer import block_seed
from games.explanation import explained_action
from games.ruleset import Ruleset
from games.table import Table

Act = Callable[[Any], str]


class Interval(NamedTuple):
    """Points a game more, with the half width of the 95 per cent interval."""

    lead: float
    half: float

    def __str__(self) -> str:
        low, high = self.lead - self.half, self.lead + self.half
        return f"{self.lead:+.2f} points a game, 95 % interval {low:+.2f} to {high:+.2f}"


def duel(ruleset: Ruleset, better: Act, worse: Act, blocks: int, players: int = 2) -> Interval:
    """The lead of one ``better`` over the average of the others, all ``worse``."""
    leads = []
    for block in range(blocks):
        seed = block_seed(b"duel", block)
        own = total = 0
        for seat in range(players):
            scored = points(ruleset, (*(worse,) * seat, better, *(worse,) * (players - 1 - seat)), seed)
            own, total = own + scored[seat], total + sum(scored)
        leads.append((own - (total - own) / (players - 1)) / players)
    return Interval(mean(leads), 1.96 * stdev(leads) / sqrt(blocks))


def points(ruleset: Ruleset, bots: tuple[Act, ...], seed: bytes) -> tuple[int, ...]:
    table = Table(ruleset, len(bots), {}, seed)
    while not table.over:
        table.play(explained_action(bots[table.actor](table.view(table.actor))))
    assert table.outcome is not None
    return table.outcome.points

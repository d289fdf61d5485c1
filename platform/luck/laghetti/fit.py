"""The means of ``laghetti/1-d1``. ``python -m luck.laghetti.fit`` computes them from a million deals."""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random
from typing import Final

from games.catalogue.laghetti.deck import CARDS, LAKES
from luck.laghetti.deals import laghetti_deals_reference_points
from luck.shares import rounded

DEALS: Final = 1_000_000
KINDS: Final = tuple((players, cards) for players in (3, 4) for cards in range(1, CARDS // players + 1))
MILLION: Final = 10**6


def main() -> None:
    """Print the means as JSON, in millionths of a point: by players, by cards, and by place from the dealer's left."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = dict(zip(KINDS, processes.map(laghetti_fit_means, KINDS), strict=True))
    by_players = {players: {cards: row for (of, cards), row in found.items() if of == players} for players in (3, 4)}
    sys.stdout.write(f"{json.dumps(by_players)}\n")


def laghetti_fit_means(kind: tuple[int, int]) -> list[int]:
    """Return the mean points of each place, from the dealer's left, over the deals of one kind.

    ``kind`` is the number of players and the number of cards of each. Every kind gets an equal part of ``DEALS``.
    """
    players, cards = kind
    luck, deals = Random(f"{players}/{cards}"), DEALS // len(KINDS)
    sums = [0] * players
    for _ in range(deals):
        dealt = luck.sample(range(CARDS), players * cards)
        hands = [sorted(dealt[at::players]) for at in range(players)]
        for seat, made in enumerate(laghetti_deals_reference_points(hands, players - 1, LAKES)):
            sums[seat] += made
    return [rounded(MILLION * total, deals) for total in sums]


if __name__ == "__main__":
    main()

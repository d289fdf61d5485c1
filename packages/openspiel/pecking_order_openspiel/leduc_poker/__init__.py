"""Leduc poker: six cards, two rounds of bets."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Leduc Poker",
    tagline="Six cards, two rounds of bets: the smallest real poker.",
    house_bots=[("tight", "Poker Puffin", "Raises with a pair or a king, folds a jack to a raise.")],
    seats=range(2, 5),
    parameters=lambda players, options: {"players": players},
    points="Chips",
)

"""Kuhn poker: three cards, one bet."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Kuhn Poker",
    tagline="Three cards, one bet, and a theory from 1950.",
    house_bots=[("honest", "Honest Heron", "Bets the best card, calls with it, and passes the worst.")],
    seats=range(2, 6),
    parameters=lambda players, options: {"players": players},
    points="Chips",
)

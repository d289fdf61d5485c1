"""Ultimate tic-tac-toe: nine boards in one."""

from pecking_order_openspiel.bridge import bridged

GAME = bridged(
    __name__,
    title="Ultimate Tic-tac-toe",
    tagline="Nine boards in one: your cell is where the other plays next.",
    house_bots=[("local", "Nine Jackdaws", "Wins small boards, stops the other, and likes the middle.")],
    is_named=False,
)

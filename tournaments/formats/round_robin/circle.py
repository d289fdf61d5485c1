"""The circle method: every pair once, everyone at most one table a round."""

from tournaments.formats.schedule import Round


def circle(players: int) -> tuple[Round, ...]:
    """Return the rounds for players 0..n-1: n - 1 of them for even n; n for odd n, in which each sits out exactly one.

    Each player's number of first and of second seats differ by at most one.
    """
    even = players + players % 2
    return tuple(_round(number, players, even) for number in range(even - 1))


def _round(number: int, players: int, even: int) -> Round:
    ring = even - 1
    fixed = (number, ring) if number % 2 == 0 else (ring, number)
    pairs = [fixed]
    for step in range(1, even // 2):
        left, right = (number + step) % ring, (number - step) % ring
        pairs.append((right, left) if step % 2 else (left, right))
    return tuple(pair for pair in pairs if max(pair) < players)

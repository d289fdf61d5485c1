"""Looks at every way in which the game may go on, and takes the best."""

from functools import cache

LINES = [*((r, r + 1, r + 2) for r in (0, 3, 6)), *((c, c + 3, c + 6) for c in range(3)), (0, 4, 8), (2, 4, 6)]


@cache
def value(cells, own, other):
    """Return 1, 0 or -1 for ``own``, who is to play."""
    if any(all(cells[one] == other for one in line) for line in LINES):
        return -1
    free = [at for at, cell in enumerate(cells) if cell == "."]
    return max((-value(cells[:at] + own + cells[at + 1 :], other, own) for at in free), default=0)


def act(view):
    cells = "".join(view["board"][:3])
    own, other = "xo" if view["you"] == 0 else "ox"

    def worth(action):
        row, column = int(action[2]), int(action[4])
        at = 3 * row + column
        return -value(cells[:at] + own + cells[at + 1 :], other, own)

    return max(view["actions"], key=worth)
